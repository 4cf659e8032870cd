import type { KubeObject } from '../../../kube/manifest.js';
import { addressWarnings, cidrWarnings } from '../address-warnings.js';
import { headless, specOf } from './service.js';

/** What has no effect in a Service that is accepted, or will not for long. */
export function serviceWarnings(service: KubeObject): readonly string[] {
  const spec = specOf(service);
  const warnings: string[] = [];
  if (service.metadata.annotations?.['service.kubernetes.io/topology-aware-hints'] !== undefined) {
    warnings.push(
      'annotation service.kubernetes.io/topology-aware-hints is deprecated, please use service.kubernetes.io/topology-mode instead',
    );
  }
  if (spec.clusterIP && spec.clusterIP !== headless) {
    spec.clusterIPs?.forEach((ip, index) => {
      warnings.push(...addressWarnings(`spec.clusterIPs[${index}]`, ip));
    });
  }
  const { externalIPs = [], loadBalancerIP, externalName } = spec;
  const isHeadless = spec.type === 'ClusterIP' && spec.clusterIP === headless;
  const isName = spec.type === 'ExternalName';
  if (isHeadless) {
    if (loadBalancerIP) warnings.push('spec.loadBalancerIP is ignored for headless services');
    if (externalIPs.length > 0) warnings.push('spec.externalIPs is ignored for headless services');
    if (spec.sessionAffinity !== 'None') warnings.push('spec.SessionAffinity is ignored for headless services');
  }
  externalIPs.forEach((ip, index) => {
    warnings.push(...addressWarnings(`spec.externalIPs[${index}]`, ip));
  });
  if (externalIPs.length > 0 && !isHeadless && !isName) {
    warnings.push('spec.externalIPs is deprecated and may no longer be implemented in some clusters');
  }
  if (loadBalancerIP) warnings.push(...addressWarnings('spec.loadBalancerIP', loadBalancerIP));
  spec.loadBalancerSourceRanges?.forEach((range, index) => {
    warnings.push(...cidrWarnings(`spec.loadBalancerSourceRanges[${index}]`, range));
  });
  if (isName && externalIPs.length > 0) {
    warnings.push('spec.externalIPs is ignored when spec.type is "ExternalName"');
  }
  if (!isName && externalName) warnings.push('spec.externalName is ignored when spec.type is not "ExternalName"');
  if (spec.trafficDistribution === 'PreferClose') {
    warnings.push('spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"');
  }
  return warnings;
}
