import { type FieldProblem, problem, problemWithoutValue } from '../../schema/field-problem.js';
import { labelKey, labelValue } from '../../schema/name-formats.js';
import { labelProblems } from '../../schema/object-meta.js';

/** https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/label-selector/ */
export interface LabelSelector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly LabelRequirement[];
}

export interface LabelRequirement {
  readonly key?: string | undefined;
  readonly operator?: string | undefined;
  readonly values?: readonly string[] | undefined;
}

type Labels = Readonly<Record<string, string>>;

/** What is wrong with a selector. One that is absent has no problem. */
export function selectorProblems(
  selector: LabelSelector | undefined,
  path: string,
  { takesBadValues = false } = {},
): readonly FieldProblem[] {
  if (selector === undefined) return [];
  const problems = [...labelProblems(selector.matchLabels, `${path}.matchLabels`)];
  selector.matchExpressions?.forEach((requirement, index) => {
    problems.push(...requirementProblems(requirement, `${path}.matchExpressions[${index}]`, takesBadValues));
  });
  return problems;
}

/** True for a selector with a bad value, which an update of an object that has it already may keep. */
export function hasBadValue(selector: LabelSelector | undefined): boolean {
  return selector?.matchExpressions?.some(({ values }) => values?.some((each) => labelValue(each).length > 0)) ?? false;
}

function requirementProblems(
  { key = '', operator = '', values = [] }: LabelRequirement,
  path: string,
  takesBadValues: boolean,
): readonly FieldProblem[] {
  const problems: FieldProblem[] = [];
  if (operator === 'In' || operator === 'NotIn') {
    if (values.length === 0) {
      const detail = "must be specified when `operator` is 'In' or 'NotIn'";
      problems.push(problemWithoutValue('FieldValueRequired', `${path}.values`, detail));
    }
  } else if (operator === 'Exists' || operator === 'DoesNotExist') {
    if (values.length > 0) {
      const detail = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";
      problems.push(problemWithoutValue('FieldValueForbidden', `${path}.values`, detail));
    }
  } else {
    problems.push(problem('FieldValueInvalid', `${path}.operator`, operator, 'not a valid selector operator'));
  }
  for (const message of labelKey(key)) problems.push(problem('FieldValueInvalid', `${path}.key`, key, message));
  if (takesBadValues) return problems;
  values.forEach((value, index) => {
    for (const message of labelValue(value)) {
      problems.push(problem('FieldValueInvalid', `${path}.values[${index}]`, value, message));
    }
  });
  return problems;
}

/** True for a selector that selects nothing in particular. */
export function isEmptySelector(selector: LabelSelector): boolean {
  for (const _ in selector.matchLabels) return false;
  return (selector.matchExpressions?.length ?? 0) === 0;
}

/** True when the labels are selected. An absent selector selects nothing, an empty one everything. */
export function matches(selector: LabelSelector | undefined, labels: Labels = {}): boolean {
  if (selector === undefined) return false;
  for (const key in selector.matchLabels) {
    if (!Object.hasOwn(labels, key) || labels[key] !== selector.matchLabels[key]) return false;
  }
  return selector.matchExpressions?.every((requirement) => isMet(requirement, labels)) ?? true;
}

/** One requirement of a label selector or, with its further operators, of a node selector. */

export function isMet({ key = '', operator, values = [] }: LabelRequirement, labels: Labels): boolean {
  const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    case 'Gt':
      return value !== undefined && Number(value) > Number(values[0]);
    case 'Lt':
      return value !== undefined && Number(value) < Number(values[0]);
    default:
      return false;
  }
}
