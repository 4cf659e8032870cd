import { pointerStep } from '../kube/json-pointer.js';
import { isMap, property } from '../kube/plain-map.js';
import { keysOf } from './item-segments.js';

/**
 * The values to which `trail` leads from `value`, in the segments of `fieldsV1`. Of a list these are all items that have the
 * keys of a segment: that of an item which nobody has may lack some.
 */
export function valuesAt(value: unknown, trail: readonly string[]): readonly unknown[] {
  return trail.reduce<readonly unknown[]>((at, segment) => at.flatMap((each) => childrenAt(each, segment)), [value]);
}

function childrenAt(value: unknown, segment: string): readonly unknown[] {
  if (Array.isArray(value) && segment.startsWith('k:')) {
    return value.filter((item) => indexAt([item], segment, 'exactly') === 0);
  }
  const child = childAt(value, segment, 'exactly');
  return child === undefined ? [] : [child];
}

/** The value to which a segment of `fieldsV1` leads from `value`. In what is desired, keys may be left to their defaults. */
export function childAt(value: unknown, segment: string, how: 'exactly' | 'loosely'): unknown {
  const name = segment.slice(2);
  if (segment.startsWith('f:')) return property(value, name);
  if (!Array.isArray(value)) return undefined;
  const index = indexAt(value, segment, how);
  return index < 0 ? undefined : value[index];
}

/** Where in a JSON patch of `value` that is to which `trail` leads; undefined where there is nothing. */
export function pointerTo(value: unknown, trail: readonly string[]): string | undefined {
  let [at, pointer] = [value, ''];
  for (const segment of trail) {
    pointer += `/${tokenOf(at, segment)}`;
    at = childAt(at, segment, 'exactly');
    if (at === undefined) return undefined;
  }
  return pointer;
}

/** A segment of `fieldsV1` as a token of a JSON pointer into `value`. */
export function tokenOf(value: unknown, segment: string): string {
  return Array.isArray(value) ? String(indexAt(value, segment, 'exactly')) : pointerStep(segment.slice(2));
}

/** Where in a list the item of a segment is, or -1. One that has all keys comes before one that leaves some to their defaults. */
export function indexAt(list: readonly unknown[], segment: string, how: 'exactly' | 'loosely'): number {
  const keys = keysOf(segment);
  // Not as text: the server escapes other characters than we do.
  if (!keys) return list.indexOf(JSON.parse(segment.slice(2)) as unknown);
  const fits = (item: unknown, isLoose: boolean) =>
    isMap(item) && keys.every(([key, value]) => item[key] === value || (isLoose && item[key] === undefined));
  const exact = list.findIndex((item) => fits(item, false));
  return exact >= 0 || how === 'exactly' ? exact : list.findIndex((item) => fits(item, true));
}

/** True when the field of the second segment is one of the keys of the first, which is that of an item. */
export function isKeyOf(item: string, field: string): boolean {
  return keysOf(item)?.some(([key]) => key === field.slice(2)) === true;
}
