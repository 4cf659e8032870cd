import type {
  ConfigMapObject,
  ControllerRevisionObject,
  CronJobObject,
  DaemonSetObject,
  DeploymentObject,
  EndpointSliceObject,
  EndpointsObject,
  JobObject,
  NamespaceObject,
  NodeObject,
  PersistentVolumeClaimObject,
  PersistentVolumeObject,
  PodDisruptionBudgetObject,
  PodObject,
  ReplicaSetObject,
  ServiceAccountObject,
  ServiceObject,
  StatefulSetObject,
} from '../../../imports/k8s.js';
import type { ApiResource } from '../../kube/api-resource.js';
import type { KubeObject } from '../../kube/manifest.js';

/** An object of the shape `T` as the store has it: whatever its schema requires or defaults is there. */
export type Live<T> = KubeObject & Omit<T, 'apiVersion' | 'kind' | 'metadata'>;

/** A built-in kind that the controllers read or write, with the shape of its objects. */
export interface BuiltIn<T> extends ApiResource {
  /** Under which name the store keeps it. */
  readonly storage: string;
  /** Never there: it only tells the compiler what objects look like. */
  readonly shape?: T;
}

export const configMaps = core<ConfigMapObject>('ConfigMap', 'configmaps');
export const endpoints = core<EndpointsObject>('Endpoints', 'endpoints');
export const events = core<KubeObject>('Event', 'events');
export const claims = core<PersistentVolumeClaimObject>('PersistentVolumeClaim', 'persistentvolumeclaims');
export const pods = core<PodObject>('Pod', 'pods');
export const serviceAccounts = core<ServiceAccountObject>('ServiceAccount', 'serviceaccounts');
export const services = core<ServiceObject>('Service', 'services');
export const namespaces = clusterScoped(core<NamespaceObject>('Namespace', 'namespaces'));
export const nodes = clusterScoped(core<NodeObject>('Node', 'nodes'));
export const volumes = clusterScoped(core<PersistentVolumeObject>('PersistentVolume', 'persistentvolumes'));
export const daemonSets = of<DaemonSetObject>('apps', 'v1', 'DaemonSet', 'daemonsets');
export const deployments = of<DeploymentObject>('apps', 'v1', 'Deployment', 'deployments');
export const replicaSets = of<ReplicaSetObject>('apps', 'v1', 'ReplicaSet', 'replicasets');
export const revisions = of<ControllerRevisionObject>('apps', 'v1', 'ControllerRevision', 'controllerrevisions');
export const statefulSets = of<StatefulSetObject>('apps', 'v1', 'StatefulSet', 'statefulsets');
export const cronJobs = of<CronJobObject>('batch', 'v1', 'CronJob', 'cronjobs');
export const jobs = of<JobObject>('batch', 'v1', 'Job', 'jobs');
export const endpointSlices = of<EndpointSliceObject>('discovery.k8s.io', 'v1', 'EndpointSlice', 'endpointslices');
export const budgets = of<PodDisruptionBudgetObject>('policy', 'v1', 'PodDisruptionBudget', 'poddisruptionbudgets');

function core<T>(kind: string, plural: string): BuiltIn<T> {
  return { apiVersion: 'v1', kind, plural, namespaced: true, storage: plural };
}

function of<T>(group: string, version: string, kind: string, plural: string): BuiltIn<T> {
  return { apiVersion: `${group}/${version}`, kind, plural, namespaced: true, storage: `${plural}.${group}` };
}

function clusterScoped<T>(builtIn: BuiltIn<T>): BuiltIn<T> {
  return { ...builtIn, namespaced: false };
}
