import type { KubeObject } from '../../../kube/manifest.js';
import type { FieldProblem } from '../../../schema/field-problem.js';
import { dns1123Subdomain } from '../../../schema/name-formats.js';
import { addressWarnings } from '../address-warnings.js';
import { addressProblems, isAddress } from '../addresses.js';
import { refuse } from '../refuse.js';
import { specOf } from './service.js';

interface Ingress {
  readonly ip?: string;
  readonly ipMode?: string;
  readonly hostname?: string;
}

const modes = ['Proxy', 'VIP'];

/** What is wrong with where a load balancer says that it is reached. */
export function loadBalancerStatusProblems(service: KubeObject, old: KubeObject): readonly FieldProblem[] {
  const path = 'status.loadBalancer.ingress';
  const ingress = ingressOf(service);
  if (specOf(service).type !== 'LoadBalancer' && ingress.length > 0) {
    return [refuse.forbidden(path, "may only be used when `spec.type` is 'LoadBalancer'")];
  }
  const existing = ingressOf(old).flatMap(({ ip }) => ip ?? []);
  return ingress.flatMap((each, index) => [
    ...(each.ip ? addressProblems(`${path}[${index}].ip`, each.ip, existing) : []),
    ...modeProblems(`${path}[${index}].ipMode`, each),
    ...hostnameProblems(`${path}[${index}].hostname`, each.hostname),
  ]);
}

/** The same of an Ingress, which has no modes. */
export function ingressStatusProblems(object: KubeObject, old: KubeObject): readonly FieldProblem[] {
  const path = 'status.loadBalancer.ingress';
  const existing = ingressOf(old).flatMap(({ ip }) => ip ?? []);
  return ingressOf(object).flatMap((each, index) => [
    ...(each.ip ? addressProblems(`${path}[${index}].ip`, each.ip, existing) : []),
    ...hostnameProblems(`${path}[${index}].hostname`, each.hostname),
  ]);
}

/** Of both, how their addresses ought to be written. */
export function loadBalancerWarnings(object: KubeObject): readonly string[] {
  return ingressOf(object).flatMap(({ ip }, index) =>
    ip ? addressWarnings(`status.loadBalancer.ingress[${index}]`, ip) : [],
  );
}

function modeProblems(path: string, { ip, ipMode }: Ingress): readonly FieldProblem[] {
  if (ipMode === undefined) return ip ? [refuse.required(path, 'must be specified when `ip` is set')] : [];
  if (!ip) return [refuse.forbidden(path, 'may not be specified when `ip` is not set')];
  return modes.includes(ipMode) ? [] : [refuse.notSupported(path, ipMode, modes)];
}

function hostnameProblems(path: string, hostname: string | undefined): readonly FieldProblem[] {
  if (!hostname) return [];
  const problems = [...refuse.each(path, hostname, dns1123Subdomain(hostname))];
  if (isAddress(hostname)) problems.push(refuse.invalid(path, hostname, 'must be a DNS name, not an IP address'));
  return problems;
}

function ingressOf({ status }: KubeObject): readonly Ingress[] {
  const { loadBalancer } = (status ?? {}) as { readonly loadBalancer?: { readonly ingress?: readonly Ingress[] } };
  return loadBalancer?.ingress ?? [];
}
