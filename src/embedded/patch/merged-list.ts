import type { Json } from '../../kube/manifest.js';
import { isMap, type JsonMap } from '../../kube/plain-map.js';
import { panicked } from '../status-error.js';
import { hasMaps, inOrder, mergeValueOf } from './element-order.js';
import { noMergeKey, patchError, unknownDirective } from './patch-error.js';

/**
 * `live` with the items of `patch` merged into it: scalars as a set, maps by their merge key. With `isDeletion`, `patch`
 * names the scalars to drop.
 *
 * `live` is changed, in the way in which upstream changes the array under its slice: what is left of it decides about
 * the order that `$setElementOrder` leads to.
 */
export function mergedList(
  live: Json[],
  patch: readonly Json[],
  mergeKey: string,
  isDeletion: boolean,
  mergeItem: (item: JsonMap, patch: JsonMap) => JsonMap,
): readonly Json[] {
  if (live.length === 0 && patch.length === 0) return live;
  if (!hasMaps(live, patch)) {
    if (isDeletion) return live.filter((value) => !patch.includes(value));
    return inOrder([...new Set([...live, ...patch])], patch, patch, live, mergeKey);
  }
  if (mergeKey === '') throw patchError('cannot merge lists without merge key for struct');

  const rest = (patch as readonly JsonMap[]).filter((value) => !isDirective(value, mergeKey));
  if ((patch as readonly JsonMap[]).some((value) => value['$patch'] === 'replace')) {
    return inOrder(rest, [], [], rest, mergeKey);
  }
  const items = without(live, patch as readonly JsonMap[], mergeKey);
  const before = [...items];
  for (const value of rest) {
    const key = mergeValueOf(value, mergeKey);
    const index = items.findIndex((other) => matches(other, mergeKey, key));
    if (index >= 0) items[index] = mergeItem(items[index] as JsonMap, value);
    else {
      // Upstream appends where the deleted items were.
      if (items.length < live.length) live[items.length] = value;
      items.push(value);
    }
  }
  return inOrder(items, rest, rest, before, mergeKey);
}

/** Checks a directive on the way. */
function isDirective(item: JsonMap, mergeKey: string): boolean {
  if (!Object.hasOwn(item, '$patch')) return false;
  const directive = item['$patch'] as Json;
  if (directive === 'merge') throw patchError('merging lists cannot yet be specified in the patch');
  if (directive !== 'delete' && directive !== 'replace') throw unknownDirective(directive, item);
  if (directive === 'delete' && !Object.hasOwn(item, mergeKey)) throw noMergeKey(item, mergeKey);
  return true;
}

/** What deletions leave. `live` keeps its length: its items move up, and the last ones stay as they were. */
function without(live: Json[], patch: readonly JsonMap[], mergeKey: string): Json[] {
  let length = live.length;
  for (const item of patch) {
    if (!Object.hasOwn(item, '$patch')) continue;
    for (let index = 0; index < length; ) {
      if (matches(live[index] as Json, mergeKey, item[mergeKey] as Json)) live.copyWithin(index, index + 1, length--);
      else index++;
    }
  }
  return live.slice(0, length);
}

function matches(item: Json, mergeKey: string, key: Json): boolean {
  if (!isMap(item) || !Object.hasOwn(item, mergeKey)) return false;
  const own = item[mergeKey] as Json;
  if (typeof own === 'object' && own !== null && typeof key === 'object' && key !== null) throw panicked();
  return own === key;
}
