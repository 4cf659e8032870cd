import { type FieldProblem, problem, problemWithoutValue } from '../../schema/field-problem.js';
import { type LabelRequirement, selectorProblems } from '../rules/label-selector.js';
import { labelQuery } from '../verbs/label-query.js';
import type { Action } from './policy-rule.js';

interface SelectorAttributes {
  readonly rawSelector?: string;
  readonly requirements?: readonly LabelRequirement[];
}

export interface ResourceAttributes {
  readonly verb?: string;
  readonly group?: string;
  readonly version?: string;
  readonly resource?: string;
  readonly subresource?: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly fieldSelector?: SelectorAttributes;
  readonly labelSelector?: SelectorAttributes;
}

/** What a review of access asks about: one of the two. */
export interface AccessAttributes {
  readonly resourceAttributes?: ResourceAttributes | null;
  readonly nonResourceAttributes?: { readonly path?: string; readonly verb?: string } | null;
}

export function actionOf({ resourceAttributes: asked, nonResourceAttributes }: AccessAttributes): Action {
  if (!asked) return { verb: nonResourceAttributes?.verb ?? '', path: nonResourceAttributes?.path ?? '' };
  const { verb = '', group = '', version = '*', resource = '', subresource = '', name = '', namespace = '' } = asked;
  return { verb, group, version, resource, subresource, name, namespace };
}

/** As the server shows attributes of a path in its messages. */
export function shownPath({ path = '', verb = '' }: NonNullable<AccessAttributes['nonResourceAttributes']>): object {
  return { Path: path, Verb: verb };
}

export function eitherOr({ resourceAttributes, nonResourceAttributes }: AccessAttributes): readonly FieldProblem[] {
  if (resourceAttributes && nonResourceAttributes) {
    const detail = 'cannot be specified in combination with resourceAttributes';
    return [problem('FieldValueInvalid', 'spec.nonResourceAttributes', shownPath(nonResourceAttributes), detail)];
  }
  if (resourceAttributes || nonResourceAttributes) return [];
  const detail = 'exactly one of nonResourceAttributes or resourceAttributes must be specified';
  return [problem('FieldValueInvalid', 'spec.resourceAttributes', null, detail)];
}

export function selectorAttributeProblems({ resourceAttributes: asked }: AccessAttributes): readonly FieldProblem[] {
  const path = 'spec.resourceAttributes';
  return [
    ...problemsOf(asked?.fieldSelector, `${path}.fieldSelector`, fieldRequirementProblems),
    ...problemsOf(asked?.labelSelector, `${path}.labelSelector`, labelRequirementProblems),
  ];
}

type Judge = (requirements: readonly LabelRequirement[], path: string) => readonly FieldProblem[];

function problemsOf(selector: SelectorAttributes | undefined, path: string, judge: Judge): readonly FieldProblem[] {
  if (!selector) return [];
  const { rawSelector = '', requirements = [] } = selector;
  const problems: FieldProblem[] = [];
  if (rawSelector !== '' && requirements.length > 0) {
    const detail = 'may not specified at the same time as requirements';
    problems.push(problem('FieldValueInvalid', `${path}.rawSelector`, rawSelector, detail));
  }
  if (rawSelector === '' && requirements.length === 0) {
    const detail = `when ${path} is specified, requirements or rawSelector is required`;
    problems.push(problemWithoutValue('FieldValueRequired', `${path}.requirements`, detail));
  }
  return [...problems, ...judge(requirements, path)];
}

/** As of any label selector; of an operator that it does not know the server thinks that a newer one may. */
function labelRequirementProblems(requirements: readonly LabelRequirement[], path: string): readonly FieldProblem[] {
  return selectorProblems({ matchExpressions: requirements }, path)
    .filter(({ path: place }) => !place.endsWith('.operator'))
    .map((each) => ({ ...each, path: each.path.replace(`${path}.matchExpressions`, `${path}.requirements`) }));
}

function fieldRequirementProblems(requirements: readonly LabelRequirement[], path: string): readonly FieldProblem[] {
  return requirements.flatMap((requirement, index) => {
    const place = `${path}.requirements[${index}]`;
    const keyless = problemWithoutValue('FieldValueRequired', `${place}.key`, 'must be specified');
    const others = labelRequirementProblems([{ ...requirement, key: 'key' }], place);
    const ofList = others.filter((each) => each.path.endsWith('.values'));
    return [...(requirement.key ? [] : [keyless]), ...ofList.map((each) => ({ ...each, path: `${place}.values` }))];
  });
}

/** What the server says of selectors that it cannot read: they are passed over, as a wider question. */
export function evaluationError({ resourceAttributes: asked }: AccessAttributes): string {
  const ofFields = unread(asked?.fieldSelector, fieldProblem, isFieldRequirement);
  const ofLabels = unread(asked?.labelSelector, labelProblem, ({ operator = '' }) => operators.includes(operator));
  return [
    ...(ofFields ? [`spec.resourceAttributes.fieldSelector ${ofFields} due to parse error`] : []),
    ...(ofLabels ? [`spec.resourceAttributes.labelSelector ${ofLabels} due to parse error`] : []),
  ].join('; ');
}

const operators = ['In', 'NotIn', 'Exists', 'DoesNotExist'];

function isFieldRequirement({ operator = '', values = [] }: LabelRequirement): boolean {
  return (operator === 'In' || operator === 'NotIn') && values.length === 1;
}

function unread(
  selector: SelectorAttributes | undefined,
  isBad: (text: string) => boolean,
  isGood: (requirement: LabelRequirement) => boolean,
): string | undefined {
  const { rawSelector = '', requirements = [] } = selector ?? {};
  if (requirements.length === 0) return rawSelector !== '' && isBad(rawSelector) ? 'ignored' : undefined;
  const good = requirements.filter(isGood).length;
  if (good === requirements.length) return undefined;
  return good > 0 ? 'partially ignored' : 'ignored';
}

function labelProblem(text: string): boolean {
  try {
    labelQuery(text);
    return false;
  } catch {
    return true;
  }
}

function fieldProblem(text: string): boolean {
  return text.split(/(?<!\\),/).some((term) => term !== '' && !term.includes('='));
}
