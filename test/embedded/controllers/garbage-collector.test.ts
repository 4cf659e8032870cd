import { describe, expect, it } from '@jest/globals';
import { ClusterRole, ConfigMap, Deployment, Pod, ReplicaSet, Secret } from '../../../imports/k8s.js';
import { customKind } from '../../../src/embedded/custom/custom-kind.js';
import type { KubeObject, OwnerReference } from '../../../src/kube/manifest.js';
import { SmallWorld, workload } from './small-world.js';

function ownedBy(owner: KubeObject, more: Partial<OwnerReference> = {}): OwnerReference {
  const { apiVersion, kind, metadata } = owner;
  return { apiVersion, kind, name: metadata.name, uid: metadata.uid, ...more };
}

const target = (name: string) => ({ namespace: 'default', name });

async function family(more: Partial<OwnerReference> = {}) {
  const world = new SmallWorld();
  const owner = await world.create(ConfigMap, { metadata: { name: 'owner' } });
  const child = await world.create(ConfigMap, { metadata: { name: 'child', ownerReferences: [ownedBy(owner, more)] } });
  const grandchild = await world.create(Secret, {
    metadata: { name: 'grandchild', ownerReferences: [ownedBy(child)] },
  });
  await world.settle();
  return { world, owner, child, grandchild };
}

const Thing = { apiVersion: 'example.com/v1', kind: 'Thing', plural: 'things', namespaced: true };
const definitions = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  namespaced: false,
};
const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
const definition = {
  apiVersion: definitions.apiVersion,
  kind: definitions.kind,
  metadata: { name: 'things.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { kind: 'Thing', listKind: 'ThingList', plural: 'things', singular: 'thing' },
    versions: [{ name: 'v1', served: true, storage: true, schema }],
  },
};

async function left(world: SmallWorld): Promise<readonly string[]> {
  const all = [...(await world.names(ConfigMap)), ...(await world.names(Secret))];
  return all.filter((name) => name !== 'kube-root-ca.crt');
}

describe('the garbage collector', () => {
  it('deletes in the background what lost its owner, down to the last', async () => {
    const { world } = await family();
    await world.cluster.delete(ConfigMap, target('owner'), { propagationPolicy: 'Background' });
    expect(await left(world)).toEqual(['child', 'grandchild']);
    await world.settle();
    expect(await left(world)).toEqual([]);
  });

  it('deletes an owner in the foreground after those that block it', async () => {
    const { world } = await family({ blockOwnerDeletion: true });
    await world.patch(ConfigMap, 'child', { metadata: { finalizers: ['example.com/hold'] } });
    await world.cluster.delete(ConfigMap, target('owner'), { propagationPolicy: 'Foreground' });
    await world.settle();
    const owner = await world.get(ConfigMap, 'owner');
    expect(owner.metadata.finalizers).toEqual(['foregroundDeletion']);
    expect((await world.get(ConfigMap, 'child')).metadata.deletionTimestamp).toBeDefined();
    await world.patch(ConfigMap, 'child', { metadata: { finalizers: null } });
    await world.settle();
    expect(await left(world)).toEqual([]);
  });

  it('does not wait in the foreground for those that do not block', async () => {
    const { world } = await family();
    await world.patch(ConfigMap, 'child', { metadata: { finalizers: ['example.com/hold'] } });
    await world.cluster.delete(ConfigMap, target('owner'), { propagationPolicy: 'Foreground' });
    await world.settle();
    expect(await world.names(ConfigMap)).not.toContain('owner');
    expect((await world.get(ConfigMap, 'child')).metadata.deletionTimestamp).toBeDefined();
  });

  it('orphans when asked', async () => {
    const { world } = await family();
    await world.cluster.delete(ConfigMap, target('owner'), { propagationPolicy: 'Orphan' });
    await world.settle();
    expect(await left(world)).toEqual(['child', 'grandchild']);
    expect((await world.get(ConfigMap, 'child')).metadata.ownerReferences).toBeUndefined();
  });

  it('keeps what has an owner left, without the reference to the one that went', async () => {
    const { world, owner } = await family();
    const other = await world.create(ConfigMap, { metadata: { name: 'other' } });
    await world.create(Secret, { metadata: { name: 'shared', ownerReferences: [ownedBy(owner), ownedBy(other)] } });
    await world.settle();
    await world.cluster.delete(ConfigMap, target('owner'));
    await world.settle();
    expect((await world.get(Secret, 'shared')).metadata.ownerReferences).toEqual([ownedBy(other)]);
    await world.cluster.delete(ConfigMap, target('other'));
    await world.settle();
    expect(await left(world)).toEqual([]);
  });

  it.each<[string, Partial<OwnerReference>, boolean]>([
    ['of another uid', { uid: 'b7d9a3f0-0000-4000-8000-000000000000' }, false],
    ['of a name that is not there', { name: 'nobody' }, false],
    ['of a kind that is not served', { apiVersion: 'example.com/v1', kind: 'Nothing' }, true],
  ])('judges an owner %s', async (_, more, stays) => {
    const world = new SmallWorld();
    const owner = await world.create(ConfigMap, { metadata: { name: 'owner' } });
    await world.create(Secret, { metadata: { name: 'child', ownerReferences: [ownedBy(owner, more)] } });
    await world.settle();
    expect((await world.names(Secret)).includes('child')).toBe(stays);
  });

  it('looks for an owner in the namespace of the dependent, and says so where it is in another', async () => {
    const world = new SmallWorld();
    const owner = await world.create(ConfigMap, { metadata: { name: 'owner', namespace: 'kube-public' } });
    await world.create(Secret, { metadata: { name: 'child', ownerReferences: [ownedBy(owner)] } });
    await world.create(ClusterRole, { metadata: { name: 'wide', ownerReferences: [ownedBy(owner)] }, rules: [] });
    await world.settle();
    expect(await world.names(Secret)).not.toContain('child');
    expect(await world.names(ClusterRole)).toContain('wide');
    const events = world.server.store.list('events').filter((event) => event['reason'] === 'OwnerRefInvalidNamespace');
    expect(events).toHaveLength(2);
  });

  it('lets a cluster-scoped owner own what is in namespaces', async () => {
    const world = new SmallWorld();
    const owner = await world.create(ClusterRole, { metadata: { name: 'owner' }, rules: [] });
    await world.create(Secret, { metadata: { name: 'child', ownerReferences: [ownedBy(owner)] } });
    await world.settle();
    expect(await world.names(Secret)).toEqual(['child']);
    await world.cluster.delete(ClusterRole, { name: 'owner' });
    await world.settle();
    expect(await world.names(Secret)).toEqual([]);
  });

  it('takes custom resources as owners and as dependents, also when their kind comes later', async () => {
    const world = new SmallWorld();
    const orphan = {
      apiVersion: Thing.apiVersion,
      kind: Thing.kind,
      name: 'nobody',
      uid: 'b7d9a3f0-0000-4000-8000-000000000000',
    };
    await world.create(Secret, { metadata: { name: 'early', ownerReferences: [orphan] } });
    await world.settle();
    expect(await world.names(Secret)).toEqual(['early']);
    world.server.kinds.serve(customKind(definition as never, 'v1'));
    const owner = await world.create(Thing, { metadata: { name: 'owner' } });
    await world.create(Thing, { metadata: { name: 'child', ownerReferences: [ownedBy(owner)] } });
    await world.settle();
    expect(await world.names(Secret)).toEqual([]);
    await world.cluster.delete(Thing, target('owner'), { propagationPolicy: 'Foreground' });
    await world.settle();
    expect(await world.names(Thing)).toEqual([]);
  });

  it('deletes what belonged to the objects of a definition that goes with them', async () => {
    const world = new SmallWorld();
    await world.create(definitions, definition);
    await world.settle();
    const owner = await world.create(Thing, { metadata: { name: 'owner' } });
    await world.create(Secret, { metadata: { name: 'child', ownerReferences: [ownedBy(owner)] } });
    await world.cluster.delete(definitions, definition.metadata);
    await world.settle();
    expect(await world.names(Secret)).toEqual([]);
  });

  it('deletes what was stored in a version that is no longer served', async () => {
    const world = new SmallWorld();
    const [v1] = definition.spec.versions;
    const versions = (isOldServed: boolean) => [
      { ...v1, served: isOldServed, storage: false },
      { ...v1, name: 'v2' },
    ];
    await world.create(definitions, definition);
    await world.settle();
    const owner = await world.create(Secret, { metadata: { name: 'owner' } });
    await world.create(Thing, { metadata: { name: 'child', ownerReferences: [ownedBy(owner)] } });
    for (const isServed of [true, false])
      await world.patch(definitions, 'things.example.com', { spec: { versions: versions(isServed) } });
    await world.cluster.delete(Secret, target('owner'));
    await world.settle();
    expect(await world.names({ ...Thing, apiVersion: 'example.com/v2' })).toEqual([]);
  });

  it('frees two that own one another and are deleted in the foreground', async () => {
    const world = new SmallWorld();
    const one = await world.create(ConfigMap, { metadata: { name: 'one' } });
    const two = await world.create(ConfigMap, {
      metadata: { name: 'two', ownerReferences: [ownedBy(one, { blockOwnerDeletion: true })] },
    });
    const back = [ownedBy(two, { blockOwnerDeletion: true })];
    await world.patch(ConfigMap, 'one', { metadata: { ownerReferences: back } });
    await world.cluster.delete(ConfigMap, target('one'), { propagationPolicy: 'Foreground' });
    await world.settle();
    expect(await left(world)).toEqual([]);
  });

  it.each(['Foreground', 'Background'] as const)(
    'takes a Deployment with its ReplicaSet and Pods in the %s',
    async (policy) => {
      const world = new SmallWorld();
      await world.create(Deployment, workload('web', { replicas: 2 }));
      await world.settle();
      await world.cluster.delete(Deployment, target('web'), { propagationPolicy: policy });
      await world.settle();
      for (const kind of [Deployment, ReplicaSet, Pod]) expect(await world.names(kind)).toEqual([]);
    },
  );

  it('takes ten thousand dependents of one owner', async () => {
    const world = new SmallWorld();
    const owner = await world.create(ConfigMap, { metadata: { name: 'owner' } });
    const ownerReferences = [ownedBy(owner)];
    for (let index = 0; index < 10_000; index++) {
      await world.create(Secret, { metadata: { name: `child-${index}`, ownerReferences } });
    }
    await world.cluster.delete(ConfigMap, target('owner'), { propagationPolicy: 'Foreground' });
    await world.settle();
    expect(await left(world)).toEqual([]);
  });
});
