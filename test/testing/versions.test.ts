import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ConfigMap } from '../../imports/k8s.js';
import { customResource, operator, s } from '../../src/index.js';
import { startCluster, type TestCluster } from '../../src/testing/index.js';
import { Cache as DocumentedCache } from '../docs/a-kind-with-a-past.js';
import { Cache } from '../resource/a-kind-of-versions.js';

const caches = operator(Cache, {
  owns: [ConfigMap],
  compose(scope, { spec }) {
    new ConfigMap(scope, 'map', { data: { size: String(spec.size), image: spec.image } });
  },
  status: () => ({ nodes: ['a'] }),
});

/** The kind as somebody knows it who knows one version. */
const cacheIn = (version: string) =>
  class {
    static readonly apiVersion = `${Cache.group}/${version}`;
    static readonly kind = 'Cache';
    static readonly plural = Cache.plural;
    static readonly namespaced = true;
    readonly object?: { readonly spec: object };
  };

describe('a kind of several versions, in a test', () => {
  let cluster: TestCluster;

  beforeEach(async () => {
    cluster = await startCluster();
    await cluster.run(caches);
  });
  afterEach(() => cluster.stop());

  const apply = (version: string, name: string, spec: object) =>
    cluster.apply({ apiVersion: `${Cache.group}/${version}`, kind: 'Cache', metadata: { name }, spec });
  const specIn = async (version: string, name: string) => (await cluster.get(cacheIn(version), name)).spec;

  it('is upgraded before compose sees it, and reads back in each version', async () => {
    await apply('v1beta1', 'old', { replicas: 3 });
    await cluster.settled();
    expect((await cluster.get(ConfigMap, 'old-map')).data).toEqual({ size: '3', image: 'memcached:1.6-alpine' });
    expect(await specIn('v1', 'old')).toEqual({ size: 3, image: 'memcached:1.6-alpine' });
    expect(await specIn('v1beta1', 'old')).toEqual({ replicas: 3 });
    expect(await specIn('v1alpha1', 'old')).toEqual({ size: 'some' });
    const { status } = await cluster.get(Cache, 'old');
    expect(status).toMatchObject({ nodes: ['a'], observedGeneration: 1 });
    expect((await cluster.list(cacheIn('v1alpha1'))).map(({ spec }) => spec)).toEqual([{ size: 'some' }]);
  });

  it('is refused in words of the version in which it is written', async () => {
    await expect(apply('v1beta1', 'wrong', { replicas: 'three' })).rejects.toThrow('.spec.replicas: expected numeric');
    await expect(apply('v1beta1', 'wrong', { size: 3 })).rejects.toThrow('.spec.size: field not declared in schema');
    expect(await cluster.list(Cache)).toEqual([]);
  });

  it('loses nothing when somebody writes it in a version that has no words for all of it', async () => {
    await apply('v1', 'edited', { size: 3, image: 'memcached:1.7' });
    expect((await cluster.get(cacheIn('v1beta1'), 'edited')).metadata.annotations).toMatchObject({
      'kilter.dev/stored-spec': expect.stringContaining('1.7'),
    });
    await cluster.patch(cacheIn('v1beta1'), 'edited', { spec: { replicas: 5 } });
    const stored = await cluster.get(Cache, 'edited');
    expect(stored.spec).toEqual({ size: 5, image: 'memcached:1.7' });
    expect(stored.metadata.annotations).toBeUndefined();
    await cluster.settled();
    expect((await cluster.get(ConfigMap, 'edited-map')).data).toMatchObject({ size: '5' });
  });

  it('is owned by who wrote it in whatever version, so that another version takes nothing away', async () => {
    await apply('v1beta1', 'shared', { replicas: 3 });
    await cluster.settled();
    const by = (await cluster.get(Cache, 'shared')).metadata.managedFields?.map(({ manager, apiVersion }) => [
      manager,
      apiVersion,
    ]);
    expect(by).toEqual(
      expect.arrayContaining([
        ['kubectl', 'versions.kilter.dev/v1beta1'],
        ['cache', 'versions.kilter.dev/v1'],
      ]),
    );
    const other = { apiVersion: Cache.apiVersion, kind: 'Cache', metadata: { name: 'shared' }, spec: { size: 4 } };
    await expect(cluster.apply(other, { manager: 'somebody', force: false })).rejects.toThrow(
      'Apply failed with 1 conflict: conflict with "kubectl": .spec.replicas',
    );
    await cluster.apply(other);
    expect(await specIn('v1', 'shared')).toMatchObject({ size: 4 });
  });

  it('says why an object cannot be shown in a version, to whoever asks for that', async () => {
    const seen: unknown[] = [];
    const failed = (async () => {
      for await (const event of cluster.server.cluster().watch(cacheIn('v1alpha1'), { resourceVersion: '' })) {
        seen.push(event);
      }
    })().catch((error: Error) => error.message);
    await apply('v1', 'seven', { size: 7 });
    const words =
      'conversion webhook for versions.kilter.dev/v1, Kind=Cache failed: ' +
      'converting Cache/default/seven to versions.kilter.dev/v1alpha1 failed: downgrade: seven has no name';
    await expect(specIn('v1alpha1', 'seven')).rejects.toThrow(words);
    await expect(cluster.list(cacheIn('v1alpha1'))).rejects.toThrow(words);
    expect(await failed).toContain(words);
    expect(await specIn('v1', 'seven')).toMatchObject({ size: 7 });
    await cluster.delete(Cache, 'seven');
  });

  it('is that of the page about testing', async () => {
    const { apiVersion, kind } = DocumentedCache;
    await cluster.run(operator(DocumentedCache, { name: 'documented', owns: [], compose: () => {} }));
    const old = { apiVersion: 'cache.example.com/v1beta1', kind, metadata: { name: 'a' }, spec: { replicas: 3 } };
    await cluster.apply(old);
    expect((await cluster.get(DocumentedCache, 'a')).spec).toEqual({ size: 3, image: 'memcached:1.6-alpine' });
    await cluster.apply({ ...old, apiVersion, spec: { size: 4 } });
    expect((await cluster.get(DocumentedCache, 'a')).spec).toMatchObject({ size: 4 });
  });

  it('is upgraded where it was stored before there was a newer version', async () => {
    const { group, kind } = Cache;
    const Before = customResource({ group, kind, version: 'v1beta1', spec: s.object({ replicas: s.int32() }) });
    const other = await startCluster();
    const before = await other.run(operator(Before, { name: 'cache', owns: [ConfigMap], compose: () => {} }));
    await other.apply({ apiVersion: Before.apiVersion, kind, metadata: { name: 'old' }, spec: { replicas: 2 } });
    await other.settled();
    before.crash();
    await other.run(caches);
    await other.settled();
    expect((await other.get(ConfigMap, 'old-map')).data).toMatchObject({ size: '2' });
    expect((await other.get(cacheIn('v1beta1'), 'old')).spec).toEqual({ replicas: 2 });
    await other.stop();
  });
});
