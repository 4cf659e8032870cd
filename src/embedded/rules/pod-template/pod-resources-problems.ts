import type { PodSpec } from '../../../../imports/k8s.js';
import type { FieldProblem } from '../../../schema/field-problem.js';
import { type Amounts, compareAmounts, shownAmount } from '../amounts.js';
import type { Problems } from '../problems.js';
import { refuse } from '../refuse.js';
import { isHugePages, resourceNameProblems } from '../resource-names.js';
import type { Unchecked } from '../unchecked.js';
import { containerSums } from './container-sums.js';
import { resourceProblems } from './resource-problems.js';

/** https://kubernetes.io/docs/tasks/configure-pod-container/assign-pod-level-resources/ */
export function podResourcesProblems(
  found: Problems,
  path: string,
  spec: Unchecked<PodSpec>,
  claimNames: ReadonlySet<string>,
): void {
  const { resources = {} } = spec;
  if (spec.os?.name === 'windows') {
    found.forbidden(path, 'may not be set for a windows pod');
    return;
  }
  if (resources.claims !== undefined) {
    found.forbidden(`${path}.claims`, 'claims may not be set for Resources at pod-level');
  }
  resourceProblems(found, path, resources, claimNames, podResourceNameProblems);

  const requests = (resources.requests ?? {}) as Amounts;
  const limits = (resources.limits ?? {}) as Amounts;
  const sums = containerSums(spec, 'requests');
  for (const [name, sum] of Object.entries(sums)) {
    const own = requests[name];
    if (own === undefined || compareAmounts(sum, own) <= 0) continue;
    const detail = `must be greater than or equal to aggregate container requests of ${shownAmount(sum)}`;
    found.invalid(`${path}.requests[${name}]`, shownAmount(own), detail);
  }
  for (const [name, sum] of Object.entries(containerSums(spec, 'limits'))) {
    const own = limits[name];
    if (!isHugePages(name) || own === undefined || compareAmounts(sum, own) <= 0) continue;
    const detail = `must be greater than or equal to aggregate container limits of ${shownAmount(sum)}`;
    found.invalid(`${path}.limits[${name}]`, shownAmount(own), detail);
  }
  spec.containers?.forEach((container, index) => {
    for (const [name, limit] of Object.entries((container.resources?.limits ?? {}) as Amounts)) {
      const own = limits[name];
      if (own === undefined || compareAmounts(limit, own) <= 0) continue;
      const detail = `must be less than or equal to pod limits of ${shownAmount(own)}`;
      found.invalid(`${path}.containers[${index}][${name}].limits`, shownAmount(limit), detail);
    }
  });
}

export function isPodLevel(name: string): boolean {
  return name === 'cpu' || name === 'memory' || isHugePages(name);
}

function podResourceNameProblems(path: string, name: string): readonly FieldProblem[] {
  const problems = resourceNameProblems(path, name);
  if (problems.length > 0 || isPodLevel(name)) return problems;
  return [refuse.notSupported(path, name, ['cpu', 'hugepages-', 'memory'])];
}
