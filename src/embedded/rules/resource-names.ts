import type { FieldProblem } from '../../schema/field-problem.js';
import { qualifiedName } from '../../schema/name-formats.js';
import { refuse } from './refuse.js';

const counted = ['pods', 'resourcequotas', 'services', 'replicationcontrollers', 'secrets', 'configmaps'].concat([
  'persistentvolumeclaims',
  'services.nodeports',
  'services.loadbalancers',
]);
const computed = ['cpu', 'memory', 'ephemeral-storage'];
const quota = new Set([
  ...counted,
  ...computed,
  ...computed.flatMap((each) => [`requests.${each}`, `limits.${each}`]),
  'requests.storage',
]);
const standard = new Set([...quota, 'storage']);

/** `nvidia.com/gpu` is a resource of somebody else's; `cpu` and `kubernetes.io/x` are Kubernetes' own. */
export function isNative(name: string): boolean {
  return !name.includes('/') || name.includes('kubernetes.io/');
}

export function isHugePages(name: string): boolean {
  return name.startsWith('hugepages-');
}

/** A resource that comes in whole numbers. */
export function isWhole(name: string): boolean {
  return counted.includes(name) || isExtended(name);
}

/** A resource that a ResourceQuota may limit without a domain in its name. */
export function isQuotaResource(name: string): boolean {
  return quota.has(name) || isHugePages(name) || name.startsWith('requests.hugepages-');
}

export function resourceNameProblems(path: string, name: string): readonly FieldProblem[] {
  const problems = refuse.each(path, name, qualifiedName(name));
  if (problems.length > 0 || name.includes('/')) return problems;
  const isStandard = standard.has(name) || isHugePages(name) || name.startsWith('requests.hugepages-');
  return isStandard ? [] : [refuse.invalid(path, name, 'must be a standard resource type or fully qualified')];
}

export function containerResourceNameProblems(path: string, name: string): readonly FieldProblem[] {
  const problems = resourceNameProblems(path, name);
  if (!name.includes('/')) {
    return computed.includes(name) || isHugePages(name)
      ? problems
      : [...problems, refuse.invalid(path, name, 'must be a standard resource for containers')];
  }
  return isNative(name) || isExtended(name)
    ? problems
    : [...problems, refuse.invalid(path, name, "doesn't follow extended resource name standard")];
}

function isExtended(name: string): boolean {
  return !isNative(name) && !name.startsWith('requests.') && qualifiedName(`requests.${name}`).length === 0;
}
