import type { KubeObject } from '../../kube/manifest.js';
import { goQuote } from '../../schema/go-format.js';
import type { Selection } from '../api-server.js';
import type { ServedKind } from '../kinds/served-kind.js';
import { badRequest } from '../status-error.js';
import { labelQuery } from './label-query.js';

export type Predicate = (object: KubeObject) => boolean;

/**
 * Reads the selectors of a request, and says then which objects of a kind are meant. Throws a `StatusError` (400) for a
 * selector that cannot be read, and later for a field that the kind does not know: in between the server judges the rest
 * of the request.
 */
export function readSelectors({
  labelSelector,
  fieldSelector,
}: Selection): (kind: ServedKind) => Predicate | undefined {
  const byLabels = labelSelector ? labelPredicate(labelSelector) : undefined;
  const terms = fieldSelector ? splitFields(fieldSelector).map((term) => termOf(term, fieldSelector)) : undefined;
  return (kind) => {
    const byFields = terms && fieldPredicate(kind, terms);
    if (!byLabels || !byFields) return byLabels ?? byFields;
    return (object) => byLabels(object) && byFields(object);
  };
}

/** The one value that a selection lets through of a field, if it names one. */
export function onlyValueOf({ fieldSelector }: Selection, field: string): string | undefined {
  if (!fieldSelector) return undefined;
  const terms = splitFields(fieldSelector).map((term) => termOf(term, fieldSelector));
  return terms.find((term) => term.field === field && !term.isDenied)?.value;
}

/**
 * The name that a list or a watch counts as one of, so that it takes no right to any other. None where the selection cannot be
 * read.
 */
export function soughtName(selection: Selection): string | undefined {
  if (!selection.fieldSelector) return undefined;
  try {
    readSelectors(selection);
    const name = onlyValueOf(selection, 'metadata.name');
    return name === undefined || /^\.\.?$|[/%]/.test(name) ? undefined : name;
  } catch {
    return undefined;
  }
}

function labelPredicate(text: string): Predicate {
  const holds = labelQuery(text);
  return ({ metadata: { labels = none } }) => holds(labels);
}

const none = {};

interface Term {
  readonly field: string;
  readonly value: string;
  readonly isDenied: boolean;
}

/** https://kubernetes.io/docs/concepts/overview/working-with-objects/field-selectors/ */
function termOf(term: string, whole: string): Term {
  const match = /^(.*?)(!=|==|=)(.*)$/s.exec(term);
  if (!match) throw badRequest(`invalid selector: '${whole}'; can't understand '${term}'`);
  const [, field = '', operator, escaped = ''] = match;
  return { field, value: unescaped(escaped), isDenied: operator === '!=' };
}

function unescaped(text: string): string {
  return text.replace(/\\(.?)|=/gsu, (part, character: string | undefined) => {
    if (character === undefined) throw unreadable(`unescaped character in value: ${part.charCodeAt(0)}`);
    if (!['\\', ',', '='].includes(character)) throw unreadable(`invalid escape sequence: ${part}`);
    return character;
  });
}

function unreadable(why: string): Error {
  return badRequest(`invalid field selector: ${why}`);
}

function fieldPredicate(kind: ServedKind, terms: readonly Term[]): Predicate {
  const all = terms.map(({ field, value, isDenied }): Predicate => {
    const read = readerOf(kind, field);
    if (!read) throw badRequest(unknownField(kind, field));
    return (object) => (read(object) === value) !== isDenied;
  });
  return (object) => all.every((holds) => holds(object));
}

function readerOf(kind: ServedKind, field: string): ((object: KubeObject) => string) | undefined {
  if (field === 'metadata.name') return ({ metadata }) => metadata.name;
  if (field === 'metadata.namespace') return ({ metadata }) => metadata.namespace ?? '';
  return Object.hasOwn(kind.selectableFields, field) ? kind.selectableFields[field] : undefined;
}

function splitFields(text: string): string[] {
  return text.match(/(?:\\.|[^,\\]|\\$)+/gsu) ?? [];
}

/** A kind of the server's own that has no further fields to select by says which there are. */
function unknownField({ selectableFields, shape, storage, kind }: ServedKind, field: string): string {
  if (storage === 'jobs.batch') return `field label ${goQuote(field)} not supported for ${kind}`;
  return shape.patchType !== undefined && Object.keys(selectableFields).length === 0
    ? `${goQuote(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`
    : `field label not supported: ${field}`;
}
