import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ConfigMap } from '../../imports/k8s.js';
import { customResource, operator, s } from '../../src/index.js';
import { startCluster, type TestCluster, type TestController } from '../../src/testing/index.js';

const Book = customResource({
  group: 'print.example.com',
  version: 'v1',
  kind: 'Book',
  spec: s.object({ text: s.string() }),
});
const book = operator(Book, {
  owns: [ConfigMap],
  compose: (scope, { spec }) => void new ConfigMap(scope, 'page', { data: { text: spec.text } }),
});
const always = Number.POSITIVE_INFINITY;

describe('custom resources whose writes the API server failed', () => {
  let cluster: TestCluster;
  let controller: TestController;
  beforeEach(async () => {
    cluster = await startCluster();
    controller = await cluster.run(book);
  });
  afterEach(() => cluster.stop());

  const edit = (name: string, text: string, namespace = 'default') =>
    cluster.apply({ apiVersion: Book.apiVersion, kind: Book.kind, metadata: { name, namespace }, spec: { text } });
  const namesOf = (count: number) => Array.from({ length: count }, (_, index) => `b${index}`);
  const written = async (text: string, namespace = 'default') =>
    (await cluster.list(ConfigMap, { namespace })).filter(({ data }) => data?.['text'] === text).length;
  /** How often a write of a ConfigMap of each namespace was tried from now on. */
  const countTries = () => {
    const tries = new Map<string, number>();
    controller.faults.observe(({ verb, kind, namespace = '' }) => {
      if (kind === 'ConfigMap' && verb !== 'watch' && verb !== 'list')
        tries.set(namespace, (tries.get(namespace) ?? 0) + 1);
    });
    return (namespace = 'default') => tries.get(namespace) ?? 0;
  };

  it.each([
    ['500, for 45 s', { code: 500 }, 45, 10],
    ['503 of a balancer, for 45 s', { code: 503 }, 45, 10],
    ['500, for an hour', { code: 500 }, 3600, 25],
    ['401, since it knew nobody, for an hour', { code: 401 }, 3600, 25],
  ])('are all as they are to be within seconds, when it is well again: %s', async (_, refusal, seconds, within) => {
    controller.faults.refuse({ verb: 'write' }, { ...refusal, times: always });
    for (const name of namesOf(50)) await edit(name, 'once');
    await cluster.advance(seconds);
    expect(await written('once')).toBe(0);
    controller.faults.clear();
    await cluster.advance(within);
    expect(await written('once')).toBe(50);
  });

  it('come in seconds after the first one, where it asked for patience', async () => {
    controller.faults.refuse({ verb: 'write' }, { code: 429, retryAfterSeconds: 1, times: always });
    for (const name of namesOf(50)) await edit(name, 'once');
    await cluster.advance(100);
    controller.faults.clear();
    for (let seconds = 0; (await written('once')) === 0 && seconds < 66; seconds++) await cluster.advance(1);
    await cluster.advance(2);
    expect(await written('once')).toBe(50);
  });

  it('are as they are to be after half as long again, where there is only one', async () => {
    controller.faults.refuse({ verb: 'write' }, { code: 500, times: always });
    await edit('b', 'once');
    await cluster.advance(45);
    controller.faults.clear();
    await cluster.advance(23);
    expect(await written('once')).toBe(1);
  });

  it('are tried hardly more than twice as often as by their own waits, whatever becomes well beside them', async () => {
    for (const namespace of ['bad', 'flaky'])
      await cluster.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
    const tries = countTries();
    controller.faults.refuse({ verb: 'write', kind: 'ConfigMap', namespace: 'bad' }, { code: 500, times: always });
    for (const name of namesOf(3)) await edit(name, 'once', 'bad');
    for (let round = 0; round < 150; round++) {
      controller.faults.refuse({ verb: 'write', kind: 'ConfigMap', namespace: 'flaky' }, { code: 500 });
      await edit('flaky', `${round}`, 'flaky');
      await cluster.advance(1);
    }
    expect(await written('149', 'flaky')).toBe(1);
    // After 5 ms, 10 ms, … 82 s: sixteen tries of each by itself, and one more of all every five seconds to see.
    expect(tries('bad')).toBeLessThanOrEqual(3 * 16 * 2 + 150 / 5);
  });

  it('leave no timer behind', async () => {
    controller.faults.refuse({ verb: 'write' }, { code: 500, times: always });
    for (const name of namesOf(5)) await edit(name, 'once');
    await cluster.advance(45);
    await controller.stop();
    expect(controller.leftOver).toEqual({ timers: 0, listeners: 0 });
  });
});
