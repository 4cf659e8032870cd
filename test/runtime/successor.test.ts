import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ConfigMap } from '../../imports/k8s.js';
import { customResource, operator, s } from '../../src/index.js';
import { ConfigMapSync, configMapSync } from '../../src/operators/config-map-sync.js';
import { startCluster, type TestCluster } from '../../src/testing/index.js';

const Page = customResource({ group: 'web.example.com', version: 'v1', kind: 'Page', spec: s.object({}) });
const page = operator(Page, {
  owns: [ConfigMap],
  compose: (scope) => {
    new ConfigMap(scope, 'text', { metadata: { name: 'text' } });
  },
});
const named = (name: string, finalizers: readonly string[] = []) => ({
  apiVersion: Page.apiVersion,
  kind: Page.kind,
  metadata: { name, finalizers },
  spec: {},
});

/** As Flux renames what is in Git: it applies what has the new name, and then deletes what has the old one. */
describe('a custom resource that takes the place of another', () => {
  let cluster: TestCluster;
  beforeEach(async () => {
    cluster = await startCluster({ controllers: { garbageCollector: false } });
  });
  afterEach(() => cluster.stop());

  const conditions = async () => (await cluster.get(Page, 'new')).status?.conditions;
  const isInTheWay = 'ConfigMap/default/text is not ours: it exists, and belongs to Page/old';
  const waits = (message: string) => [
    { type: 'Ready', status: 'False', reason: 'ApplyConflict', message },
    { type: 'Reconciling', status: 'True', reason: 'ProgressingWithRetry', message },
  ];

  it('waits for somebody to do something while the other is there, and by itself once that is gone', async () => {
    await cluster.run(page);
    await cluster.apply(named('old'));
    await cluster.settled();
    await cluster.apply(named('new'));
    await cluster.settled();
    expect(await conditions()).toMatchObject([{ type: 'Ready' }, { type: 'Stalled', status: 'True' }]);

    await cluster.delete(Page, 'old');
    await cluster.settled();
    expect(await conditions()).toMatchObject(waits(`${isInTheWay}; the garbage collector deletes it`));

    await cluster.delete(ConfigMap, 'text');
    await cluster.settled();
    expect(await conditions()).toMatchObject([{ type: 'Ready', status: 'True' }]);
  });

  it('waits by itself while the other is being deleted', async () => {
    await cluster.run(page);
    await cluster.apply(named('old', ['example.com/held']));
    await cluster.settled();
    await cluster.apply(named('new'));
    await cluster.settled();
    await cluster.delete(Page, 'old');
    await cluster.settled();
    expect(await conditions()).toMatchObject(waits(`${isInTheWay}, which is being deleted`));
  });

  it('waits for somebody again where the other goes and leaves behind what it has in another namespace', async () => {
    await cluster.run(configMapSync);
    const accepting = { annotations: { 'kilter.dev/accept-from': 'default' } };
    await cluster.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop', ...accepting } });
    await cluster.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' }, data: { a: 'b' } });
    const sync = (name: string, finalizers: readonly string[] = []) => ({
      apiVersion: ConfigMapSync.apiVersion,
      kind: ConfigMapSync.kind,
      metadata: { name, finalizers },
      spec: {
        sourceNamespace: 'default',
        destinationNamespace: 'shop',
        configMapName: 'settings',
        deletionPolicy: 'Orphan',
      },
    });
    const second = async () => (await cluster.get(ConfigMapSync, 'new')).status?.conditions?.[1];
    await cluster.apply(sync('old', ['example.com/held']));
    await cluster.settled();
    await cluster.apply(sync('new'));
    await cluster.settled();
    expect(await second()).toMatchObject({ type: 'Stalled' });

    await cluster.delete(ConfigMapSync, 'old');
    await cluster.settled();
    expect(await second()).toMatchObject({ type: 'Stalled', message: expect.stringContaining('belongs to nobody') });
    await cluster.delete(ConfigMap, 'settings', { namespace: 'shop' });
    await cluster.settled();
    expect((await cluster.get(ConfigMapSync, 'new')).status?.conditions?.[0]).toMatchObject({ status: 'True' });
  });
});
