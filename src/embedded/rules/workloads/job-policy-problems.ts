import type { JobSpec, PodFailurePolicyRule, SuccessPolicyRule } from '../../../../imports/k8s.js';
import { goJson, goQuote } from '../../../schema/go-format.js';
import type { Problems } from '../problems.js';
import type { Unchecked } from '../unchecked.js';
import { countIndexes } from './job-indexes.js';

type Spec = Unchecked<JobSpec>;

const actions = ['Count', 'FailIndex', 'FailJob', 'Ignore'];
const operators = ['In', 'NotIn'];
const statuses = ['False', 'True', 'Unknown'];

/** https://kubernetes.io/docs/concepts/workloads/controllers/job/#pod-failure-policy */
export function failurePolicyProblems(found: Problems, path: string, spec: Spec): void {
  const rules = spec.podFailurePolicy?.rules ?? [];
  if (rules.length > 20) found.tooMany(`${path}.rules`, rules.length, 20);
  rules.forEach((rule, index) => {
    ruleProblems(found, `${path}.rules[${index}]`, rule, spec);
  });
}

function ruleProblems(found: Problems, path: string, rule: Unchecked<PodFailurePolicyRule>, spec: Spec): void {
  const { action = '', onExitCodes, onPodConditions = [] } = rule;
  if (action === 'FailIndex') {
    if (spec.backoffLimitPerIndex === undefined) {
      found.invalid(`${path}.action`, action, 'requires the backoffLimitPerIndex to be set');
    }
  } else oneOf(found, `${path}.action`, action, actions);
  if (onExitCodes) exitCodeProblems(found, `${path}.onExitCodes`, onExitCodes, spec);
  if (onPodConditions.length > 20) found.tooMany(`${path}.onPodConditions`, onPodConditions.length, 20);
  onPodConditions.forEach(({ type = '', status = '' }, index) => {
    found.qualifiedName(`${path}.onPodConditions[${index}].type`, type);
    oneOf(found, `${path}.onPodConditions[${index}].status`, status, statuses);
  });
  if (onExitCodes && onPodConditions.length > 0) {
    found.invalidWithoutValue(path, 'specifying both OnExitCodes and OnPodConditions is not supported');
  }
  if (!onExitCodes && onPodConditions.length === 0) {
    found.invalidWithoutValue(path, 'specifying one of OnExitCodes and OnPodConditions is required');
  }
}

function exitCodeProblems(
  found: Problems,
  path: string,
  { operator = '', containerName, values }: NonNullable<Unchecked<PodFailurePolicyRule>['onExitCodes']>,
  { template }: Spec,
): void {
  oneOf(found, `${path}.operator`, operator, operators);
  const { containers, initContainers } = template?.spec ?? {};
  const all = [...(containers ?? []), ...(initContainers ?? [])];
  if (containerName !== undefined && !all.some(({ name }) => name === containerName)) {
    const detail = 'must be one of the container or initContainer names in the pod template';
    found.invalid(`${path}.containerName`, containerName, detail);
  }
  const codes = values ?? [];
  if (codes.length === 0) {
    found.invalidShown(
      `${path}.values`,
      (values ?? undefined) === undefined ? 'null' : '[]',
      'at least one value is required',
    );
  } else if (codes.length > 255) found.tooMany(`${path}.values`, codes.length, 255);
  const seen = new Set<number>();
  codes.forEach((code, index) => {
    if (operator === 'In' && code === 0) {
      found.invalid(`${path}.values[${index}]`, code, 'must not be 0 for the In operator');
    }
    if (seen.has(code)) found.duplicate(`${path}.values[${index}]`, code);
    seen.add(code);
  });
  if (codes.some((code, index) => index > 0 && codes[index - 1]! > code)) {
    found.invalidShown(`${path}.values`, goJson(codes), 'must be ordered');
  }
}

function oneOf(found: Problems, path: string, value: string, supported: readonly string[]): void {
  if (value === '') found.required(path, `valid values: [${supported.map(goQuote).join(' ')}]`);
  else if (!supported.includes(value)) found.notSupported(path, value, supported);
}

/** https://kubernetes.io/docs/concepts/workloads/controllers/job/#success-policy */
export function successPolicyProblems(found: Problems, path: string, spec: Spec): void {
  const rules = spec.successPolicy?.rules ?? [];
  if (rules.length === 0) {
    found.required(`${path}.rules`, 'at least one rules must be specified when the successPolicy is specified');
  }
  if (rules.length > 20) found.tooMany(`${path}.rules`, rules.length, 20);
  rules.forEach((rule, index) => {
    successRuleProblems(found, `${path}.rules[${index}]`, rule, spec.completions ?? 0);
  });
}

function successRuleProblems(
  found: Problems,
  path: string,
  { succeededCount, succeededIndexes }: Unchecked<SuccessPolicyRule>,
  completions: number,
): void {
  if (succeededCount === undefined && succeededIndexes === undefined) {
    found.required(path, 'at least one of succeededCount or succeededIndexes must be specified');
  }
  let total = 0;
  if (succeededIndexes !== undefined) {
    const at = `${path}.succeededIndexes`;
    if (succeededIndexes.length > 64 * 1024) found.tooLong(at, 64 * 1024);
    const counted = countIndexes(succeededIndexes, completions);
    if (typeof counted === 'number') total = counted;
    else found.invalid(at, succeededIndexes, `error parsing succeededIndexes: ${counted}`);
  }
  if (succeededCount === undefined) return;
  const at = `${path}.succeededCount`;
  found.nonNegative(at, succeededCount);
  const limit = (most: number, what: string) =>
    found.invalid(at, succeededCount, `must be less than or equal to ${most} (the number of ${what})`);
  if (succeededCount > completions) limit(completions, 'specified completions');
  if (succeededIndexes !== undefined && succeededCount > total) {
    limit(total, 'indexes in the specified succeededIndexes field');
  }
}
