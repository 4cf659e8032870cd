import { beforeAll, beforeEach, expect, it } from '@jest/globals';
import { ConfigMap, Secret } from '../../imports/k8s.js';
import { customResource, operator, s } from '../../src/index.js';
import { eventually } from '../cluster/eventually.js';
import { onEveryCluster } from '../cluster/on-real-cluster.js';
import { type CommonStatus, Stage } from '../cluster/stage.js';

const kindOf = (kind: string) =>
  customResource({
    group: 'kept.example.com',
    version: 'v1',
    kind,
    spec: s.object({ place: s.string({ optional: true }), hasMore: s.boolean({ default: true }) }),
  });
const [Near, Far] = [kindOf('Near'), kindOf('Far')];
const operatorOf = (kind: typeof Near, reach: 'namespace' | 'cluster') =>
  operator(kind, {
    owns: [ConfigMap, Secret],
    reach,
    adopt: 'orphans',
    compose(scope, { spec }) {
      new ConfigMap(scope, 'map', { data: { a: '1' } });
      if (spec.hasMore) new ConfigMap(scope, 'more', {});
      if (spec.place !== undefined) new Secret(scope, 'secret', { metadata: { namespace: spec.place } });
    },
  });
const policy = 'kept.example.com/deletion-policy';
const orphan = { [policy]: 'orphan' };

onEveryCluster('a custom resource with a deletion policy', { controllerManager: true, audit: true }, (plane) => {
  const stage = new Stage(plane, [Near.crd(), Far.crd()]);
  const operators = [operatorOf(Near, 'namespace'), operatorOf(Far, 'cluster')];
  let number = 0;
  let home = { namespace: '', name: 'keeper' };
  beforeAll(async () => {
    await stage.namespace('afar');
    await stage.start(operators);
  });
  beforeEach(async () => {
    home = { namespace: `home-${number++}`, name: 'keeper' };
    await stage.namespace(home.namespace);
  });

  const map = (id = 'map') => stage.get(ConfigMap, { ...home, name: `keeper-${id}` });
  const maps = async () =>
    (await stage.admin.list(ConfigMap, { namespace: home.namespace })).items
      .map(({ metadata }) => metadata.name)
      .filter((name) => name.startsWith('keeper'));
  const secrets = async () =>
    (await stage.admin.list(Secret, { namespace: 'afar' })).items.filter(
      ({ metadata }) => metadata.name === 'keeper-secret',
    );
  const owners = async () => (await map()).metadata.ownerReferences ?? [];
  const inventory = async (kind: typeof Near) => {
    const { inventory: shown } = await stage.status<CommonStatus & { inventory?: { entries: object[] } }>(kind, home);
    return shown?.entries.length ?? 0;
  };
  const end = async (kind: typeof Near) => {
    await stage.admin.delete(kind, home);
    await eventually(
      async () => expect((await stage.admin.list(kind, { namespace: home.namespace })).items).toEqual([]),
      30,
    );
  };
  /** Until whatever collects garbage has looked: it has taken away what was to go. */
  const collected = async () => {
    const owner = await stage.create(ConfigMap, { metadata: { ...home, name: 'owner' } });
    const reference = { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: owner.metadata.uid };
    const probe = { ...home, name: 'probe' };
    await stage.create(ConfigMap, { metadata: { ...probe, ownerReferences: [reference] } });
    await stage.admin.delete(ConfigMap, { ...home, name: 'owner' });
    await eventually(
      async () =>
        expect(
          await stage.admin.list(ConfigMap, { namespace: home.namespace, fieldSelector: 'metadata.name=probe' }),
        ).toMatchObject({ items: [] }),
      60,
    );
  };

  it('orphan has children without owner references, prunes and corrects them, and leaves them when it goes', async () => {
    await stage.wish(Near, home, {}, { [policy]: 'Orphan' });
    await eventually(async () => expect(await maps()).toEqual(['keeper-map', 'keeper-more']));
    await stage.settled(Near, home);
    expect(await owners()).toEqual([]);
    expect((await stage.admin.get(Near, home)).metadata.finalizers).toBeUndefined();
    await stage.change(ConfigMap, { ...home, name: 'keeper-map' }, { data: { a: '2' } });
    await eventually(async () => expect((await map()).data).toEqual({ a: '1' }));
    await stage.wish(Near, home, { hasMore: false }, orphan);
    await eventually(async () => expect(await maps()).toEqual(['keeper-map']));
    await end(Near);
    await collected();
    expect(await maps()).toEqual(['keeper-map']);
  });

  it('may change its mind, either way, without making a child anew', async () => {
    await stage.wish(Near, home, {});
    await eventually(async () => expect(await owners()).toHaveLength(1));
    const { uid } = (await map()).metadata;
    await stage.wish(Near, home, {}, orphan);
    await eventually(async () => expect([await owners(), await inventory(Near)]).toEqual([[], 2]));
    await stage.wish(Near, home, {});
    await eventually(async () => expect([(await owners()).length, await inventory(Near)]).toEqual([1, 0]));
    expect((await map()).metadata.uid).toBe(uid);
    expect(Object.keys((await map()).metadata.labels ?? {}).filter((key) => key.startsWith('kept.'))).toEqual([]);
    await stage.quiet();
    expect(await stage.writesDuring(() => stage.quiet())).toEqual([]);
    await end(Near);
    await eventually(async () => expect(await maps()).toEqual([]), 60);
  });

  it('orphan leaves what is far away, too, and says nothing of itself there any more', async () => {
    await stage.wish(Far, home, { place: 'afar' }, orphan);
    await eventually(async () =>
      expect([await maps(), (await secrets()).length]).toEqual([['keeper-map', 'keeper-more'], 1]),
    );
    await stage.settled(Far, home);
    await end(Far);
    await collected();
    expect(await maps()).toEqual(['keeper-map', 'keeper-more']);
    const [left] = await secrets();
    expect(Object.keys(left?.metadata.labels ?? {}).filter((key) => key.startsWith('kept.'))).toEqual([]);
    // Whoever comes after may take them.
    await stage.wish(Far, home, { place: 'afar' });
    await eventually(async () => expect(await owners()).toHaveLength(1));
    await end(Far);
    await eventually(async () => expect([await maps(), await secrets()]).toEqual([[], []]), 60);
  });

  it('that means nothing is said to, and nothing is made', async () => {
    await stage.wish(Near, home, {}, { [policy]: 'retain' });
    await eventually(async () =>
      expect(await stage.condition(Near, home)).toMatchObject({
        reason: 'RenderFailed',
        message: `Near/${home.namespace}/keeper asks for the deletion policy "retain" in ${policy}; write delete or orphan, or remove the annotation`,
      }),
    );
    expect(await maps()).toEqual([]);
  });
});
