import type { FieldProblem } from '../../../schema/field-problem.js';
import { portNumber } from '../port-formats.js';
import { refuse } from '../refuse.js';
import { isExternallyAccessible, needsHealthCheck, type ServiceSpec } from './service.js';

const policies = ['Cluster', 'Local'];
const distributions = ['PreferClose', 'PreferSameZone', 'PreferSameNode'];

/** What is wrong with how a service spreads its traffic, from outside and from inside. */
export function trafficProblems(spec: ServiceSpec): readonly FieldProblem[] {
  return [...externalProblems(spec), ...healthProblems(spec), ...internalProblems(spec), ...distributionProblems(spec)];
}

function externalProblems(spec: ServiceSpec): readonly FieldProblem[] {
  const path = 'spec.externalTrafficPolicy';
  const policy = spec.externalTrafficPolicy;
  if (!isExternallyAccessible(spec)) {
    return policy ? [refuse.invalid(path, policy, 'may only be set for externally-accessible services')] : [];
  }
  if (!policy) return [refuse.required(path)];
  return policies.includes(policy) ? [] : [refuse.notSupported(path, policy, policies)];
}

function healthProblems(spec: ServiceSpec): readonly FieldProblem[] {
  const path = 'spec.healthCheckNodePort';
  const port = spec.healthCheckNodePort ?? 0;
  if (needsHealthCheck(spec)) {
    return port === 0 ? [refuse.required(path)] : refuse.each(path, port, portNumber(port));
  }
  const only = "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'";
  return port === 0 ? [] : [refuse.invalid(path, port, only)];
}

function internalProblems({ internalTrafficPolicy: policy }: ServiceSpec): readonly FieldProblem[] {
  if (policy === undefined || policies.includes(policy)) return [];
  return [refuse.notSupported('spec.internalTrafficPolicy', policy, policies)];
}

function distributionProblems({ trafficDistribution: distribution }: ServiceSpec): readonly FieldProblem[] {
  if (distribution === undefined || distributions.includes(distribution)) return [];
  return [refuse.notSupported('spec.trafficDistribution', distribution, distributions)];
}
