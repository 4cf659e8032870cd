import { ConfigMap, Deployment, Namespace, Service } from '../../imports/k8s.js';
import type { HttpCluster } from '../../src/client/http-cluster.js';
import type { ApiResource } from '../../src/kube/api-resource.js';
import type { Manifest } from '../../src/kube/manifest.js';
import { ConfigMapSync } from '../../src/operators/config-map-sync.js';
import { Memcached } from '../../src/operators/memcached.js';
import { memcachedOperator } from './dist.js';
import { eventually } from './eventually.js';

const namespace = 'default';
const write = { fieldManager: 'a-person' };
const target = (name: string) => ({ namespace, name });
const fromOneTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

/** What is done to the cluster, under names that begin with `name`. */
export interface Workload {
  readonly title: string;
  /** What is there before, and is at rest when `act` begins. */
  before?(cluster: HttpCluster, name: string): Promise<unknown>;
  act(cluster: HttpCluster, name: string): Promise<unknown>;
  /** How many objects there are in the end. */
  readonly leaves: number;
  /** Absent: whatever it does undisturbed is all that it may do. Where runs differ, the most that one may do. */
  readonly most?: readonly string[];
  /** What it leaves is taken away after each run, for it would make all later lists long. */
  readonly isMany?: boolean;
}

/** An operator whose controller is killed. */
export interface Subject {
  /** Its folder in dist/. */
  readonly operator: string;
  readonly manager: string;
  readonly resource: ApiResource;
  /** What its custom resources make. */
  readonly children: readonly ApiResource[];
  /** How many objects there are when `before` of its workloads has come to rest. */
  readonly settles: number;
  prepare(cluster: HttpCluster): Promise<unknown>;
  /** A custom resource whose spec is another one for each number, so that there is work. */
  sentinel(number: number): Manifest;
  readonly workloads: readonly Workload[];
}

const memcachedNamed = (name: string, spec: object = {}): Manifest => ({
  apiVersion: Memcached.apiVersion,
  kind: Memcached.kind,
  metadata: { name, namespace },
  spec: { size: 0, ...spec },
});
export const createMemcached = (cluster: HttpCluster, name: string) =>
  cluster.create(Memcached, memcachedNamed(name), write);
const setImage = (cluster: HttpCluster, name: string, image: string) =>
  cluster.patch(Memcached, target(name), { type: 'merge', body: { spec: { image } } }, write);

export const memcacheds: Subject = {
  operator: memcachedOperator,
  manager: 'memcached',
  resource: Memcached,
  children: [Deployment, Service],
  settles: 3,
  prepare: async () => {},
  sentinel: (number) => memcachedNamed('sentinel', { image: `memcached:1.${number}` }),
  workloads: [
    { title: 'one custom resource is created', act: createMemcached, leaves: 3 },
    {
      title: 'its spec is changed',
      before: createMemcached,
      act: (cluster, name) => setImage(cluster, name, 'memcached:1.7'),
      leaves: 3,
    },
    {
      title: 'its spec is changed twice in a row',
      before: createMemcached,
      async act(cluster, name) {
        for (const image of ['memcached:1.7', 'memcached:1.8']) await setImage(cluster, name, image);
      },
      leaves: 3,
    },
    {
      title: 'a child is deleted under it',
      before: createMemcached,
      act: (cluster, name) => cluster.delete(Service, target(`${name}-service`)),
      leaves: 3,
    },
    {
      title: 'it is deleted while its children are being made',
      async act(cluster, name) {
        await createMemcached(cluster, name);
        await eventually(() => cluster.get(Deployment, target(`${name}-server`)));
        await cluster.delete(Memcached, target(name));
      },
      leaves: 0,
      most: ['create deployments/$name-server', 'create services/$name-service'],
    },
    {
      title: 'it is deleted, and created anew under the same name',
      before: createMemcached,
      async act(cluster, name) {
        await cluster.delete(Memcached, target(name));
        await createMemcached(cluster, name);
      },
      leaves: 3,
    },
    {
      title: 'a child leaves the composition',
      before: createMemcached,
      async act(cluster, name) {
        const { metadata } = await cluster.get(Memcached, target(name));
        const { apiVersion, kind } = Memcached;
        const owner = { apiVersion, kind, name, uid: metadata.uid, controller: true, blockOwnerDeletion: true };
        const former = { ...target(`${name}-former`), ownerReferences: [owner] };
        // As an earlier version of the operator composed it.
        const manifest = { apiVersion: 'v1', kind: 'Service', metadata: former, spec: { clusterIP: 'None' } };
        await cluster.create(Service, manifest, { fieldManager: 'memcached' });
      },
      leaves: 3,
    },
    {
      title: 'ten are created at once',
      act: (cluster, name) => Promise.all(fromOneTo(10).map((index) => createMemcached(cluster, `${name}-${index}`))),
      leaves: 30,
      isMany: true,
    },
  ],
};

const far = 'far';
const syncNamed = (name: string, spec: object = {}): Manifest => ({
  apiVersion: ConfigMapSync.apiVersion,
  kind: ConfigMapSync.kind,
  metadata: { name, namespace },
  spec: { sourceNamespace: namespace, destinationNamespace: far, configMapName: name, ...spec },
});
const createSource = (cluster: HttpCluster, name: string) =>
  cluster.create(ConfigMap, { apiVersion: 'v1', kind: 'ConfigMap', metadata: target(name), data: { a: '1' } }, write);
const createSync = async (cluster: HttpCluster, name: string) => {
  await createSource(cluster, name);
  await cluster.create(ConfigMapSync, syncNamed(name), write);
};

/** What it makes has no owner reference, so that its end is the controller's work. */
export const configMapSyncs: Subject = {
  operator: 'configmapsync-operator',
  manager: 'configmapsync',
  resource: ConfigMapSync,
  children: [ConfigMap],
  settles: 3,
  async prepare(cluster) {
    const metadata = { name: far, annotations: { 'kilter.dev/accept-from': namespace } };
    await cluster.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata }, write);
    await createSource(cluster, 'sentinel');
  },
  sentinel: (number) => syncNamed('sentinel', { deletionPolicy: number % 2 === 0 ? 'Delete' : 'Orphan' }),
  workloads: [
    { title: 'one with a far child is created', act: createSync, leaves: 3 },
    {
      title: 'one with a far child is deleted',
      before: createSync,
      act: (cluster, name) => cluster.delete(ConfigMapSync, target(name)),
      leaves: 1,
    },
  ],
};
