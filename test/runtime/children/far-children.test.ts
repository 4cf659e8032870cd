import { createHash } from 'node:crypto';
import { afterEach, describe, expect, it } from '@jest/globals';
import { ClusterRole, ConfigMap, Secret } from '../../../imports/k8s.js';
import { type Condition, customResource, type KubeObject, operator, s } from '../../../src/index.js';
import { matches } from '../../../src/testing/call.js';
import { startCluster, type TestCluster } from '../../../src/testing/index.js';
import { conditionIn } from '../../condition-in.js';

const Site = customResource({
  group: 'web.example.com',
  version: 'v1',
  kind: 'Site',
  spec: s.object({
    places: s.array(s.string(), { default: [] }),
    removal: s.string({ default: 'delete' }),
    role: s.boolean({ default: false }),
    near: s.boolean({ default: true }),
  }),
});

/** A ConfigMap in its own namespace, a Secret in each place, and a ClusterRole. */
const site = (reach: 'namespace' | 'consent' | 'cluster', allowEmpty = false) =>
  operator(Site, {
    owns: [ConfigMap, Secret, ClusterRole],
    reach,
    allowEmpty,
    compose(scope, { spec }) {
      const annotations = { 'kilter.dev/removal': spec.removal };
      if (spec.near) new ConfigMap(scope, 'near', { metadata: { annotations } });
      for (const namespace of spec.places)
        new Secret(scope, `in-${namespace}`, { metadata: { namespace, annotations } });
      if (spec.role) new ClusterRole(scope, 'role', { rules: [] });
    },
  });

const blog = (spec: object, annotations: Readonly<Record<string, string>> = {}) => ({
  apiVersion: Site.apiVersion,
  kind: Site.kind,
  metadata: { name: 'blog', annotations },
  spec,
});

describe('children that no owner reference reaches', () => {
  let cluster: TestCluster;
  afterEach(() => cluster.stop());

  const start = async (reach: 'namespace' | 'consent' | 'cluster', allowEmpty = false) => {
    cluster = await startCluster();
    const controller = await cluster.run(site(reach, allowEmpty));
    for (const name of ['a', 'b', 'c']) {
      await cluster.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    }
    return controller;
  };
  const apply = async (spec: object, annotations: Readonly<Record<string, string>> = {}) => {
    await cluster.apply(blog(spec, annotations));
    await cluster.settled();
  };
  const status = async () =>
    (
      (await cluster.get(Site, 'blog')) as unknown as KubeObject & {
        status: { conditions: Condition[]; inventory?: { entries: { id: string }[] } };
      }
    ).status;
  const ready = async () => conditionIn({ status: await status() });
  const inventory = async () => (await status()).inventory?.entries.map(({ id }) => id);
  const secrets = async () => (await cluster.list(Secret)).map(({ metadata }) => metadata.namespace);

  it.each([
    ['namespace', { places: ['a'] }, 'in namespace "a", but may only in its own, "default"'],
    ['namespace', { role: true }, 'but ClusterRole is cluster-scoped and out of its reach'],
    ['consent', { role: true }, 'but ClusterRole is cluster-scoped and out of its reach'],
    ['consent', { places: ['a/b'] }, 'in namespace "a/b", which is no name of a namespace'],
    ['cluster', { removal: 'keep' }, 'with kilter.dev/removal "keep", which means nothing'],
  ] as const)('with reach %s are refused for %j', async (reach, spec, message) => {
    await start(reach);
    await apply(spec);
    expect(await ready()).toMatchObject({
      reason: 'RenderFailed',
      message: expect.stringContaining(message) as unknown,
    });
    expect(await secrets()).toEqual([]);
  });

  it.each([
    ['delete', [], [], []],
    ['retain', ['a'], ['blog-near'], []],
    ['orphan', ['a'], ['blog-near'], ['a']],
  ])('and others with removal %s stay as it says', async (removal, left, near, leftInTheEnd) => {
    await start('cluster', true);
    await apply({ places: ['a'], removal });
    await apply({ near: false, removal });
    expect(await secrets()).toEqual(left);
    const nearOnes = await cluster.list(ConfigMap, { labelSelector: 'app.kubernetes.io/managed-by=site' });
    expect(nearOnes.map(({ metadata }) => metadata.name)).toEqual(near);
    await cluster.delete(Site, 'blog');
    await cluster.settled();
    expect(await secrets()).toEqual(leftInTheEnd);
    expect((await cluster.list(ConfigMap, { labelSelector: 'app.kubernetes.io/managed-by=site' })).length).toBe(
      leftInTheEnd.length,
    );
  });

  it('are not pruned while another child cannot be written', async () => {
    const controller = await start('cluster');
    await apply({ places: ['a', 'b'] });
    controller.faults.refuse({ verb: 'create', kind: 'Secret', namespace: 'c' }, { code: 403, times: 1000 });
    await cluster.apply(blog({ places: ['a', 'c'] }));
    await cluster.advance(1);
    expect(await secrets()).toContain('b');
    controller.faults.clear();
    await cluster.settled();
    expect(await secrets()).toEqual(['a', 'c']);
  });

  it('are found again when the answer to their creation was lost, and they are no longer wanted', async () => {
    const controller = await start('cluster');
    const letGo = controller.faults.holdWatch(Secret);
    controller.faults.loseAnswer({ verb: 'create', kind: 'Secret', namespace: 'a' });
    await cluster.apply(blog({ places: ['a'] }));
    await cluster.apply(blog({ places: ['b'] }));
    await cluster.advance(5);
    letGo();
    await cluster.settled();
    expect(await secrets()).toEqual(['b']);
    expect(await inventory()).toEqual(['b_blog-in-b__Secret']);
  });

  it.each([
    ['and they are no longer wanted', () => cluster.apply(blog({ places: ['b'] })), ['b']],
    ['and their custom resource is deleted', () => cluster.delete(Site, 'blog'), []],
  ])('are found again when the answer to their making anew was lost, %s', async (_, change, left) => {
    const controller = await start('cluster');
    await apply({ places: ['a'] });
    const creation = { verb: 'create', kind: 'Secret', namespace: 'a' } as const;
    controller.faults.loseAnswer(creation);
    let letGo = () => {};
    const stop = controller.faults.observe((call) => {
      // By then it has heard that the one before is gone.
      if (matches(creation, call)) letGo = controller.faults.holdWatch(Secret);
    });
    await cluster.delete(Secret, 'blog-in-a', { namespace: 'a' });
    stop();
    controller.faults.refuse({ verb: 'list', kind: 'Secret' }, { code: 404 });
    await change();
    await cluster.advance(20);
    expect(controller.faults.pending).toEqual([]);
    letGo();
    await cluster.settled();
    expect(await secrets()).toEqual(left);
    expect(await cluster.find(Site, 'blog')).toEqual(left.length === 0 ? undefined : expect.anything());
  });

  it('are all pruned by an empty composition only if somebody says that it is meant', async () => {
    await start('cluster');
    await apply({ places: ['a'] });
    await apply({ near: false });
    expect(await secrets()).toEqual(['a']);
    expect(await ready()).toMatchObject({
      reason: 'PruneSkipped',
      message: expect.stringContaining('annotate it with web.example.com/allow-empty: "true"') as unknown,
    });
    await apply({ near: false }, { 'web.example.com/allow-empty': 'true' });
    expect(await secrets()).toEqual([]);
    expect(await ready()).toMatchObject({ status: 'True' });
  });

  it('have a custom resource with a finalizer, and others have none', async () => {
    await start('cluster');
    await apply({});
    expect((await cluster.get(Site, 'blog')).metadata.finalizers).toBeUndefined();
    await apply({ places: ['a'] });
    expect((await cluster.get(Site, 'blog')).metadata.finalizers).toEqual(['web.example.com/finalizer']);
  });

  it('are not run by a controller that sees some namespaces alone', async () => {
    cluster = await startCluster();
    await expect(cluster.run(site('cluster'), { namespaces: ['a'] })).rejects.toThrow(
      'cannot be limited to namespaces',
    );
  });
});

const Fleet = customResource({
  group: 'fleet.example.com',
  version: 'v1',
  kind: 'Fleet',
  spec: s.object({ members: s.int32(), areAlike: s.boolean({ default: true }) }),
});
const places = Array.from({ length: 40 }, (_, index) => `team-${index}`);
const fleet = operator(Fleet, {
  owns: [ConfigMap],
  reach: 'cluster',
  compose(scope, { spec }) {
    for (let index = 0; index < spec.members; index++) {
      const hash = (salt: string) => createHash('sha512').update(`${salt}${index}`).digest('hex').slice(0, 120);
      const digits = spec.areAlike ? `${index}` : hash('a') + hash('b');
      const metadata = { namespace: places[index % places.length]!, name: `member-${digits}` };
      new ConfigMap(scope, `member-${index}`, { metadata });
    }
  },
});

describe('thousands of children that no owner reference reaches', () => {
  let cluster: TestCluster;
  afterEach(() => cluster.stop());

  const apply = (spec: object) =>
    cluster.apply({ apiVersion: Fleet.apiVersion, kind: 'Fleet', metadata: { name: 'all' }, spec });
  const members = async () =>
    (await cluster.list(ConfigMap, { labelSelector: 'fleet.example.com/owner-name=all' })).length;
  const start = async () => {
    cluster = await startCluster();
    for (const name of places) await cluster.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    return cluster.run(fleet);
  };

  it('are kept track of in little space, pruned, and go with their custom resource', async () => {
    const controller = await start();
    await apply({ members: 3000 });
    await cluster.settled();
    expect(await members()).toBe(3000);
    const { status } = (await cluster.get(Fleet, 'all')) as unknown as { status: { inventory: { packed: string } } };
    expect(status.inventory.packed.length).toBeLessThan(40_000);
    const writes = cluster.writes().length;
    controller.restart();
    await cluster.settled();
    expect(cluster.writes(writes)).toEqual([]);
    await apply({ members: 2900 });
    await cluster.settled();
    expect(await members()).toBe(2900);
    await cluster.delete(Fleet, 'all');
    await cluster.settled();
    expect(await members()).toBe(0);
    expect(await cluster.find(Fleet, 'all')).toBeUndefined();
  }, 240_000);

  it('that are more than a status holds are refused before the first of them is made', async () => {
    await start();
    await apply({ members: 7_000, areAlike: false });
    await cluster.settled();
    expect(conditionIn(await cluster.get(Fleet, 'all'), 'Stalled')?.message).toBe(
      'Fleet/default/all cannot have 7000 children outside of its namespace: their inventory is too long for its status; divide it into several custom resources',
    );
    expect(await members()).toBe(0);
    await apply({ members: 10 });
    await cluster.settled();
    expect(await members()).toBe(10);
  });
});
