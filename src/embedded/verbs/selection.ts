import type { KubeObject } from '../../kube/manifest.js';
import { goQuote } from '../../schema/go-format.js';
import type { Selection } from '../api-server.js';
import type { ServedKind } from '../kinds/served-kind.js';
import { badRequest } from '../status-error.js';
import { labelQuery } from './label-query.js';

export type Predicate = (object: KubeObject) => boolean;

/** Which objects of a kind are meant. Throws a `StatusError` (400) for a selector that cannot be read. */
export function predicateOf(kind: ServedKind, { labelSelector, fieldSelector }: Selection): Predicate | undefined {
  const byLabels = labelSelector ? labelPredicate(labelSelector) : undefined;
  const byFields = fieldSelector ? fieldPredicate(kind, fieldSelector) : undefined;
  if (!byLabels || !byFields) return byLabels ?? byFields;
  return (object) => byLabels(object) && byFields(object);
}

function labelPredicate(text: string): Predicate {
  const holds = labelQuery(text);
  return ({ metadata: { labels = none } }) => holds(labels);
}

const none = {};

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
