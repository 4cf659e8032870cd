import { evaluate } from '@marcbachmann/cel-js';
import { parseDuration } from '../duration.js';
import { isSameJson } from '../same-json.js';
import { type DeclType, metadataSchema } from './decl-type.js';
import { UnfitValue, unfit } from './unfit-value.js';
import { typedList } from './unordered-lists.js';

/** A span of time, as the library has it. */
export interface Duration {
  readonly seconds: bigint;
  readonly nanos: number;
  getHours(): bigint;
  getMinutes(): bigint;
  getSeconds(): bigint;
  getMilliseconds(): bigint;
}

type DurationConstructor = new (seconds: bigint, nanos: number) => Duration;
let known: DurationConstructor | undefined;

/** The library's own class of durations, which it does not export: had by an evaluation, which takes time at a start. */
export function durationClass(): DurationConstructor {
  known ??= evaluate('duration("0s")').constructor as DurationConstructor;
  return known;
}

/**
 * An object under a schema, by escaped names, or the variables of a rule by theirs. Each object type has a class of its
 * own, by which CEL knows its type.
 */
export class CelObject extends Map<string, unknown> {
  override get(name: string): unknown {
    const value = super.get(name);
    if (value instanceof UnfitValue) throw new Error(value.message);
    return value;
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
      return Uint8Array.from(Buffer.from(value as string, 'base64'));
    case 'duration':
      return durationValue(value as string);
    case 'timestamp':
      return new Date(value as string);
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

/** The span that `text` says, in whole seconds and what is beyond them, which is never negative. */
export function durationValue(text: string): Duration {
  const nanoseconds = parseDuration(text) ?? 0n;
  const beyond = ((nanoseconds % second) + second) % second;
  return new (durationClass())((nanoseconds - beyond) / second, Number(beyond));
}

const second = 1_000_000_000n;

/** Equality of CEL values, through objects, lists and maps; a whole number equals the same number as a float. */
export function celEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a === 'bigint' && typeof b === 'number') return Number.isInteger(b) && a === BigInt(b);
  if (typeof a === 'number' && typeof b === 'bigint') return celEqual(b, a);
  if (a instanceof Map && b instanceof Map) {
    return a.size === b.size && [...a].every(([key, item]) => b.has(key) && celEqual(item, b.get(key)));
  }
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => celEqual(item, b[index]));
  }
  if (a instanceof Unseen && b instanceof Unseen) return isSameJson(a.json, b.json);
  if (a instanceof Date && b instanceof Date) return a.getTime() === b.getTime();
  if (a instanceof Uint8Array && b instanceof Uint8Array) return Buffer.compare(a, b) === 0;
  if (a instanceof durationClass() && b instanceof durationClass())
    return a.seconds === b.seconds && a.nanos === b.nanos;
  return false;
}
