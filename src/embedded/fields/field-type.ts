import type { Json } from '../../kube/manifest.js';
import { isMap } from '../../kube/plain-map.js';
import type { Segment } from './field-set.js';
import { keySegment, valueSegment } from './segment-form.js';

/**
 * How a value is merged and owned: the part of a schema that server-side apply looks at.
 *
 * https://kubernetes.io/docs/reference/using-api/server-side-apply/#merge-strategy
 */
export type FieldType =
  /** Owned and replaced as one, whatever is inside. What is known of the inside only serves to check what is applied. */
  | {
      readonly type: 'atomic';
      readonly scalar?: 'string' | 'numeric' | 'boolean' | 'any';
      readonly items?: Lazy;
      readonly holds?: Lazy;
    }
  /** Declared fields have types of their own; others are taken by `others`, or deduced. */
  | {
      readonly type: 'struct';
      readonly fields: Readonly<Record<string, Lazy>>;
      readonly others?: Lazy;
      /** May be a scalar or a list instead, owned as one. */
      readonly isOpen?: boolean;
    }
  | { readonly type: 'set'; readonly item?: Lazy }
  /** A list whose items are told apart by `keys`; a missing key counts as its default. */
  | { readonly type: 'listMap'; readonly keys: readonly ListKey[]; readonly item: Lazy }
  /** Without a schema: maps field by field, lists as one. */
  | { readonly type: 'deduced' };

/** Types may contain themselves. */
export type Lazy = () => FieldType;

export interface ListKey {
  readonly name: string;
  readonly default?: Json;
}

export const deduced: FieldType = { type: 'deduced' };

export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** One field of a map: its type, whether the schema declares it, and how sets of fields call it. */
export interface FieldOfMap {
  readonly type: FieldType;
  readonly declared: boolean;
  readonly segment: Segment;
}

/** Declared fields, which are asked for with every object of the type. */
const declaredFields = new WeakMap<FieldType, Map<string, FieldOfMap>>();

export function typeOfField(type: FieldType, name: string): FieldOfMap {
  if (type.type !== 'struct') return { type: deduced, declared: false, segment: `f:${name}` };
  let known = declaredFields.get(type);
  if (!known) {
    known = new Map();
    declaredFields.set(type, known);
  }
  const found = known.get(name);
  if (found) return found;
  const field = Object.hasOwn(type.fields, name) ? type.fields[name] : undefined;
  if (!field) return { type: type.others?.() ?? deduced, declared: false, segment: `f:${name}` };
  const declared = { type: field(), declared: true, segment: `f:${name}` };
  known.set(name, declared);
  return declared;
}

/** As what a value is merged and compared. */
export type Shape = 'leaf' | 'map' | 'set' | 'listMap';

/**
 * What the type says of `value`, whatever that really is: a null for a map counts as an empty one. Only where the type
 * leaves it open the value decides.
 */
export function shapeOf(type: FieldType, value: Json | undefined): Shape {
  switch (type.type) {
    case 'struct':
      return type.isOpen && value !== null && !isMap(value) ? 'leaf' : 'map';
    case 'deduced':
      return value === null || isMap(value) ? 'map' : 'leaf';
    case 'atomic':
      return 'leaf';
    default:
      return type.type;
  }
}

/** The segment of a list item: `k:{"name":"web"}` or `v:"web"`. Undefined for an item that lacks a key. */
export function segmentOf(type: FieldType, item: Json): Segment | undefined {
  if (type.type === 'set') return typeof item === 'object' ? undefined : valueSegment(item);
  if (type.type !== 'listMap' || !isMap(item)) return undefined;
  const said = type.keys.flatMap(({ name, default: standard }) => {
    const value = Object.hasOwn(item, name) ? item[name] : standard;
    return value === undefined ? [] : [[name, value] as const];
  });
  return said.length === 0 ? undefined : keySegment(said);
}

export function equal(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (isList(a) && isList(b)) return a.length === b.length && a.every((item, index) => equal(item, b[index]));
  if (!isMap(a) || !isMap(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && equal(a[key], b[key]));
}
