import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ConfigMap, EventsEvent, Namespace, Pod } from '../../imports/k8s.js';
import { customResource, operator, s } from '../../src/index.js';
import type { Condition } from '../../src/kube/condition.js';
import { startCluster, type TestCluster, type TestController } from '../../src/testing/index.js';

const Note = customResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Note',
  spec: s.object({ text: s.string() }),
});
const note = operator(Note, {
  owns: [ConfigMap],
  compose(scope, { spec }) {
    new ConfigMap(scope, 'default', { data: spec });
  },
});

let cluster: TestCluster;
let controller: TestController;
beforeEach(async () => {
  cluster = await startCluster();
  controller = await cluster.run([note]);
});
afterEach(() => cluster.stop());

const inShop = { namespace: 'shop' };

describe('a namespace that is being deleted', () => {
  it('is no error of those in it whose children are gone already', async () => {
    await cluster.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } });
    // Pods go first: as long as one does not, nothing else does.
    const pod = { metadata: { name: 'p', ...inShop, finalizers: ['example.com/wait'] } };
    const spec = { containers: [{ name: 'c', image: 'c:1' }] };
    await cluster.apply({ apiVersion: 'v1', kind: 'Pod', ...pod, spec });
    await cluster.apply({
      apiVersion: Note.apiVersion,
      kind: 'Note',
      metadata: { name: 'a', ...inShop },
      spec: { text: 'x' },
    });
    await cluster.settled();
    await cluster.delete(Namespace, 'shop');
    await cluster.settled();
    await cluster.delete(ConfigMap, 'a', inShop);
    await cluster.settled();

    const { status = {} } = (await cluster.get(Note, 'a', inShop)) as {
      status?: { conditions?: readonly Condition[] };
    };
    const said = status.conditions?.map(({ type, status, reason, message }) => [
      `${type}=${status} ${reason}`,
      message,
    ]);
    expect(said).toEqual([
      ['Ready=False Deleting', 'Namespace/shop is being deleted'],
      ['Reconciling=True Deleting', 'Namespace/shop is being deleted'],
    ]);
    expect(controller.log.filter(({ level }) => level === 'error' || level === 'warn')).toEqual([]);
    const events = await cluster.list(EventsEvent, inShop);
    expect(events.filter(({ regarding }) => regarding?.kind === 'Note')).toEqual([]);

    await cluster.patch(Pod, 'p', { metadata: { finalizers: null } }, { ...inShop, manager: 'somebody' });
    await cluster.settled();
    expect(await cluster.list(Note)).toEqual([]);
    expect((await cluster.list(Namespace)).map(({ metadata }) => metadata.name)).not.toContain('shop');
  });
});
