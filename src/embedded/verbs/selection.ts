import type { KubeObject } from '../../kube/manifest.js';
import { goQuote } from '../../schema/go-format.js';
import type { Selection } from '../api-server.js';
import type { ServedKind } from '../kinds/served-kind.js';
import { labelKey, labelValue } from '../rules/name-formats.js';
import { badRequest } from '../status-error.js';

export type Predicate = (object: KubeObject) => boolean;

/** Which objects of a kind are meant. Throws a `StatusError` (400) for a selector that cannot be read. */
export function predicateOf(kind: ServedKind, { labelSelector, fieldSelector }: Selection): Predicate | undefined {
  const byLabels = labelSelector ? labelPredicate(labelSelector) : undefined;
  const byFields = fieldSelector ? fieldPredicate(kind, fieldSelector) : undefined;
  if (!byLabels || !byFields) return byLabels ?? byFields;
  return (object) => byLabels(object) && byFields(object);
}

type Labels = Readonly<Record<string, string>>;
type Requirement = (labels: Labels) => boolean;

/** https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#label-selectors */
export function labelPredicate(text: string): Predicate {
  const requirements = splitTopLevel(text).map((each) => requirementOf(each.trim(), text));
  return ({ metadata: { labels = none } }) => requirements.every((holds) => holds(labels));
}

const none: Labels = {};
const setBased = /^([^\s!=<>,()]+)\s+(in|notin)\s*\(([^()]*)\)$/;
const comparing = /^([^\s!=<>,()]*)\s*(==|=|!=|<|>)\s*([^\s!=<>,()]*)$/;
const existing = /^(!?)\s*([^\s!=<>,()]+)$/;

function requirementOf(text: string, whole: string): Requirement {
  const setMatch = setBased.exec(text);
  if (setMatch) {
    const [, key = '', operator, list = ''] = setMatch;
    const values = list.split(',').map((value) => value.trim());
    checkKey(key);
    values.forEach((value) => void checkValue(key, value));
    if (operator === 'in') return (labels) => Object.hasOwn(labels, key) && values.includes(labels[key] as string);
    return (labels) => !Object.hasOwn(labels, key) || !values.includes(labels[key] as string);
  }
  const comparison = comparing.exec(text);
  if (comparison) {
    const [, key = '', operator, value = ''] = comparison;
    checkKey(key);
    if (operator === '<' || operator === '>') return comparedTo(key, operator, value);
    checkValue(key, value);
    if (operator === '!=') return (labels) => !Object.hasOwn(labels, key) || labels[key] !== value;
    return (labels) => Object.hasOwn(labels, key) && labels[key] === value;
  }
  const existence = existing.exec(text);
  if (existence) {
    const [, not, key = ''] = existence;
    checkKey(key);
    return not === '!' ? (labels) => !Object.hasOwn(labels, key) : (labels) => Object.hasOwn(labels, key);
  }
  throw unparsable(`found '${text}', expected: identifier`, whole);
}

function comparedTo(key: string, operator: '<' | '>', value: string): Requirement {
  if (!/^-?\d+$/.test(value)) {
    throw unparsable(
      `values[0][${key}]: Invalid value: ${goQuote(value)}: for 'Gt', 'Lt' operators, the value must be an integer`,
    );
  }
  return (labels) => {
    if (!Object.hasOwn(labels, key) || !/^-?\d+$/.test(labels[key] as string)) return false;
    const number = Number(labels[key]);
    return operator === '<' ? number < Number(value) : number > Number(value);
  };
}

function checkKey(key: string): void {
  const problems = labelKey(key);
  if (problems.length > 0) throw unparsable(`key: Invalid value: ${goQuote(key)}: ${problems.join('; ')}`);
}

function checkValue(key: string, value: string): void {
  const problems = labelValue(value);
  if (problems.length > 0) {
    throw unparsable(`values[0][${key}]: Invalid value: ${goQuote(value)}: ${problems.join('; ')}`);
  }
}

function unparsable(because: string, whole?: string): Error {
  const head = whole === undefined ? '' : `unable to parse requirement: `;
  return badRequest(`${head || 'unable to parse requirement: '}${because}`);
}

/** At commas that are not within parentheses. */
function splitTopLevel(text: string): string[] {
  return text.split(/,(?![^(]*\))/);
}

/** https://kubernetes.io/docs/concepts/overview/working-with-objects/field-selectors/ */
function fieldPredicate(kind: ServedKind, text: string): Predicate {
  const terms = splitFields(text).map((term) => fieldTermOf(kind, term, text));
  return (object) => terms.every((holds) => holds(object));
}

function fieldTermOf(kind: ServedKind, term: string, whole: string): Predicate {
  const match = /^((?:[^\\=!]|\\.)*)(!=|==|=)(.*)$/s.exec(term);
  if (!match) throw badRequest(`invalid selector: '${whole}'; can't understand '${term}'`);
  const [, field = '', operator, escaped = ''] = match;
  const value = escaped.replace(/\\(.)/gs, '$1');
  const read = readerOf(kind, field);
  if (!read) throw badRequest(unknownField(kind, field));
  return operator === '!=' ? (object) => read(object) !== value : (object) => read(object) === value;
}

function readerOf(kind: ServedKind, field: string): ((object: KubeObject) => string) | undefined {
  if (field === 'metadata.name') return ({ metadata }) => metadata.name;
  if (field === 'metadata.namespace') return ({ metadata }) => metadata.namespace ?? '';
  return Object.hasOwn(kind.selectableFields, field) ? kind.selectableFields[field] : undefined;
}

function splitFields(text: string): string[] {
  return text.split(/(?<!\\),/).filter((term) => term !== '');
}

/** A kind of the server's own that has no further fields to select by says which there are. */
function unknownField({ selectableFields, shape }: ServedKind, field: string): string {
  return shape.patchType !== undefined && Object.keys(selectableFields).length === 0
    ? `${goQuote(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`
    : `field label not supported: ${field}`;
}
