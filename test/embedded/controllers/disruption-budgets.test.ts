import { describe, expect, it } from '@jest/globals';
import {
  DaemonSet,
  Deployment,
  Pod,
  PodDisruptionBudget,
  type PodDisruptionBudgetObject,
  StatefulSet,
} from '../../../imports/k8s.js';
import type { ApiResource } from '../../../src/kube/api-resource.js';
import type { KubeObject } from '../../../src/kube/manifest.js';
import { podSpec, SmallWorld, workload } from './small-world.js';

const definitions: ApiResource = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  namespaced: false,
};
const Cache: ApiResource = { apiVersion: 'pdb.example.com/v1', kind: 'Cache', plural: 'caches', namespaced: true };
const Event: ApiResource = { apiVersion: 'v1', kind: 'Event', plural: 'events', namespaced: true };

function definition(subresources: object) {
  const names = { plural: Cache.plural, kind: Cache.kind };
  const openAPIV3Schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  const version = { name: 'v1', served: true, storage: true, subresources, schema: { openAPIV3Schema } };
  return {
    metadata: { name: 'caches.pdb.example.com' },
    spec: { group: 'pdb.example.com', scope: 'Namespaced', names, versions: [version] },
  };
}

const ownedBy = ({ metadata }: KubeObject, { apiVersion, kind }: ApiResource) => ({
  ownerReferences: [{ apiVersion, kind, name: metadata.name, uid: metadata.uid, controller: true }],
});

async function withCache(subresources: object = {}, spec: object = { size: 7 }) {
  const world = new SmallWorld();
  await world.create(definitions, definition(subresources));
  const cache = await world.create(Cache, { metadata: { name: 'cache' }, spec });
  const budget = { maxUnavailable: 1, selector: { matchLabels: { app: 'web' } } };
  await world.create(PodDisruptionBudget, { metadata: { name: 'web' }, spec: budget });
  const told = async () => {
    await world.settle();
    const events = (await world.list(Event)) as readonly (KubeObject & {
      type: string;
      reason: string;
      message: string;
    })[];
    const { status } = await world.get<PodDisruptionBudgetObject>(PodDisruptionBudget, 'web');
    const warnings = events.filter(({ type }) => type === 'Warning').map(({ reason, message }) => [reason, message]);
    return { status, warnings };
  };
  return { world, cache, told };
}

describe('a PodDisruptionBudget', () => {
  it.each([
    ['StatefulSet', StatefulSet],
    ['Deployment', Deployment],
  ])('counts the replicas of a %s, whoever owns that', async (_, resource) => {
    const { world, cache, told } = await withCache();
    const owned = workload('web', { replicas: 3 });
    await world.create(resource, { ...owned, metadata: { ...owned.metadata, ...ownedBy(cache, Cache) } });
    const { status, warnings } = await told();
    expect(status).toMatchObject({ expectedPods: 3, desiredHealthy: 2, currentHealthy: 3, disruptionsAllowed: 1 });
    expect(warnings).toEqual([]);
  });

  const pod = { spec: podSpec(), metadata: { name: 'web', labels: { app: 'web' } } };

  it('asks a custom resource that has Pods of its own how many there should be, where it can be scaled', async () => {
    const scale = { specReplicasPath: '.spec.size', statusReplicasPath: '.status.size' };
    const { world, cache, told } = await withCache({ scale });
    await world.create(Pod, { ...pod, metadata: { ...pod.metadata, ...ownedBy(cache, Cache) } });
    expect((await told()).status).toMatchObject({ expectedPods: 7, desiredHealthy: 6, disruptionsAllowed: 0 });
  });

  it.each<[string, object, object, string]>([
    ['cannot be scaled', {}, { replicas: 7 }, 'caches.pdb.example.com does not implement the scale subresource'],
    [
      'does not say how many',
      { scale: { specReplicasPath: '.spec.size', statusReplicasPath: '.status.size' } },
      {},
      'Internal error occurred: the spec replicas field ".spec.size" does not exist',
    ],
  ])('says why it cannot count the Pods of a custom resource that %s', async (_, subresources, spec, message) => {
    const { world, cache, told } = await withCache(subresources, spec);
    await world.create(Pod, { ...pod, metadata: { ...pod.metadata, ...ownedBy(cache, Cache) } });
    const { status, warnings } = await told();
    expect(status).toMatchObject({
      disruptionsAllowed: 0,
      conditions: [{ status: 'False', reason: 'SyncFailed', message }],
    });
    const said = `Failed to calculate the number of expected pods: ${message}`;
    expect(warnings).toEqual([['CalculateExpectedPodCountFailed', said]]);
  });

  it('says that it cannot count the Pods of a DaemonSet, which has no scale', async () => {
    const { world, told } = await withCache();
    await world.create(DaemonSet, workload('web'));
    const message = 'daemonsets.apps does not implement the scale subresource';
    expect((await told()).status).toMatchObject({ conditions: [{ reason: 'SyncFailed', message }] });
  });

  it('warns of Pods that nobody controls', async () => {
    const { world, told } = await withCache();
    await world.create(Pod, pod);
    const { status, warnings } = await told();
    expect(status).toMatchObject({ expectedPods: 0, disruptionsAllowed: 0 });
    expect(warnings).toEqual([
      [
        'UnmanagedPods',
        'Pods selected by this PodDisruptionBudget (selector: &LabelSelector{MatchLabels:map[string]string{app: web,},MatchExpressions:[]LabelSelectorRequirement{},}) were found to be unmanaged. As a result, the status of the PDB cannot be calculated correctly, which may result in undefined behavior. To account for these pods please set ".spec.minAvailable" field of the PDB to an integer value.',
      ],
    ]);
  });
});
