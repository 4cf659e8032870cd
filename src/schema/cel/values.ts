import { Optional } from '@marcbachmann/cel-js';
import { isSameJson } from '../same-json.js';
import { type DeclType, metadataSchema } from './decl-type.js';
import { durationClass } from './duration-class.js';
import { selectedName } from './escape.js';
import { durationValue, nanosecondsOf, timeValue } from './times.js';
import { UnfitValue, unfit } from './unfit-value.js';
import { itself, keyOfItems, refuseUnhashable, typedList } from './unordered-lists.js';

/**
 * An object under a schema, by escaped names, or the variables of a rule by theirs. Each object type has a class of its
 * own, by which CEL knows its type.
 */
export class CelObject extends Map<string, unknown> {
  override get(name: string): unknown {
    const value = super.get(selectedName(name));
    if (value instanceof UnfitValue) throw new Error(value.message);
    return value;
  }

  override has(name: string): boolean {
    return super.has(selectedName(name));
  }
}

/** What of an object no rule can name, but `==` compares: null, of which `has` says no, and what has no type or no name in CEL. */
class Unseen {
  constructor(readonly json: unknown) {}
}

/** The class of each object type. */
export type ObjectClasses = ReadonlyMap<DeclType, typeof CelObject>;

/**
 * `value` as CEL sees it: whole numbers are bigint, formatted strings are what their format says, and what is not of its
 * type is an `UnfitValue`.
 */
export function celValue(type: DeclType, value: unknown, classes: ObjectClasses): unknown {
  if (value === null || value === undefined) return null;
  const wrong = unfit(type, value);
  if (wrong) return wrong;
  switch (type.kind) {
    case 'int':
      return BigInt(value as number);
    case 'dyn':
      return typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : value;
    case 'bytes':
      return bytes(value as string);
    case 'duration':
      return read(value as string, 'duration', durationValue);
    case 'timestamp':
      return read(value as string, 'date-time formatted string', timeValue);
    case 'list':
      return typedList(
        (value as readonly unknown[]).map((item) => celValue(type.element!, item, classes)),
        type.schema,
      );
    case 'map':
      return new Map(
        Object.entries(value as object).map(([key, item]) => [key, celValue(type.element!, item, classes)]),
      );
    case 'object': {
      const ObjectClass = classes.get(type) ?? CelObject;
      const fields = value as Readonly<Record<string, unknown>>;
      const result = new ObjectClass();
      const unseen = new Set(Object.keys(fields));
      for (const [escaped, { name, type: fieldType }] of type.fields ?? []) {
        if (!Object.hasOwn(fields, name) || fields[name] === null) continue;
        result.set(escaped, celValue(fieldType, fields[name], classes));
        unseen.delete(name);
      }
      // Of metadata rules know the name alone. No name that can be written begins so.
      if (type.schema === metadataSchema) return result;
      for (const name of unseen) if (fields[name] !== undefined) result.set(`\0${name}`, new Unseen(fields[name]));
      return result;
    }
    default:
      return value;
  }
}

/**
 * The server reads bytes for rules as it does not read them anywhere else: two signs that the format `byte` takes are none to it.
 * https://github.com/kubernetes/kubernetes/blob/v1.36.3/staging/src/k8s.io/apiserver/pkg/cel/common/values.go
 */
function bytes(text: string): unknown {
  const strange = text.search(/[+/]/);
  if (strange < 0) return Uint8Array.from(Buffer.from(text, 'base64'));
  return new UnfitValue(`Invalid byte formatted string ${text}: illegal base64 data at input byte ${strange}`);
}

/** What was stored before its format was asked for, or lies beyond all times, is an error for whichever rule comes upon it. */
function read(text: string, what: string, parse: (text: string) => unknown): unknown {
  try {
    return parse(text);
  } catch {
    return new UnfitValue(`Invalid ${what} ${text}`);
  }
}

/**
 * Equality of CEL values, through objects, lists and maps, in sets and list maps of the left whatever their order; a whole number
 * equals the same number as a float.
 */
export function celEqual(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b) && a.length === b.length && keyOfItems(a) === itself) refuseUnhashable(a);
  if (a === b) return true;
  if (typeof a === 'bigint' && typeof b === 'number') return Number.isInteger(b) && a === BigInt(b);
  if (typeof a === 'number' && typeof b === 'bigint') return celEqual(b, a);
  if (a instanceof Map && b instanceof Map) {
    return a.size === b.size && [...a].every(([key, item]) => b.has(key) && celEqual(item, b.get(key)));
  }
  if (Array.isArray(a) && Array.isArray(b)) {
    if (a.length !== b.length) return false;
    const keyOf = keyOfItems(a);
    if (keyOf === undefined) return a.every((item, index) => celEqual(item, b[index]));
    return b.every((item) =>
      celEqual(
        a.find((other) => celEqual(keyOf(other), keyOf(item))),
        item,
      ),
    );
  }
  if (a instanceof Unseen && b instanceof Unseen) return isSameJson(a.json, b.json);
  if (a instanceof Date && b instanceof Date) return nanosecondsOf(a) === nanosecondsOf(b);
  if (a instanceof Uint8Array && b instanceof Uint8Array) return Buffer.compare(a, b) === 0;
  if (a instanceof Optional && b instanceof Optional) {
    return a.hasValue() && b.hasValue() ? celEqual(a.value(), b.value()) : a.hasValue() === b.hasValue();
  }
  if (a instanceof durationClass() && b instanceof durationClass())
    return a.seconds === b.seconds && a.nanos === b.nanos;
  return false;
}
