import type { Json } from '../../kube/manifest.js';
import { isMap } from '../../kube/plain-map.js';
import { isList } from '../fields/field-type.js';
import { panicked } from '../status-error.js';
import { goTypeOf, goValue } from './go-value.js';
import { badFormat, listsOfLists, noMergeKey, patchError, wrongType } from './patch-error.js';

/** What tells items of a list apart: the value of the merge key, or the item itself when there is no merge key. */
function keyOf(item: Json, mergeKey: string): Json {
  const key = mergeKey === '' ? item : mergeValueOf(item, mergeKey);
  if (isMap(key) || isList(key)) throw panicked();
  return key;
}

export function mergeValueOf(item: Json, mergeKey: string): Json {
  if (!isMap(item)) throw wrongType({}, item);
  if (!Object.hasOwn(item, mergeKey)) throw noMergeKey(item, mergeKey);
  return item[mergeKey] as Json;
}

/** Whether the items are maps. All items have to be of one type, which may not be a list. */
export function hasMaps(...lists: readonly (readonly Json[])[]): boolean {
  let first: Json | undefined;
  for (const item of lists.flat(1)) {
    if (first === undefined) {
      if (isList(item)) throw listsOfLists();
      if (item === null) throw panicked();
      first = item;
    } else if (goTypeOf(item) !== goTypeOf(first)) {
      throw patchError(`list element types are not identical: ${goValue(lists)}`);
    }
  }
  if (first === undefined) throw patchError('no elements in any of the given slices');
  return isMap(first);
}

/**
 * The items of a merged list in their final order. Items that `byPatch` names keep its order, the others that of `live`,
 * and the two are woven together as they stood in `live`, as far as that goes.
 */
export function inOrder(
  items: readonly Json[],
  byPatch: readonly Json[],
  patchOrder: readonly Json[],
  live: readonly Json[],
  mergeKey: string,
): Json[] {
  const named = ranksOf(byPatch, mergeKey);
  const ranks = ranksOf(live, mergeKey);
  const [ours, theirs]: [Json[], Json[]] = [[], []];
  for (const item of items) (named.has(keyOf(item, mergeKey)) ? ours : theirs).push(item);
  sort(ours, patchOrder === byPatch ? named : ranksOf(patchOrder, mergeKey), mergeKey);
  sort(theirs, ranks, mergeKey);

  const woven: Json[] = [];
  let next = 0;
  for (const item of ours) {
    const place = ranks.get(keyOf(item, mergeKey));
    while (place !== undefined && next < theirs.length) {
      const other = ranks.get(keyOf(theirs[next] as Json, mergeKey));
      if (other === undefined || other >= place) break;
      woven.push(theirs[next++] as Json);
    }
    woven.push(item);
  }
  return woven.concat(theirs.slice(next));
}

function ranksOf(list: readonly Json[], mergeKey: string): Map<Json, number> {
  const ranks = new Map<Json, number>();
  list.forEach((item, index) => {
    if (mergeKey !== '' && !isMap(item)) throw patchError(`value for key ${index} is not a map`);
    const key = keyOf(item, mergeKey);
    if (!ranks.has(key)) ranks.set(key, index);
  });
  return ranks;
}

/** By insertion, and an item without a rank goes before all others: the order that upstream's comparison leads to. */
function sort(items: Json[], ranks: ReadonlyMap<Json, number>, mergeKey: string): void {
  const rankOf = (index: number) => ranks.get(keyOf(items[index] as Json, mergeKey));
  for (let start = 1; start < items.length; start++) {
    for (let index = start; index > 0; index--) {
      const [before, here] = [rankOf(index - 1), rankOf(index)];
      if (before !== undefined && here !== undefined && here >= before) break;
      [items[index - 1], items[index]] = [items[index] as Json, items[index - 1] as Json];
    }
  }
}

/** Items of the patch have to come in the order that `$setElementOrder` gives, and be named there. */
export function checkOrder(patchList: readonly Json[], order: readonly Json[], mergeKey: string): void {
  if (order.length === 0 || patchList.length === 0) return;
  const kept = mergeKey === '' ? patchList : patchList.filter((item) => !isDeletion(item));
  let index = 0;
  for (let place = 0; index < kept.length && place < order.length; ) {
    const item = kept[index] as Json;
    if (isMap(item) && Object.hasOwn(item, '$patch')) {
      index++;
      continue;
    }
    const other = order[place++] as Json;
    const [ours, theirs] =
      mergeKey === '' ? [item, other] : [mergeValueOf(item, mergeKey), mergeValueOf(other, mergeKey)];
    if ((isMap(ours) && isMap(theirs)) || (isList(ours) && isList(theirs))) throw panicked();
    if (ours === theirs) index++;
    if (place >= order.length && index < kept.length) {
      throw patchError(
        `The order in patch list:\n${goValue(patchList)}\n doesn't match $setElementOrder list:\n${goValue(order)}\n`,
      );
    }
  }
}

function isDeletion(item: Json): boolean {
  if (!isMap(item)) throw wrongType({}, item);
  return Object.hasOwn(item, '$patch') && item['$patch'] === 'delete';
}

/** The name of the field in a key such as `$setElementOrder/containers`. */
export function fieldNamedBy(directive: string, prefix: string): string {
  if (!directive.startsWith(`${prefix}/`)) {
    throw badFormat(prefix === '$setElementOrder' ? 'setElementOrder list' : 'primitive list');
  }
  return directive.slice(prefix.length + 1);
}
