import type { KubeObject } from '../../../kube/manifest.js';
import {
  getsNodePorts,
  hasNodePorts,
  isExternallyAccessible,
  needsClusterIp,
  needsHealthCheck,
  nodePortsOf,
  type Service,
  sameTexts,
  specOf,
} from './service.js';

/** Fills in what the server allocated before and an author never wrote, so that the same manifest can be sent again. */
export function keepAllocated(service: Service, before: KubeObject): void {
  const [spec, old] = [service.spec ?? {}, specOf(before)];
  if (needsClusterIp(old) && needsClusterIp(spec)) {
    if (!spec.clusterIP && old.clusterIP) spec.clusterIP = old.clusterIP;
    if (!spec.clusterIPs?.length && old.clusterIPs?.length) spec.clusterIPs = [...old.clusterIPs];
  }
  if (getsNodePorts(old) && getsNodePorts(spec)) {
    const now = nodePortsOf(spec);
    const kept = new Set(nodePortsOf(old).filter((port) => now.includes(port)));
    const byName = new Map(old.ports?.map(({ name, nodePort }) => [name, nodePort]));
    for (const port of spec.ports ?? []) {
      const nodePort = byName.get(port.name);
      if (!port.nodePort && nodePort && !kept.has(nodePort)) port.nodePort = nodePort;
    }
  }
  if (needsHealthCheck(old) && needsHealthCheck(spec) && !spec.healthCheckNodePort && old.healthCheckNodePort) {
    spec.healthCheckNodePort = old.healthCheckNodePort;
  }
}

/** A service as it is shown: with both forms of its address, and without a policy that means nothing for a name elsewhere. */
export function shownService(service: KubeObject): KubeObject {
  const whole = withAddresses(service);
  const { type, internalTrafficPolicy, ...spec } = specOf(whole);
  if (type !== 'ExternalName' || internalTrafficPolicy === undefined) return whole;
  return { ...whole, spec: { type, ...spec } } as KubeObject;
}

/** One that became a name elsewhere may be kept with its single address alone, and is always read with the list. */
export function withAddresses(service: KubeObject): KubeObject {
  const spec = specOf(service);
  if (!spec.clusterIP || spec.clusterIPs?.length) return service;
  return { ...service, spec: { ...spec, clusterIPs: [spec.clusterIP] } } as KubeObject;
}

/** Brings the list of addresses in line with the single one that clients of old know. */
export function alignClusterIps(service: Service, before: KubeObject | undefined): void {
  const spec = service.spec ?? {};
  if (before === undefined) {
    if (spec.clusterIP && !spec.clusterIPs?.length) spec.clusterIPs = [spec.clusterIP];
    return;
  }
  const old = specOf(before);
  if (old.clusterIPs?.length && !spec.clusterIPs?.length && old.clusterIP === spec.clusterIP) {
    spec.clusterIPs = [...old.clusterIPs];
  }
  if ((old.clusterIP ?? '') === (spec.clusterIP ?? '') || !sameTexts(old.clusterIPs, spec.clusterIPs)) return;
  if (spec.clusterIP) spec.clusterIPs = [spec.clusterIP];
  else delete spec.clusterIPs;
}

/**
 * Drops what the new type of a service does not have, where the author did not change it: it was the server that set it,
 * or it meant something only before.
 */
export function dropWhatTypeHasNot(service: Service, before: KubeObject): void {
  const [spec, old] = [service.spec ?? {}, specOf(before)];
  if (needsClusterIp(old) && !needsClusterIp(spec)) {
    if (old.clusterIP === spec.clusterIP && sameTexts(old.clusterIPs, spec.clusterIPs)) {
      delete spec.clusterIP;
      delete spec.clusterIPs;
    }
    if (sameTexts(old.ipFamilies, spec.ipFamilies)) delete spec.ipFamilies;
    if (old.ipFamilyPolicy === spec.ipFamilyPolicy) delete spec.ipFamilyPolicy;
  }
  if (hasNodePorts(old) && !hasNodePorts(spec)) {
    const held = nodePortsOf(old);
    if (nodePortsOf(spec).every((port) => held.includes(port))) {
      for (const port of spec.ports ?? []) delete port.nodePort;
    }
  }
  if (needsHealthCheck(old) && !needsHealthCheck(spec) && old.healthCheckNodePort === spec.healthCheckNodePort) {
    delete spec.healthCheckNodePort;
  }
  if (old.type === 'LoadBalancer' && spec.type !== 'LoadBalancer') {
    if (old.allocateLoadBalancerNodePorts === spec.allocateLoadBalancerNodePorts) {
      delete spec.allocateLoadBalancerNodePorts;
    }
    if (old.loadBalancerClass === spec.loadBalancerClass) delete spec.loadBalancerClass;
  }
  if (isExternallyAccessible(old) && !isExternallyAccessible(spec)) {
    if (old.externalTrafficPolicy === spec.externalTrafficPolicy) delete spec.externalTrafficPolicy;
  }
  if (spec.type !== 'LoadBalancer') service.status = { ...service.status, loadBalancer: {} };
}
