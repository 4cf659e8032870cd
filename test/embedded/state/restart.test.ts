import { describe, expect, it } from '@jest/globals';
import { ConfigMap, Deployment, Pod } from '../../../imports/k8s.js';
import { EmbeddedServer, type EmbeddedServerOptions } from '../../../src/embedded/embedded-server.js';
import type { StoredObjects } from '../../../src/embedded/state/cluster-state.js';
import { newIdentity } from '../../../src/embedded/state/cluster-state.js';
import { stateOf, textOf } from '../../../src/embedded/state/state-text.js';
import type { KubeObject } from '../../../src/kube/manifest.js';
import { Memcached } from '../../../src/operators/memcached.js';
import { seededRandom } from '../../../src/testing/seeded-random.js';
import { VirtualClock } from '../../../src/testing/virtual-clock.js';

const identity = newIdentity(0);
const crds = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  namespaced: false,
};
const fieldManager = 'test';

function start(clock: VirtualClock, options: EmbeddedServerOptions = {}) {
  const server = new EmbeddedServer({ clock, random: seededRandom(1), tokenKey: identity.tokenKey, ...options });
  return { server, cluster: server.cluster() };
}

/** What another process would have of it. */
function savedOf({ store }: EmbeddedServer, isEnd = true): StoredObjects {
  const objects = store.resources.flatMap((resource) => store.list(resource).map((each) => [resource, each] as const));
  return stateOf(textOf({ revision: store.revision, objects, identity, isEnd }), 'state');
}

function everythingIn({ store }: EmbeddedServer): Readonly<Record<string, KubeObject>> {
  const entries = store.resources.flatMap((resource) => store.list(resource).map((each) => [resource, each] as const));
  return Object.fromEntries(
    entries.map(([resource, object]) => [
      `${resource} ${object.metadata.namespace ?? ''}/${object.metadata.name}`,
      object,
    ]),
  );
}

async function withMemcached(clock: VirtualClock) {
  const first = start(clock);
  await clock.advance(0);
  await first.cluster.apply(crds, Memcached.crd(), { fieldManager, force: true });
  await clock.advance(0);
  const owner = await first.cluster.create(
    Memcached,
    {
      apiVersion: Memcached.apiVersion,
      kind: 'Memcached',
      metadata: { name: 'cache', namespace: 'default' },
      spec: { size: 2 },
    },
    { fieldManager },
  );
  const { apiVersion, kind, metadata } = owner;
  const labels = { app: 'cache' };
  await first.cluster.create(
    Deployment,
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: {
        name: 'cache',
        namespace: 'default',
        ownerReferences: [{ apiVersion, kind, name: 'cache', uid: metadata.uid, controller: true }],
      },
      spec: {
        replicas: 2,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } },
      },
    },
    { fieldManager },
  );
  await clock.advance(10_000);
  return first;
}

describe('a cluster that goes on from a saved state', () => {
  it('changes nothing of what was there: uids, versions, owners, status', async () => {
    const clock = new VirtualClock();
    const { server } = await withMemcached(clock);
    const before = everythingIn(server);
    server.stop();

    const again = start(clock, { state: savedOf(server) });
    await clock.advance(60_000);

    expect(everythingIn(again.server)).toEqual(before);
    expect(again.server.store.revision).toBe(server.store.revision);
    expect(Object.keys(before).filter((name) => name.startsWith('pods '))).toHaveLength(2);
  });

  it('serves custom kinds at once, and applies their schema', async () => {
    const clock = new VirtualClock();
    const { server } = await withMemcached(clock);
    server.stop();

    const { cluster } = start(clock, { state: savedOf(server) });

    expect((await cluster.get(Memcached, { namespace: 'default', name: 'cache' }))['spec']).toMatchObject({ size: 2 });
    const patch = { type: 'merge', body: { spec: { size: 11 } } } as const;
    await expect(
      cluster.patch(Memcached, { namespace: 'default', name: 'cache' }, patch, { fieldManager }),
    ).rejects.toThrow('less than or equal to 10');
  });

  it('lets its controllers go on where they were', async () => {
    const clock = new VirtualClock();
    const { server, cluster: before } = await withMemcached(clock);
    const scale = { type: 'merge', body: { spec: { replicas: 3 } } } as const;
    await before.patch(Deployment, { namespace: 'default', name: 'cache' }, scale, { fieldManager });
    server.stop();

    const { cluster } = start(clock, { state: savedOf(server) });
    await clock.advance(10_000);
    const pods = await cluster.list(Pod, { namespace: 'default' });
    expect(pods.items.map((pod) => (pod['status'] as { phase: string }).phase)).toEqual(Array(3).fill('Running'));

    await cluster.delete(Memcached, { namespace: 'default', name: 'cache' });
    await clock.advance(60_000);
    expect((await cluster.list(Deployment, {})).items).toEqual([]);
    expect((await cluster.list(Pod, {})).items).toEqual([]);
  });

  it('knows the tokens that it gave', async () => {
    const clock = new VirtualClock();
    const { server } = await withMemcached(clock);
    const account = server.store.get('serviceaccounts', 'default', 'default')!;
    const token = server.desk.tokens.issue(account, { audiences: [server.desk.tokens.issuer], expirationSeconds: 600 });
    server.stop();

    const { tokens } = start(clock, { state: savedOf(server) }).server.desk;
    expect(tokens.authenticate(`Bearer ${token}`).name).toBe('system:serviceaccount:default:default');
    await clock.advance(700_000);
    expect(tokens.review(token)).toEqual({ problem: '[invalid bearer token, service account token has expired]' });
  });

  it('gives no two objects one version, though changes were lost with the process', async () => {
    const clock = new VirtualClock();
    const { server, cluster } = await withMemcached(clock);
    const saved = savedOf(server, false);
    const put = (each: typeof cluster, name: string) =>
      each.create(
        ConfigMap,
        { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'default' } },
        { fieldManager },
      );
    const lost = await put(cluster, 'lost');
    server.stop();

    const again = start(clock, { state: saved }).cluster;
    const kept = await put(again, 'kept');

    expect(Number(kept.metadata.resourceVersion)).toBeGreaterThan(Number(lost.metadata.resourceVersion));
    const watch = again.watch(ConfigMap, { resourceVersion: lost.metadata.resourceVersion });
    await expect(watch[Symbol.asyncIterator]().next()).rejects.toMatchObject({ name: 'GoneError' });
  });

  it('finds its namespaces where there are no controllers', async () => {
    const clock = new VirtualClock();
    const { server } = start(clock, { controllers: false });
    await clock.advance(0);
    const before = everythingIn(server);
    server.stop();
    expect(everythingIn(start(clock, { controllers: false, state: savedOf(server) }).server)).toEqual(before);
  });

  it('holds ten thousand objects', async () => {
    const clock = new VirtualClock();
    const { server, cluster } = start(clock);
    await clock.advance(0);
    for (let index = 0; index < 10_000; index++) {
      await cluster.create(
        ConfigMap,
        {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { name: `c${index}`, namespace: 'default' },
          data: { value: 'x'.repeat(200) },
        },
        { fieldManager },
      );
    }
    server.stop();
    const before = everythingIn(server);

    const again = start(clock, { state: savedOf(server) });

    expect(everythingIn(again.server)).toEqual(before);
    expect((await again.cluster.list(ConfigMap, { namespace: 'default', limit: 3 })).items).toHaveLength(3);
  });
});
