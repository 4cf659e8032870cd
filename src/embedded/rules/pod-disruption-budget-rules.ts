import type { PodDisruptionBudgetObject } from '../../../imports/k8s.js';
import type { KubeObject } from '../../kube/manifest.js';
import type { FieldProblem } from '../../schema/field-problem.js';
import { goJson } from '../../schema/go-format.js';
import { mustMatch, pathSegmentName } from '../../schema/name-formats.js';
import type { Rules } from '../kinds/served-kind.js';
import { conditionProblems } from './condition-problems.js';
import { hasBadValue, type LabelSelector, selectorProblems } from './label-selector.js';
import { goSelector, Problems } from './problems.js';
import { statusApart } from './status-apart.js';
import type { Unchecked } from './unchecked.js';

type Budget = Unchecked<PodDisruptionBudgetObject>;

const evictionPolicies = ['AlwaysAllow', 'IfHealthyBudget'];
const notAPercentage = mustMatch(
  "a valid percent string must be a numeric string followed by an ending '%'",
  '[0-9]+%',
  '1%',
  '93%',
);

/** https://kubernetes.io/docs/concepts/workloads/pods/disruptions/#pod-disruption-budgets */
export const podDisruptionBudgetRules: Rules = {
  ...statusApart({ disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 }),
  validate: (object) => budgetProblems(object, false),
  validateUpdate(object, old) {
    return budgetProblems(object, hasBadValue((old as unknown as Budget).spec?.selector as LabelSelector | undefined));
  },
  validateStatusUpdate(object) {
    const { status = {} } = object as unknown as Budget;
    const found = new Problems();
    conditionProblems(found, 'status.conditions', status.conditions ?? []);
    for (const field of ['disruptionsAllowed', 'currentHealthy', 'desiredHealthy', 'expectedPods'] as const) {
      found.nonNegative(`status.${field}`, status[field]);
    }
    return found.all;
  },
  // Of a name that can stand in a path the server asks nothing more.
  nameProblems: pathSegmentName,
  judgesMetadataLast: true,
  generation: 'spec',
  allowsUnconditionalUpdate: false,
};

function budgetProblems(object: KubeObject, takesBadValues: boolean): readonly FieldProblem[] {
  const { spec = {} } = object as unknown as Budget;
  const { minAvailable, maxUnavailable, selector, unhealthyPodEvictionPolicy: policy } = spec;
  const found = new Problems();
  if (minAvailable !== undefined && maxUnavailable !== undefined) {
    const shown = [
      `"MinAvailable":${goJson(minAvailable)}`,
      `"Selector":${goSelector(selector)}`,
      `"MaxUnavailable":${goJson(maxUnavailable)}`,
      `"UnhealthyPodEvictionPolicy":${goJson(policy ?? null)}`,
    ];
    found.invalidShown('spec', `{${shown.join(',')}}`, 'minAvailable and maxUnavailable cannot be both set');
  }
  amountProblems(found, 'spec.minAvailable', minAvailable);
  amountProblems(found, 'spec.maxUnavailable', maxUnavailable);
  found.add(selectorProblems(selector as LabelSelector | undefined, 'spec.selector', { takesBadValues }));
  if (policy !== undefined && !evictionPolicies.includes(policy)) {
    found.notSupported('spec.unhealthyPodEvictionPolicy', policy, evictionPolicies);
  }
  return found.all;
}

function amountProblems(found: Problems, path: string, amount: string | number | undefined): void {
  if (amount === undefined) return;
  if (typeof amount === 'number') found.nonNegative(path, amount);
  else if (!/^[0-9]+%$/.test(amount)) found.invalid(path, amount, notAPercentage);
  else if (Number(amount.slice(0, -1)) > 100) found.invalid(path, amount, 'must not be greater than 100%');
}
