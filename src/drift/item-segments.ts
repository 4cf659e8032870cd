/** What items of lists are called in `fieldsV1`: `k:{…}` by their keys, `v:…` by the value that a set has. */
import { property } from '../kube/plain-map.js';

/** True for what an item is called, and not a field or the list itself. */
export function isItem(segment: string): boolean {
  return segment.startsWith('k:') || segment.startsWith('v:');
}

/** The segment that stands for `item`: a set's value, or keys that are all there and fit. */
export function exactSegmentOf(item: unknown, segments: readonly string[]): string | undefined {
  return segments.find((segment) =>
    segment.startsWith('v:')
      ? // Not as text: the server escapes other characters than we do.
        JSON.parse(segment.slice(2)) === item
      : keysOf(segment)?.every(([key, value]) => property(item, key) === value),
  );
}

/** The same where a key that is left out has its default. */
export function looseSegmentOf(item: unknown, segments: readonly string[]): string | undefined {
  return segments.find((segment) =>
    keysOf(segment)?.every(([key, value]) => [value, undefined].includes(property(item, key) as typeof value)),
  );
}

/** The segment of an item that nobody has, after one of the same list. Keys that it leaves to their defaults are left out. */
export function missingSegmentOf(item: unknown, sibling: string): string {
  const keys = keysOf(sibling);
  if (!keys) return `v:${JSON.stringify(item)}`;
  return `k:${JSON.stringify(Object.fromEntries(keys.map(([key]) => [key, property(item, key)])))}`;
}

type Keys = readonly (readonly [key: string, value: unknown])[];

/** Those that were asked for of late: the items of a list are called the same in all children of a kind. */
const keysOfLate = new Map<string, Keys>();
const mostKept = 1000;
/** Keys are whatever somebody wrote: longer ones, up to a mebibyte, are parsed anew rather than kept. */
const longestKept = 500;

/** The keys in `segment` and their values; undefined where it is not of an item with keys. */
export function keysOf(segment: string): Keys | undefined {
  if (!segment.startsWith('k:')) return undefined;
  const before = keysOfLate.get(segment);
  if (before) return before;
  const keys = Object.entries(JSON.parse(segment.slice(2)) as object);
  if (segment.length > longestKept) return keys;
  if (keysOfLate.size >= mostKept) keysOfLate.clear();
  keysOfLate.set(segment, keys);
  return keys;
}

/** The item of `observed` that `segment` stands for; where none does, or it is a set's, that which equals `item`. */
export function observedItem(observed: readonly unknown[], item: unknown, segment: string | undefined): unknown {
  const keys = segment === undefined ? undefined : keysOf(segment);
  if (keys) return observed.find((each) => keys.every(([key, value]) => property(each, key) === value));
  return observed.includes(item) ? item : undefined;
}
