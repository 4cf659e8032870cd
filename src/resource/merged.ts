import { canonical } from '../kube/canonical-json.js';
import { isMap } from '../kube/plain-map.js';
import { isSameJson } from '../schema/same-json.js';
import { propertyOf, type StructuralSchema } from '../schema/structural.js';

type JsonMap = Readonly<Record<string, unknown>>;
type List = readonly unknown[];

/**
 * `stored` with what differs between `before` and `after`: what somebody was shown of it, and what he wrote back.
 *
 * Maps are merged field by field; list maps and sets item by item, in the order that was written, with what was not shown
 * behind it. Of any other list an item that was written as it was shown is the stored one, and the rest is taken as written.
 */
export function merged(
  schema: StructuralSchema | undefined,
  stored: unknown,
  before: unknown,
  after: unknown,
): unknown {
  if (isSameJson(before, after)) return stored;
  if (isMap(stored) && isMap(before) && isMap(after)) return mergedMap(schema, stored, before, after);
  if (!Array.isArray(stored) || !Array.isArray(before) || !Array.isArray(after)) return after;
  const keys = schema && keysOf(schema);
  return keys ? mergedByKey(schema, keys, stored, before, after) : mergedByPlace(stored, before, after);
}

function mergedMap(schema: StructuralSchema | undefined, stored: JsonMap, before: JsonMap, after: JsonMap): JsonMap {
  const result = new Map(Object.entries(stored));
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [had, was, is] = [own(stored, name), own(before, name), own(after, name)];
    if (isSameJson(was, is)) continue;
    const below = schema && (propertyOf(schema, name) ?? schema.additionalProperties);
    if (is === undefined) result.delete(name);
    else result.set(name, merged(below, had, was, is));
  }
  // fromEntries, because a field may well be called __proto__.
  return Object.fromEntries(result);
}

const own = (map: JsonMap, name: string): unknown => (Object.hasOwn(map, name) ? map[name] : undefined);

/** What tells the items of a list apart; undefined where their places do. */
function keysOf(schema: StructuralSchema): ((item: unknown) => unknown) | undefined {
  if (schema['x-kubernetes-list-type'] === 'set') return (item) => item;
  if (schema['x-kubernetes-list-type'] !== 'map') return undefined;
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  return (item) => keys.map((key) => (isMap(item) ? (own(item, key) ?? null) : null));
}

function mergedByKey(
  schema: StructuralSchema,
  keyOf: (item: unknown) => unknown,
  stored: List,
  before: List,
  after: List,
): List {
  const textOf = (item: unknown) => canonical(keyOf(item));
  /** The first of each key. Whoever writes a list makes it as long as he likes: none is gone through for each item. */
  const byKey = (list: List) => new Map(list.toReversed().map((item) => [textOf(item), item]));
  const [had, was, is] = [byKey(stored), byKey(before), byKey(after)];
  const unseen = stored.map(textOf).flatMap((key, index) => (was.has(key) || is.has(key) ? [] : [stored[index]]));
  const written = after.map((item) => merged(schema.items, had.get(textOf(item)), was.get(textOf(item)), item));
  // What was shown, is not stored and was left alone is still not stored.
  return [...written.filter((item) => item !== undefined), ...unseen];
}

/** Where fewer or more were shown than are stored, nobody knows which is which. */
function mergedByPlace(stored: List, before: List, after: List): List {
  if (stored.length !== before.length) return after;
  const isLeft = (index: number) =>
    index < Math.min(before.length, after.length) && isSameJson(before[index], after[index]);
  /** By what was shown and is not there any more, the places where it was, the first one last. */
  const places = new Map<string, number[]>();
  for (const index of [...before.keys()].reverse()) {
    if (isLeft(index)) continue;
    const item = canonical(before[index]);
    const known = places.get(item);
    if (known) known.push(index);
    else places.set(item, [index]);
  }
  return after.map((item, index) => {
    const from = isLeft(index) ? index : places.get(canonical(item))?.pop();
    return from === undefined ? item : stored[from];
  });
}
