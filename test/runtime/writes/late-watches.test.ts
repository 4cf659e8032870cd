import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ConfigMap, Event } from '../../../imports/k8s.js';
import { customResource, operator, s } from '../../../src/index.js';
import { startCluster, type TestCluster } from '../../../src/testing/index.js';
import type { TestController } from '../../../src/testing/test-controller.js';
import { conditionIn } from '../../condition-in.js';

const Shelf = customResource({
  group: 'books.example.com',
  version: 'v1',
  kind: 'Shelf',
  spec: s.object({ books: s.int32() }),
});
const shelf = operator(Shelf, {
  owns: [ConfigMap],
  compose(scope, { spec: { books } }) {
    new ConfigMap(scope, 'list', { data: { books: String(books) } });
  },
});

describe('while a watch of children shows nothing', () => {
  let cluster: TestCluster;
  let controller: TestController;
  beforeEach(async () => {
    cluster = await startCluster();
    controller = await cluster.run(shelf);
    await apply(1);
    await cluster.settled();
  });
  afterEach(() => cluster.stop());

  const apply = (books: number, annotations: Record<string, string> = {}) =>
    cluster.apply({
      apiVersion: Shelf.apiVersion,
      kind: Shelf.kind,
      metadata: { name: 'one', annotations },
      spec: { books },
    });
  const refuseWatch = (code: number) => {
    for (const verb of ['list', 'watch'] as const)
      controller.faults.refuse({ verb, kind: 'ConfigMap' }, { code, times: Infinity });
    controller.faults.breakWatch(ConfigMap);
  };
  /** The first edit is written, and never seen. */
  const edit = async (annotations: Record<string, string> = {}) => {
    await apply(2);
    await cluster.advance(1);
    await apply(3, annotations);
  };
  const condition = async (wanted = 'Ready') => conditionIn(await cluster.get(Shelf, 'one'), wanted);
  const books = async () => (await cluster.get(ConfigMap, 'one-list')).data?.['books'];
  const events = async (reason: string) =>
    (await cluster.list(Event)).filter((event) => event.reason === reason).map(({ message }) => message);

  it.each([
    [403, 'RBACDenied'],
    [500, 'Timeout'],
  ])('for the server answers %s, a custom resource says so, and all goes on when it is back', async (code, reason) => {
    refuseWatch(code);
    await edit();
    await cluster.advance(20);
    const message = expect.stringMatching(
      `^waits for the watch of configmaps to show what was written: .* refused with ${code}$`,
    );
    expect(await condition()).toMatchObject({ status: 'False', reason, message, observedGeneration: 3 });
    expect(await condition('Reconciling')).toMatchObject({ status: 'True', reason: 'ProgressingWithRetry' });
    expect(await events(reason)).toEqual([message]);
    await cluster.advance(600);
    expect(await events(reason)).toHaveLength(1);
    expect(await books()).toBe('2');

    controller.faults.clear();
    await cluster.advance(60);
    expect(await books()).toBe('3');
    expect(await condition()).toMatchObject({ status: 'True', observedGeneration: 3 });
    expect(await events('ReconciliationSucceeded')).toHaveLength(1);
  });

  it('without a word, and the next one shows all, nothing is said', async () => {
    controller.faults.silenceWatch(ConfigMap);
    await edit();
    await cluster.advance(20);
    expect(await books()).toBe('3');
    expect(await condition()).toMatchObject({ status: 'True', observedGeneration: 3 });
    expect(await events('Timeout')).toEqual([]);
  });

  it('without a word, nor does the next one, a custom resource says that nothing came', async () => {
    const letGo = controller.faults.holdWatch(ConfigMap);
    await edit();
    await cluster.advance(20);
    const message = 'waits for the watch of configmaps to show what was written: nothing came for 10 s';
    expect(await condition()).toMatchObject({ status: 'False', reason: 'Timeout', message });
    letGo();
    await cluster.advance(20);
    expect(await books()).toBe('3');
    expect(await condition()).toMatchObject({ status: 'True' });
  });

  it('and is soon back, nothing is said', async () => {
    controller.faults.refuse({ verb: 'list', kind: 'ConfigMap' }, { code: 500, times: 2 });
    controller.faults.breakWatch(ConfigMap);
    await edit();
    await cluster.advance(20);
    expect(await books()).toBe('3');
    expect(await events('Timeout')).toEqual([]);
  });

  it('a custom resource can be suspended, and deleted', async () => {
    refuseWatch(403);
    await edit({ 'books.example.com/reconcile': 'suspended' });
    await cluster.advance(20);
    expect(await condition('Paused')).toMatchObject({ status: 'True' });
    await cluster.delete(Shelf, 'one');
    await cluster.settled();
    expect(await cluster.find(Shelf, 'one')).toBeUndefined();
  });
});
