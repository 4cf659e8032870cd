import type { ServiceObject } from '../../../../imports/k8s.js';
import type { KubeObject } from '../../../kube/manifest.js';
import type { Draft, DraftOf, Writable } from '../../draft.js';

/** https://kubernetes.io/docs/reference/kubernetes-api/service-resources/service-v1/ */
export type Service = DraftOf<ServiceObject>;
export type ServiceSpec = NonNullable<Writable<NonNullable<ServiceObject['spec']>>>;
export type ServicePort = NonNullable<ServiceSpec['ports']>[number];

/** The spec of a draft, made where there was none. */
export function draftSpec(object: Draft): ServiceSpec {
  const service = object as unknown as Service;
  service.spec ??= {};
  return service.spec;
}

/** The spec of a service to read. */
export function specOf(object: KubeObject): ServiceSpec {
  return (object as unknown as Service).spec ?? {};
}

/** The address that means that there shall be none. */
export const headless = 'None';

export function isHeadless({ clusterIPs }: ServiceSpec): boolean {
  return clusterIPs?.length === 1 && clusterIPs[0] === headless;
}

export function needsClusterIp({ type }: ServiceSpec): boolean {
  return type !== 'ExternalName';
}

/** True for a service that can have ports on nodes at all. */
export function hasNodePorts({ type }: ServiceSpec): boolean {
  return type === 'NodePort' || type === 'LoadBalancer';
}

/** True for a service whose ports are given ports on nodes when they name none. */
export function getsNodePorts({ type, allocateLoadBalancerNodePorts }: ServiceSpec): boolean {
  return type === 'NodePort' || (type === 'LoadBalancer' && allocateLoadBalancerNodePorts !== false);
}

export function needsHealthCheck({ type, externalTrafficPolicy }: ServiceSpec): boolean {
  return type === 'LoadBalancer' && externalTrafficPolicy === 'Local';
}

export function isExternallyAccessible({ type, externalIPs }: ServiceSpec): boolean {
  return hasNodePorts({ type }) || (type === 'ClusterIP' && (externalIPs?.length ?? 0) > 0);
}

export function nodePortsOf({ ports = [] }: ServiceSpec): readonly number[] {
  return ports.flatMap(({ nodePort }) => (nodePort ? [nodePort] : []));
}

export function sameTexts(a: readonly string[] = [], b: readonly string[] = []): boolean {
  return a.length === b.length && a.every((each, index) => each === b[index]);
}
