import { beforeAll, expect, it } from '@jest/globals';
import { ConfigMap, Secret } from '../../imports/k8s.js';
import { lookForDrift } from '../../src/cli/drift/look-for-drift.js';
import { customResource, one, operator, s } from '../../src/index.js';
import { systemClock } from '../../src/kube/clock.js';
import { onEveryCluster } from '../cluster/on-real-cluster.js';
import { Stage } from '../cluster/stage.js';

const kindOf = (kind: string, namespaced = true) =>
  customResource({
    group: 'looks.example.com',
    version: 'v1',
    kind,
    namespaced,
    spec: s.object({ places: s.array(s.string(), { default: [] }) }),
  });
const [Near, Far, Wide] = [kindOf('Near'), kindOf('Far'), kindOf('Wide', false)];

const Kept = customResource({
  group: 'looks.example.com',
  version: 'v1',
  kind: 'Kept',
  spec: s.object({
    places: s.array(s.string(), { default: [] }),
    policy: s.enum(['Delete', 'Orphan'], { default: 'Orphan' }),
  }),
});

const near = operator(Near, {
  owns: [ConfigMap],
  compose(scope) {
    new ConfigMap(scope, 'near', {});
  },
});
const far = operator(Far, {
  owns: [ConfigMap],
  reach: 'cluster',
  reads: { neighbour: one(Near, () => ({ name: 'other', namespace: 'shop' })) },
  compose(scope, { spec }) {
    for (const namespace of spec.places) new ConfigMap(scope, `in-${namespace}`, { metadata: { namespace } });
  },
});
const wide = operator(Wide, {
  owns: [ConfigMap],
  compose(scope, { spec }) {
    for (const namespace of spec.places) new ConfigMap(scope, `in-${namespace}`, { metadata: { namespace } });
  },
});

/** What it made stays when it is composed no more, which no child says itself. */
const kept = operator(Kept, {
  owns: [ConfigMap],
  reach: 'cluster',
  removal: '.spec.policy',
  allowEmpty: true,
  compose(scope, { spec }) {
    for (const namespace of spec.places) new ConfigMap(scope, `kept-${namespace}`, { metadata: { namespace } });
  },
});

const cache = { namespace: 'prod', name: 'cache' };

onEveryCluster('kilter drift of children in other namespaces', {}, (plane) => {
  const stage = new Stage(plane, [Near.crd(), Far.crd(), Wide.crd(), Kept.crd()]);

  beforeAll(async () => {
    for (const name of ['prod', 'shop', 'yard']) await stage.namespace(name);
    await stage.start([near, far, wide, kept]);
    const all = [
      [Near, cache, {}],
      [Near, { namespace: 'shop', name: 'other' }, {}],
      [Far, cache, { places: ['shop', 'yard'] }],
      [Wide, 'all', { places: ['shop'] }],
      [Kept, cache, { places: ['shop'] }],
    ] as const;
    for (const [kind, named, spec] of all) {
      await stage.wish(kind, named, spec);
      await stage.settled(kind, named);
    }
    await stage.quiet();
    // From now on nobody puts anything back.
    await stage.stop();
  });

  const look = async (options: Partial<Parameters<typeof lookForDrift>[0]> = {}) => {
    const given = { cluster: stage.admin, operators: [near, far, wide], clock: systemClock, ...options };
    const { rows, problems } = await lookForDrift(given);
    expect(problems).toEqual([]);
    return rows.map(({ customResource, child, mode }) => `${customResource} ${child} ${mode}`);
  };

  it.each([
    ['all operators', [near, far, wide]],
    ['the operators in another order', [wide, far, near]],
    ['an operator alone that reaches further', [far]],
    ['an operator alone of what is in no namespace', [wide]],
  ])('finds none in one namespace where there is none, for %s', async (_, operators) => {
    expect(await look({ operators, namespace: 'prod' })).toEqual([]);
    expect(await look({ operators })).toEqual([]);
  });

  it.each(['prd', 'A B'])(
    'takes the namespace %s, which there is not, for no namespace without drift',
    async (namespace) => {
      await expect(look({ namespace })).rejects.toMatchObject({
        message: `there is no namespace ${namespace}`,
        hint: '"kubectl get namespaces" lists those that there are',
      });
      expect(await look({ namespace: 'default' })).toEqual([]);
    },
  );

  it('looks at what is in no namespace where that is named, whatever the namespace', async () => {
    const only = { resource: Wide, name: 'all' };
    expect(await look({ only, namespace: 'prod' })).toEqual([]);
    await stage.admin.delete(ConfigMap, { namespace: 'shop', name: 'all-in-shop' });
    expect(await look({ only, namespace: 'prod' })).toEqual(['Wide/all ConfigMap/shop/all-in-shop enforce']);
    expect(await look({ namespace: 'prod' })).toEqual([]);
    expect(await look({ namespace: 'shop' })).toEqual([]);
    expect(await look()).toEqual(['Wide/all ConfigMap/shop/all-in-shop enforce']);
  });

  it('shows custom resources of that namespace alone, also where others are read', async () => {
    await stage.admin.delete(ConfigMap, { namespace: 'shop', name: 'other-near' });
    const missing = ['Near/shop/other ConfigMap/shop/other-near enforce'];
    expect(await look({ operators: [near, far], namespace: 'prod' })).toEqual([]);
    expect(await look({ operators: [near, far], namespace: 'shop' })).toEqual(missing);
    expect(await look({ operators: [near, far] })).toEqual(missing);
  });

  it('tells of what an author throws, or gets wrong, as the controller does: where it was, and what to do', async () => {
    const problemOf = async (compose: (scope: never) => void) => {
      const wrong = operator(Near, { name: 'near', owns: [ConfigMap], compose });
      const given = { cluster: stage.admin, operators: [wrong], clock: systemClock, namespace: 'prod' };
      return (await lookForDrift(given)).problems;
    };
    expect(
      await problemOf(() => {
        throw new Error('no paper');
      }),
    ).toEqual([
      expect.stringMatching(
        /^Near\/prod\/cache: compose of Near\/prod\/cache threw: no paper; it was thrown at drift-reach\.test\.ts:\d+:\d+$/,
      ),
    ]);
    expect(
      await problemOf((scope) => {
        new Secret(scope, 'key', {});
      }),
    ).toEqual([expect.stringMatching(/does not own Secret \(v1\); add it to owns$/)]);
  });

  it('takes no copy of a child for one that is to be pruned', async () => {
    const { labels } = (await stage.get(ConfigMap, { namespace: 'shop', name: 'cache-in-shop' })).metadata;
    expect(labels).toHaveProperty(['looks.example.com/owner-uid']);
    await stage.create(ConfigMap, { metadata: { namespace: 'yard', name: 'a-copy', labels } });
    expect(await look({ operators: [far] })).toEqual([]);
  });

  it('tells that what is in the way is of a custom resource that is being deleted, whatever the namespace', async () => {
    const rival = { namespace: 'shop', name: 'rival' };
    await stage.create(Far, { metadata: { ...rival, finalizers: ['example.com/stays'] }, spec: {} });
    const { uid } = (await stage.get(Far, rival)).metadata;
    const owner = { apiVersion: Far.apiVersion, kind: 'Far', name: 'rival', uid, controller: true };
    await stage.create(ConfigMap, {
      metadata: { namespace: 'shop', name: 'late-in-shop', ownerReferences: [owner] },
    });
    await stage.wish(Far, { namespace: 'prod', name: 'late' }, { places: ['shop'] });
    const said = async () => {
      const given = { cluster: stage.admin, operators: [far], clock: systemClock, namespace: 'prod' };
      return (await lookForDrift(given)).problems;
    };
    const words = 'Far/prod/late: ConfigMap/shop/late-in-shop is not ours: it exists, and belongs to Far/rival';
    expect(await said()).toEqual([
      expect.stringMatching(`^${words}; give the child another name, or delete Far/rival`),
    ]);
    await stage.admin.delete(Far, rival);
    expect(await said()).toEqual([expect.stringMatching(`^${words}, which is being deleted`)]);
    await stage.admin.patch(
      Far,
      rival,
      { type: 'merge', body: { metadata: { finalizers: null } } },
      { fieldManager: 't' },
    );
    await stage.admin.delete(Far, { namespace: 'prod', name: 'late' });
    await stage.admin.delete(ConfigMap, { namespace: 'shop', name: 'late-in-shop' }).catch(() => {});
  });

  it('shows nothing of what its custom resource keeps, and all of it once that says otherwise', async () => {
    await stage.wish(Kept, cache, { places: [] });
    expect(await look({ operators: [kept] })).toEqual([]);
    await stage.wish(Kept, cache, { places: [], policy: 'Delete' });
    expect(await look({ operators: [kept] })).toEqual(['Kept/prod/cache ConfigMap/shop/cache-kept-shop enforce']);
  });

  it('shows what would be pruned as enforced, but not where that is doubted', async () => {
    await stage.wish(Far, cache, { places: ['shop'] });
    expect(await look({ operators: [far] })).toEqual(['Far/prod/cache ConfigMap/yard/cache-in-yard enforce']);
    const both = (mode: string) =>
      ['yard', 'shop'].map((at) => `Far/prod/cache ConfigMap/${at}/cache-in-${at} ${mode}`);
    await stage.wish(Far, cache, { places: [] });
    expect(await look({ operators: [far] })).toEqual(both('report'));
    await stage.wish(Far, cache, { places: [] }, { 'looks.example.com/allow-empty': 'true' });
    expect(await look({ operators: [far] })).toEqual(both('enforce'));
  });
});
