import { beforeAll, beforeEach, expect, it } from '@jest/globals';
import { ClusterRole, ConfigMap, Secret } from '../../imports/k8s.js';
import { customResource, operator, s } from '../../src/index.js';
import type { ApiResource } from '../../src/kube/api-resource.js';
import { eventually } from '../cluster/eventually.js';
import { onEveryCluster } from '../cluster/on-real-cluster.js';
import { type CommonStatus, Stage } from '../cluster/stage.js';

const kindOf = (kind: string) =>
  customResource({
    group: 'far.example.com',
    version: 'v1',
    kind,
    spec: s.object({ places: s.array(s.string(), { default: [] }), role: s.boolean({ default: false }) }),
  });
const [Site, Shared] = [kindOf('Site'), kindOf('Shared')];
const siteOf = (kind: typeof Site, reach: 'cluster' | 'consent') =>
  operator(kind, {
    owns: [ConfigMap, Secret, ClusterRole],
    reach,
    compose(scope, { spec }) {
      new ConfigMap(scope, 'near', {});
      for (const namespace of spec.places) new Secret(scope, `in-${namespace}`, { metadata: { namespace } });
      if (spec.role) new ClusterRole(scope, 'role', { rules: [] });
    },
  });

type FarStatus = CommonStatus & { readonly inventory?: { readonly entries: readonly { readonly id: string }[] } };

onEveryCluster('children that no owner reference reaches', { controllerManager: true, audit: true }, (plane) => {
  const stage = new Stage(plane, [Site.crd(), Shared.crd()]);
  const operators = [siteOf(Site, 'cluster'), siteOf(Shared, 'consent')];
  let number = 0;
  let home = '';
  beforeAll(async () => {
    for (const name of ['a', 'b', 'c']) await stage.namespace(name);
    await stage.start(operators);
  });
  beforeEach(async () => {
    home = `home-${number++}`;
    await stage.namespace(home);
  });

  const blog = () => ({ namespace: home, name: `blog-${home}` });
  const places = async () => {
    const { items } = await stage.admin.list(Secret, { fieldSelector: `type=Opaque` });
    return items
      .filter(({ metadata }) => metadata.name.startsWith(`blog-${home}-`))
      .map(({ metadata }) => metadata.namespace);
  };
  const role = async () =>
    (await stage.admin.list(ClusterRole, { fieldSelector: `metadata.name=blog-${home}-role` })).items.length;
  const inventory = async () =>
    (await stage.status<FarStatus>(Site, blog())).inventory?.entries.map(({ id }) => id.replaceAll(`-${home}`, ''));
  const isGone = (kind: ApiResource) =>
    eventually(async () => expect((await stage.admin.list(kind, { namespace: home })).items).toEqual([]), 60);

  it('are made everywhere, kept track of, put back and pruned', async () => {
    await stage.wish(Site, blog(), { places: ['a', 'b'], role: true });
    await eventually(async () =>
      expect(await inventory()).toEqual([
        'a_blog-in-a__Secret',
        'b_blog-in-b__Secret',
        '_blog-role_rbac.authorization.k8s.io_ClusterRole',
      ]),
    );
    await eventually(async () => expect([await places(), await role()]).toEqual([['a', 'b'], 1]));
    const secret = { namespace: 'a', name: `blog-${home}-in-a` };
    await stage.admin.delete(Secret, secret);
    await eventually(() => stage.get(Secret, secret));
    await stage.change(Secret, secret, { metadata: { labels: { 'far.example.com/owner-name': 'somebody' } } });
    await eventually(async () =>
      expect((await stage.get(Secret, secret)).metadata.labels?.['far.example.com/owner-name']).toBe(`blog-${home}`),
    );
    await stage.wish(Site, blog(), { places: ['b'] });
    await eventually(async () => expect([await places(), await role()]).toEqual([['b'], 0]));
    await eventually(async () => expect(await inventory()).toEqual(['b_blog-in-b__Secret']));
  });

  it('are written to neither at rest nor by a controller that starts anew', async () => {
    await stage.wish(Site, blog(), { places: ['a', 'b'], role: true });
    await eventually(async () => expect([await places(), await role()]).toEqual([['a', 'b'], 1]));
    await stage.settled(Site, blog());
    await stage.quiet();
    const writes = await stage.writesDuring(async () => {
      await stage.stop();
      await stage.start(operators);
      await stage.quiet();
    });
    expect(writes).toEqual([]);
  });

  it('go with their custom resource, the last one first, each when the one before is gone', async () => {
    await stage.wish(Site, blog(), { places: ['a', 'b', 'c'], role: true });
    await eventually(async () => expect([await places(), await role()]).toEqual([['a', 'b', 'c'], 1]));
    await stage.settled(Site, blog());
    const held = { namespace: 'b', name: `blog-${home}-in-b` };
    await stage.change(Secret, held, { metadata: { finalizers: ['x.example.com/y'] } });
    await stage.admin.delete(Site, blog());
    await eventually(async () =>
      expect(await stage.condition(Site, blog())).toMatchObject({
        reason: 'Deleting',
        message: `Secret/b/blog-${home}-in-b is being deleted, held by x.example.com/y`,
      }),
    );
    expect([await places(), await role()]).toEqual([['a', 'b'], 0]);
    await stage.change(Secret, held, { metadata: { finalizers: null } });
    await eventually(async () => expect(await places()).toEqual([]));
    await isGone(Site);
  });

  it('wait for the consent of the namespace where they are to be, and go with their custom resource without it', async () => {
    const there = `there-${home}`;
    await stage.namespace(there);
    await stage.wish(Shared, blog(), { places: [there] });
    await eventually(async () =>
      expect(await stage.condition(Shared, blog())).toMatchObject({
        reason: 'ConsentMissing',
        message: expect.stringContaining(`annotate Namespace/${there} with kilter.dev/accept-from: ${home}`) as unknown,
      }),
    );
    expect(await places()).toEqual([]);
    await stage.namespace(there, { 'kilter.dev/accept-from': `x,${home}` });
    await eventually(async () => expect(await places()).toEqual([there]));
    await stage.namespace(there);
    await stage.admin.delete(Shared, blog());
    await eventually(async () => expect(await places()).toEqual([]));
    await isGone(Shared);
  });
});
