/** The order of items in a list in which each has its keys. It matters: variables are expanded, and init containers run in it. */
import { keysOf } from './item-segments.js';

/** An item that is desired, as it is. */
export interface FoundItem {
  readonly segment: string;
  readonly observed: unknown;
}

/** True where `list` does not have the items of `found` one after the other, whatever is between them. */
export function isReordered(found: readonly FoundItem[], list: readonly unknown[]): boolean {
  let from = 0;
  return found.some(({ observed }) => {
    // Each is looked for behind the one before, so that all of a list are found in one go.
    from = list.indexOf(observed, from) + 1;
    return from === 0;
  });
}

/** By what keys the items are called, for people: in the order that is desired, and in that of `list`. */
export function ordersOf(
  found: readonly FoundItem[],
  list: readonly unknown[],
): { readonly desired: readonly string[]; readonly observed: readonly string[] } {
  const there = found.toSorted((a, b) => list.indexOf(a.observed) - list.indexOf(b.observed));
  return { desired: found.map(nameOf), observed: there.map(nameOf) };
}

function nameOf({ segment }: FoundItem): string {
  return (keysOf(segment) ?? []).map(([, value]) => String(value)).join('/');
}
