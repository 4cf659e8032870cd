import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { ConfigMap } from '../../imports/k8s.js';
import { customResource, operator, s } from '../../src/index.js';
import type { KubeObject } from '../../src/kube/manifest.js';
import { controllerOf } from '../../src/kube/owner-reference.js';
import { startCluster, type TestCluster } from '../../src/testing/index.js';
import { conditionIn } from '../condition-in.js';

/** What nobody has becomes that of one custom resource, also where two ask for it in the same moment. */
const Claim = customResource({
  group: 'web.example.com',
  version: 'v1',
  kind: 'Claim',
  spec: s.object({ stays: s.boolean() }),
});
const claim = operator(Claim, {
  owns: [ConfigMap],
  adopt: 'orphans',
  compose(scope, { metadata, spec }) {
    const annotations = spec.stays ? { 'kilter.dev/removal': 'orphan' } : {};
    new ConfigMap(scope, 'page', { metadata: { name: 'page', annotations }, data: { by: metadata.name } });
  },
});

const ownerOf = (object: KubeObject) =>
  controllerOf(object)?.name ?? object.metadata.labels?.['web.example.com/owner-name'];

let cluster: TestCluster;
let owners: string[];
beforeEach(async () => {
  cluster = await startCluster();
  owners = [];
  cluster.server.store.listen(({ object }) => {
    const owner = object.metadata.name === 'page' ? ownerOf(object) : undefined;
    if (owner !== undefined && owner !== owners.at(-1)) owners.push(owner);
  });
});
afterEach(() => cluster.stop());

const nobodys = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'page' }, data: { by: 'nobody' } };
const called = (name: string, stays = false) => ({
  apiVersion: Claim.apiVersion,
  kind: Claim.kind,
  metadata: { name },
  spec: { stays },
});
const readiness = async () =>
  Object.fromEntries(
    (await cluster.list(Claim)).map((each) => [
      each.metadata.name,
      [conditionIn(each)?.status, conditionIn(each)?.reason].join(' '),
    ]),
  );

it.each(['kubectl', 'a-stranger'])(
  'of two that may adopt what %s wrote in one moment the first keeps it, and the other says whose it is',
  async (manager) => {
    await cluster.install(Claim.crd());
    await cluster.apply(nobodys, { manager });
    for (const name of ['a', 'b']) await cluster.apply(called(name));
    await cluster.run(claim);
    await cluster.settled();
    const [owner = ''] = owners;
    expect(owners).toEqual([owner]);
    expect((await cluster.get(ConfigMap, 'page')).data).toEqual({ by: owner });
    const other = owner === 'a' ? 'b' : 'a';
    expect(await readiness()).toEqual({
      [owner]: 'True ReconciliationSucceeded',
      [other]: 'False ApplyConflict',
    });

    await cluster.delete(Claim, owner);
    await cluster.settled();
    expect(await readiness()).toEqual({ [other]: 'True ReconciliationSucceeded' });
    expect((await cluster.get(ConfigMap, 'page')).data).toEqual({ by: other });
  },
);

it('a child that lost its owner is taken back, or is that of another, and never changes hands after that', async () => {
  await cluster.install(Claim.crd());
  await cluster.apply(nobodys);
  for (const name of ['a', 'b']) await cluster.apply(called(name));
  await cluster.run(claim);
  await cluster.settled();
  owners = [];
  await cluster.patch(ConfigMap, 'page', { metadata: { ownerReferences: null } });
  await cluster.settled();
  expect(owners).toHaveLength(1);
  expect((await cluster.get(ConfigMap, 'page')).data).toEqual({ by: owners[0] });
  const other = owners[0] === 'a' ? 'b' : 'a';
  expect((await readiness())[other]).toBe('False ApplyConflict');
});

it('what another has by its label by now is not taken back by whom it was', async () => {
  const controller = await cluster.run(claim);
  await cluster.apply(called('a'));
  await cluster.apply(called('b', true));
  await cluster.settled();
  expect(owners).toEqual(['a']);
  // Whose turn comes first cannot take it back at once.
  controller.faults.refuse({ verb: 'apply', kind: ConfigMap }, { code: 500 });
  await cluster.patch(ConfigMap, 'page', { metadata: { ownerReferences: null } });
  await cluster.settled();
  expect(controller.faults.pending).toEqual([]);
  const [owner = ''] = owners.slice(-1);
  expect(owners).toEqual(owner === 'a' ? ['a'] : ['a', 'b']);
  expect((await cluster.get(ConfigMap, 'page')).data).toEqual({ by: owner });
  expect((await readiness())[owner]).toBe('True ReconciliationSucceeded');
  expect((await readiness())[owner === 'a' ? 'b' : 'a']).toBe('False ApplyConflict');
});

it('what somebody changes just before it is adopted is adopted all the same', async () => {
  const controller = await cluster.run(claim);
  await cluster.apply(nobodys);
  let changes = 0;
  const end = controller.faults.observe(({ verb, kind }) => {
    if (verb === 'apply' && kind === 'ConfigMap' && changes < 3)
      void cluster.patch(ConfigMap, 'page', { data: { more: `${changes++}` } });
  });
  await cluster.apply(called('a'));
  await cluster.settled();
  end();
  expect(changes).toBe(3);
  expect(controllerOf(await cluster.get(ConfigMap, 'page'))?.name).toBe('a');
  expect(await readiness()).toEqual({ a: 'True ReconciliationSucceeded' });
});
