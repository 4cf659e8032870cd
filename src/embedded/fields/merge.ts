import type { Json } from '../../kube/manifest.js';
import type { JsonMap } from '../../kube/plain-map.js';
import { setOwn } from '../built-in/json-copy.js';
import { listOf, mapOf, UntypedError } from './compare.js';
import { deduced, equal, type FieldType, segmentOf, shapeOf, typeOfField } from './field-type.js';

/** `live` with everything that `applied` says laid over it. Removes nothing: a null for what has something in it is nothing. */
export function merge(live: Json | undefined, applied: Json | undefined, type: FieldType): Json | undefined {
  if (applied === undefined) return live;
  if (live === undefined) return applied;
  const shape = shapeOf(type, applied);
  if (shape === 'map') {
    const [mine, theirs] = [mapOf(live), mapOf(applied)];
    if (mine) return theirs ? mergeMaps(mine, theirs, type) : live;
  } else if (shape !== 'leaf') {
    const [mine, theirs] = [listOf(live), listOf(applied)];
    if (mine) return theirs ? mergeLists(mine, theirs, type) : live;
  }
  return equal(live, applied) ? live : applied;
}

function mergeMaps(live: JsonMap, applied: JsonMap, type: FieldType): Json {
  // What changes nothing stays the same, so that comparing it later costs nothing.
  let merged: Record<string, Json> | undefined;
  for (const name of Object.keys(applied)) {
    const mine = Object.hasOwn(live, name) ? live[name] : undefined;
    const both = merge(mine, applied[name], typeOfField(type, name).type) as Json;
    if (both === mine) continue;
    merged ??= { ...live };
    setOwn(merged, name, both);
  }
  return merged ?? live;
}

/**
 * The items of both lists. Those that both have stand in the order of `applied`; what only `live` has stays where it was
 * among them, as far as that goes. Two fingers move over the lists. An item that `live` has several times is not merged
 * with the applied one, which replaces all of them.
 */
function mergeLists(live: readonly Json[], applied: readonly Json[], type: FieldType): Json {
  const itemType = type.type === 'listMap' ? type.item() : deduced;
  const segment = (item: Json): string => {
    const found = segmentOf(type, item);
    if (found === undefined) throw new UntypedError('a list item has no key');
    return found;
  };
  const [lives, applies] = [live.map(segment), applied.map(segment)];
  const mine = new Map<string, Json | undefined>();
  for (const [index, each] of lives.entries()) mine.set(each, mine.has(each) ? undefined : live[index]);
  const theirs = new Set(applies);
  const shared = applies.filter((each) => mine.has(each));
  const taken = new Set<string>();
  const out: Json[] = [];

  let [l, a] = [0, 0];
  const take = (each: string) => {
    taken.add(each);
    out.push(merge(mine.get(each), applied[a], itemType) as Json);
    a++;
  };
  while (l < lives.length || a < applies.length) {
    const [own, other] = [lives[l], applies[a]];
    if (own !== undefined && own === other) {
      take(own);
      l++;
      shared.shift();
      continue;
    }
    // Its turn comes with the applied list.
    if (own !== undefined && other !== undefined && theirs.has(own) && shared.length > 0 && shared[0] !== own) {
      l++;
      continue;
    }
    if (own !== undefined) {
      if (!theirs.has(own)) {
        out.push(live[l] as Json);
        l++;
        continue;
      }
      if (taken.has(own)) l++;
    }
    if (other !== undefined) {
      take(other);
      if (shared[0] === other) shared.shift();
    }
  }
  const isSame = out.length === live.length && out.every((item, index) => item === live[index]);
  return isSame ? live : out;
}
