import type { Json } from '../../kube/manifest.js';
import { isMap, type JsonMap } from '../../kube/plain-map.js';
import { mostStrict } from '../built-in/decoding.js';
import { normalTime, TimeError, timeLayout } from '../built-in/go-time.js';

/** `metadata` as the server keeps it, and the fields that it does not know, by their paths below it. */
export interface DecodedMeta {
  readonly metadata: Record<string, unknown>;
  readonly unknown: readonly string[];
}

/** `metadata` that is no ObjectMeta, in the words of Go's decoder. */
export class MetaError extends Error {
  override readonly name = 'MetaError';
}

type Reader = (value: Json, place: Place) => unknown;

/** Where a value stands: the Go struct, and the path from ObjectMeta down. */
interface Place {
  readonly struct: string;
  readonly path: string;
  readonly shown: string;
  readonly unknown: string[];
  /** The first value of a wrong type. Decoding goes on, for a time that cannot be read ends it, and counts before. */
  readonly wrong: { first?: MetaError };
}

interface Struct {
  readonly name: string;
  readonly fields: Readonly<Record<string, Reader>>;
  /** Kept even when empty. */
  readonly always: ReadonlySet<string>;
}

/**
 * Reads `metadata` of a custom resource or of an object in one: unknown fields, nulls and empty values are dropped.
 * Throws a `MetaError` when a value has the wrong type.
 */
export function decodeMeta(value: Json): DecodedMeta {
  const unknown: string[] = [];
  if (value === null) return { metadata: {}, unknown };
  if (!isMap(value))
    throw new MetaError(`json: cannot unmarshal ${typeName(value)} into Go value of type v1.ObjectMeta`);
  const wrong: Place['wrong'] = {};
  const metadata = read(objectMeta, value, { struct: 'ObjectMeta', path: '', shown: '', unknown, wrong });
  if (wrong.first) throw wrong.first;
  return { metadata, unknown };
}

function read(struct: Struct, value: JsonMap, place: Place): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  // The server decodes what it has just encoded, so it looks at fields in the order of their names.
  const names = isSorted(value) ? Object.keys(value) : Object.keys(value).sort();
  for (const name of names) {
    const reader = Object.hasOwn(struct.fields, name) ? struct.fields[name] : undefined;
    if (!reader) {
      if (place.unknown.length < mostStrict) place.unknown.push(`${place.shown}${name}`);
      continue;
    }
    const child = value[name] as Json;
    if (child === null) continue;
    const path = place.path === '' ? name : `${place.path}.${name}`;
    const kept = reader(child, { ...place, struct: struct.name, path, shown: `${place.shown}${name}` });
    if (kept !== undefined) result[name] = kept;
  }
  for (const name of struct.always) result[name] ??= '';
  return result;
}

function isSorted(value: JsonMap): boolean {
  let before = '';
  for (const name in value) {
    if (name < before) return false;
    before = name;
  }
  return true;
}

const text: Reader = (value, place) => {
  if (typeof value !== 'string') return mistyped(value, place, 'string');
  return value === '' ? undefined : value;
};

const uid: Reader = (value, place) => {
  if (typeof value !== 'string') return mistyped(value, place, 'types.UID');
  return value === '' ? undefined : value;
};

const flag: Reader = (value, place) => {
  if (typeof value !== 'boolean') return mistyped(value, place, 'bool');
  return value;
};

const whole: Reader = (value, place) => {
  if (typeof value !== 'number') return mistyped(value, place, 'int64');
  if (!Number.isInteger(value)) return mistyped(value, place, 'int64', `number ${value}`);
  return value;
};

const nonZero: Reader = (value, place) => whole(value, place) || undefined;

const texts: Reader = (value, place) => {
  if (!Array.isArray(value)) return mistyped(value, place, '[]string');
  for (const item of value as readonly Json[]) {
    if (item !== null && typeof item !== 'string') mistyped(item, place, 'string');
  }
  return value.length === 0 ? undefined : (value as readonly Json[]).map((item) => item ?? '');
};

const textMap: Reader = (value, place) => {
  if (!isMap(value)) return mistyped(value, place, 'map[string]string');
  const names = Object.keys(value);
  if (names.length === 0) return undefined;
  const result: Record<string, unknown> = {};
  for (const name of names) {
    const child = value[name] as Json;
    if (child !== null && typeof child !== 'string') mistyped(child, place, 'string');
    result[name] = child ?? '';
  }
  return result;
};

const time: Reader = (value, place) => {
  if (typeof value !== 'string') throw mismatch(value, place, 'string');
  try {
    return normalTime(value, timeLayout) ?? undefined;
  } catch (error) {
    throw error instanceof TimeError ? new MetaError(error.message) : error;
  }
};

/** Whether a value that was merged into metadata is a time. Any other is taken for none. */
export function isMoment(value: Json): boolean {
  try {
    return typeof value === 'string' && normalTime(value, timeLayout) !== null;
  } catch (error) {
    if (error instanceof TimeError) return false;
    throw error;
  }
}

const anyMap: Reader = (value) => (isMap(value) ? value : undefined);

function listOf(struct: Struct, type: string): Reader {
  return (value, place) => {
    if (!Array.isArray(value)) return mistyped(value, place, `[]v1.${struct.name}`);
    if (value.length === 0) return undefined;
    return (value as readonly Json[]).map((item, index) => {
      if (item !== null && !isMap(item)) return mistyped(item, place, type);
      return read(struct, item ?? {}, { ...place, shown: `${place.shown}[${index}].` });
    });
  };
}

const ownerReference: Struct = {
  name: 'OwnerReference',
  fields: { apiVersion: text, kind: text, name: text, uid, controller: flag, blockOwnerDeletion: flag },
  always: new Set(['apiVersion', 'kind', 'name', 'uid']),
};

const managedFieldsEntry: Struct = {
  name: 'ManagedFieldsEntry',
  fields: {
    manager: text,
    operation: text,
    apiVersion: text,
    time,
    fieldsType: text,
    fieldsV1: anyMap,
    subresource: text,
  },
  always: new Set(),
};

const objectMeta: Struct = {
  name: 'ObjectMeta',
  fields: {
    name: text,
    generateName: text,
    namespace: text,
    selfLink: text,
    uid,
    resourceVersion: text,
    generation: nonZero,
    creationTimestamp: time,
    deletionTimestamp: time,
    deletionGracePeriodSeconds: whole,
    labels: textMap,
    annotations: textMap,
    ownerReferences: listOf(ownerReference, 'v1.OwnerReference'),
    finalizers: texts,
    managedFields: listOf(managedFieldsEntry, 'v1.ManagedFieldsEntry'),
  },
  always: new Set(),
};

function mistyped(value: Json, place: Place, type: string, shown?: string): undefined {
  place.wrong.first ??= mismatch(value, place, type, shown);
}

function mismatch(value: Json, { struct, path }: Place, type: string, shown = typeName(value)): MetaError {
  return new MetaError(`json: cannot unmarshal ${shown} into Go struct field ${struct}.${path} of type ${type}`);
}

function typeName(value: Json): string {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'boolean') return 'bool';
  return typeof value;
}
