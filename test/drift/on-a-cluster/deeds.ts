import { InvalidError } from '../../../src/client/api-error.js';
import type { HttpCluster } from '../../../src/client/http-cluster.js';
import type { Manifest } from '../../../src/index.js';
import type { ApiResource } from '../../../src/kube/api-resource.js';

/** A child that others deal with: as it was sent, without its owner. */
export interface Child {
  readonly resource: ApiResource;
  readonly manifest: Manifest;
}

const someone = { fieldManager: 'someone' };
const odd = { type: 'Odd', status: 'True' };
const oddInFull = { ...odd, reason: 'Odd', message: 'odd', lastTransitionTime: '2026-01-01T00:00:00Z' };

/** What can be written of the status of a kind. */
const statuses: Readonly<Record<string, object>> = {
  Deployment: { conditions: [odd] },
  StatefulSet: { conditions: [odd] },
  DaemonSet: { conditions: [odd] },
  ReplicaSet: { conditions: [odd] },
  ReplicationController: { conditions: [odd] },
  Job: { conditions: [odd] },
  CronJob: { lastScheduleTime: '2026-01-01T00:00:00Z' },
  Pod: { conditions: [{ ...odd, type: 'example.com/odd' }] },
  Service: { conditions: [oddInFull] },
  Ingress: { loadBalancer: { ingress: [{ ip: '192.0.2.1' }] } },
  HorizontalPodAutoscaler: { currentReplicas: 1, desiredReplicas: 1 },
  PodDisruptionBudget: { conditions: [oddInFull] },
  PersistentVolumeClaim: { conditions: [{ ...odd, type: 'Resizing' }] },
  ResourceQuota: { used: { configmaps: '1' } },
  Namespace: { conditions: [odd] },
  PersistentVolume: { message: 'odd' },
  Widget: { phase: 'odd' },
};

/** Fields that somebody else may set and take back, where they are not declared. */
const spare: Readonly<Record<string, readonly (readonly [path: string, value: unknown])[]>> = {
  Deployment: [
    ['spec.replicas', 1],
    ['spec.progressDeadlineSeconds', 700],
  ],
  StatefulSet: [
    ['spec.replicas', 1],
    ['spec.minReadySeconds', 3],
  ],
  DaemonSet: [['spec.revisionHistoryLimit', 3]],
  ReplicaSet: [
    ['spec.replicas', 2],
    ['spec.minReadySeconds', 3],
  ],
  Job: [['spec.ttlSecondsAfterFinished', 999]],
  CronJob: [
    ['spec.startingDeadlineSeconds', 99],
    ['spec.concurrencyPolicy', 'Replace'],
  ],
  Service: [['spec.sessionAffinity', 'ClientIP']],
  ConfigMap: [['data.extra', 'theirs']],
  Secret: [['data.extra', 'dGhlaXJz']],
  ServiceAccount: [['automountServiceAccountToken', true]],
  HorizontalPodAutoscaler: [['spec.minReplicas', 2]],
  Ingress: [['spec.ingressClassName', 'theirs']],
  PodDisruptionBudget: [['spec.unhealthyPodEvictionPolicy', 'IfHealthyBudget']],
  Lease: [['spec.leaseTransitions', 5]],
  ResourceQuota: [['spec.hard.pods', '500']],
  StorageClass: [['allowVolumeExpansion', true]],
  PersistentVolume: [['spec.mountOptions', ['ro']]],
  Widget: [
    ['spec.note', 'theirs'],
    ['spec.nested', { deep: { flag: true } }],
  ],
  Gadget: [['spec.size', 5]],
};

/**
 * What others do to a child that takes nothing of what its operator declares. In this order: what one leaves behind the
 * next finds.
 */
export const deeds: Readonly<Record<string, (cluster: HttpCluster, child: Child) => Promise<unknown>>> = {
  async 'annotate and label it'(cluster, { resource, manifest }) {
    const body = {
      metadata: { annotations: { 'theirs.example.com/note': '☃' }, labels: { 'theirs.example.com/l': '' } },
    };
    await cluster.patch(resource, targetOf(manifest), { type: 'merge', body }, someone);
  },
  async 'write it back as they read it'(cluster, { resource, manifest }) {
    await persistently(async () => {
      await cluster.update(resource, await cluster.get(resource, targetOf(manifest)), someone);
    });
  },
  async 'apply the same, and own it too'(cluster, { resource, manifest }) {
    // The server takes its own spelling of their rules for another.
    if (resource.kind === 'ValidatingAdmissionPolicy') return;
    const stored = await cluster.get(resource, targetOf(manifest));
    const body = asStored(manifest, stored, resource.kind === 'Service' ? [...shared, 'ports'] : shared) as Manifest;
    await cluster.apply(resource, body, { fieldManager: 'someone-too', force: true });
  },
  async 'give up what they owned too'(cluster, { resource, manifest: { apiVersion, kind, metadata } }) {
    const { name, namespace } = metadata;
    const bare = { apiVersion, kind, metadata: { name, ...(namespace === undefined ? {} : { namespace }) } };
    await cluster.apply(resource, bare, { fieldManager: 'someone-too', force: true }).catch((error: unknown) => {
      // With what nobody declares a default would go that cannot be changed any more.
      if (!(error instanceof InvalidError)) throw error;
    });
  },
  async 'write its status'(cluster, { resource, manifest }) {
    const status = statuses[resource.kind];
    if (!status) return;
    const patch = { type: 'merge', body: { status } } as const;
    await cluster.patch(resource, targetOf(manifest), patch, { ...someone, subresource: 'status' });
  },
  async 'set what is not declared'(cluster, { resource, manifest }) {
    for (const [path, value] of spareOf(resource, manifest)) await merge(cluster, { resource, manifest }, path, value);
  },
  async 'reset what is not declared'(cluster, { resource, manifest }) {
    for (const [path] of spareOf(resource, manifest)) await merge(cluster, { resource, manifest }, path, null);
  },
  async 'take their annotations and labels away'(cluster, { resource, manifest }) {
    const body = {
      metadata: { annotations: { 'theirs.example.com/note': null }, labels: { 'theirs.example.com/l': null } },
    };
    await cluster.patch(resource, targetOf(manifest), { type: 'merge', body }, someone);
  },
};

function spareOf({ kind }: ApiResource, manifest: Manifest): readonly (readonly [path: string, value: unknown])[] {
  // Nobody may.
  if (manifest['immutable'] === true) return [];
  return (spare[kind] ?? []).filter(([path]) => valueAt(manifest, path) === undefined);
}

function merge(cluster: HttpCluster, { resource, manifest }: Child, path: string, value: unknown) {
  const body = path.split('.').reduceRight<unknown>((below, key) => ({ [key]: below }), value) as object;
  return cluster.patch(resource, targetOf(manifest), { type: 'merge', body }, someone);
}

export function valueAt(object: object, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((value, key) => (value as Readonly<Record<string, unknown>> | undefined)?.[key], object);
}

export function targetOf({ metadata: { name, namespace } }: Manifest) {
  return { name, ...(namespace === undefined ? {} : { namespace }) };
}

/** Lists whose items others than their author add to, and add fields to. */
const shared: readonly string[] = ['containers', 'initContainers', 'volumes', 'volumeMounts', 'env'];

/**
 * Maps that are owned as one. Who applies one of them without what has a default takes it from all others: the server
 * compares before it completes.
 */
const atomic: ReadonlySet<string> = new Set(['roleRef', 'fieldRef', 'resourceFieldRef']);

/** What a manifest says, in the server's spelling. Lists and references that have one owner are as the server has them. */
function asStored(manifest: unknown, stored: unknown, lists: readonly string[], name = ''): unknown {
  if (Array.isArray(manifest) && Array.isArray(stored)) {
    if (!lists.includes(name)) return stored;
    return manifest.map((item: unknown, index) => asStored(item, stored[index], lists));
  }
  // What the server chose, for whoever leaves it empty, is nobody's.
  if ((manifest === '' || manifest === 0) && stored !== manifest) return undefined;
  if (atomic.has(name) || typeof manifest !== 'object' || manifest === null) return stored;
  if (typeof stored !== 'object' || stored === null) return stored;
  const entries = Object.entries(manifest).flatMap(([key, below]) => {
    const value = asStored(below, (stored as Readonly<Record<string, unknown>>)[key], lists, key);
    return value === undefined ? [] : [[key, value] as const];
  });
  return Object.fromEntries(entries);
}

/** Whoever writes back what he read may find that others were faster. */
async function persistently(act: () => Promise<void>): Promise<void> {
  for (let tries = 5; ; tries--) {
    try {
      await act();
      return;
    } catch (error) {
      if (tries === 0 || (error as Error).name !== 'ConflictError') throw error;
    }
  }
}
