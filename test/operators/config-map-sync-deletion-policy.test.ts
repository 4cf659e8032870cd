import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ConfigMap, Namespace } from '../../imports/k8s.js';
import { ConfigMapSync, configMapSync } from '../../src/operators/config-map-sync.js';
import { startCluster, type TestCluster, type TestController } from '../../src/testing/index.js';

const team = { namespace: 'team' };
const policy = (deletionPolicy: 'Delete' | 'Orphan', destinationNamespace = 'shop', annotations = {}) => ({
  apiVersion: ConfigMapSync.apiVersion,
  kind: ConfigMapSync.kind,
  metadata: { name: 'one', ...team, annotations },
  spec: { sourceNamespace: 'team', destinationNamespace, configMapName: 'settings', deletionPolicy },
});
const namespace = (name: string, from = 'team') => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name, annotations: { 'kilter.dev/accept-from': from } },
});

let cluster: TestCluster;
let controller: TestController;
beforeEach(async () => {
  cluster = await startCluster();
  controller = await cluster.run(configMapSync);
  for (const name of ['team', 'shop', 'store']) await cluster.apply(namespace(name));
  await cluster.apply({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'settings', ...team },
    data: { a: 'b' },
  });
});
afterEach(() => cluster.stop());

const have = async (manifest: object) => {
  await cluster.apply(manifest as never);
  await cluster.settled();
};
const end = async () => {
  await cluster.delete(ConfigMapSync, 'one', team);
  await cluster.settled();
  expect(await cluster.find(ConfigMapSync, 'one', team)).toBeUndefined();
};
const isThere = async (where = 'shop') =>
  (await cluster.find(ConfigMap, 'settings', { namespace: where })) !== undefined;

/** What happens while nobody is there to see it, and what comes of it when somebody is. */
const unseen = async (happens: () => Promise<unknown>) => {
  controller.crash();
  await happens();
  controller.restart();
  await cluster.settled();
};

describe('the copy stays that is to stay by now', () => {
  beforeEach(() => have(policy('Delete')));

  it('when that and the deletion come while nobody looks', async () => {
    await unseen(async () => {
      await cluster.apply(policy('Orphan'));
      await cluster.delete(ConfigMapSync, 'one', team);
    });
    expect(await cluster.find(ConfigMapSync, 'one', team)).toBeUndefined();
    expect(await isThere()).toBe(true);
  });

  it('when that and the deletion of its source come while nobody looks', async () => {
    await unseen(async () => {
      await cluster.apply(policy('Orphan'));
      await cluster.delete(ConfigMap, 'settings', team);
    });
    expect(await isThere()).toBe(true);
  });

  it('though its namespace does not consent any more', async () => {
    await cluster.patch(Namespace, 'shop', { metadata: { annotations: { 'kilter.dev/accept-from': null } } });
    await have(policy('Orphan'));
    await end();
    expect(await isThere()).toBe(true);
  });

  it('though it is only reported what is not as it is to be', async () => {
    await have(policy('Orphan', 'shop', { 'apps.bixbite.io/mode': 'report' }));
    await end();
    expect(await isThere()).toBe(true);
  });

  it('though somebody takes away from the copy whatever says so', async () => {
    await have(policy('Orphan'));
    await cluster.patch(
      ConfigMap,
      'settings',
      { metadata: { annotations: { 'kilter.dev/removal': 'delete' } } },
      { namespace: 'shop' },
    );
    await end();
    expect(await isThere()).toBe(true);
  });
});

describe('the copy goes that is to go by now', () => {
  beforeEach(() => have(policy('Orphan')));

  it('when its source was gone before', async () => {
    await cluster.delete(ConfigMap, 'settings', team);
    await cluster.settled();
    expect(await isThere()).toBe(true);
    await have(policy('Delete'));
    expect(await isThere()).toBe(false);
  });

  it('and so does one that was left elsewhere before', async () => {
    await have(policy('Orphan', 'store'));
    expect([await isThere(), await isThere('store')]).toEqual([true, true]);
    await have(policy('Delete', 'store'));
    expect([await isThere(), await isThere('store')]).toEqual([false, true]);
    await end();
    expect(await isThere('store')).toBe(false);
  });
});
