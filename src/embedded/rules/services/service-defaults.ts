import type { Draft } from '../../draft.js';
import { draftSpec, hasNodePorts, isExternallyAccessible, type Service } from './service.js';

const threeHours = 10_800;

/** What an author may leave out of a service, except for what the server allocates. */
export function defaultService(object: Draft): void {
  const spec = draftSpec(object);
  spec.sessionAffinity ??= 'None';
  if (spec.sessionAffinity === 'None') delete spec.sessionAffinityConfig;
  else if (spec.sessionAffinity === 'ClientIP' && spec.sessionAffinityConfig?.clientIP?.timeoutSeconds === undefined) {
    spec.sessionAffinityConfig = { clientIP: { timeoutSeconds: threeHours } };
  }
  spec.type ??= 'ClusterIP';
  for (const port of spec.ports ?? []) {
    port.protocol ??= 'TCP';
    if (!port.targetPort) port.targetPort = port.port ?? 0;
  }
  if (isExternallyAccessible(spec)) spec.externalTrafficPolicy ??= 'Cluster';
  if (hasNodePorts(spec) || spec.type === 'ClusterIP') spec.internalTrafficPolicy ??= 'Cluster';
  if (spec.type === 'LoadBalancer') {
    spec.allocateLoadBalancerNodePorts ??= true;
    for (const ingress of (object as unknown as Service).status?.loadBalancer?.ingress ?? []) {
      if (ingress.ip) ingress.ipMode ??= 'VIP';
    }
  }
}
