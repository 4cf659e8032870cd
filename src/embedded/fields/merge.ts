import type { Json } from '../../kube/manifest.js';
import { bySegment } from './compare.js';
import { deduced, equal, type FieldType, isList, isMap, shapeOf, typeOfField } from './field-type.js';

/** `live` with everything that `applied` says laid over it. Removes nothing. */
export function merge(live: Json | undefined, applied: Json | undefined, type: FieldType): Json | undefined {
  if (applied === undefined) return live;
  if (live === undefined || live === null || applied === null) return applied;
  const shape = shapeOf(type, applied);
  if (shape === 'leaf' || shape !== shapeOf(type, live)) return equal(live, applied) ? live : applied;
  if (isMap(live) && isMap(applied)) return mergeMaps(live, applied, type);
  if (isList(live) && isList(applied)) return mergeLists(live, applied, type);
  return applied;
}

function mergeMaps(live: Record<string, Json>, applied: Record<string, Json>, type: FieldType): Json {
  let merged: Map<string, Json> | undefined;
  for (const [name, value] of Object.entries(applied)) {
    const mine = Object.hasOwn(live, name) ? live[name] : undefined;
    const both = merge(mine, value, typeOfField(type, name).type) as Json;
    if (both === mine) continue;
    merged ??= new Map(Object.entries(live));
    merged.set(name, both);
  }
  // What changes nothing stays the same, so that comparing it later costs nothing. fromEntries defines own properties,
  // so that a key `__proto__` stays data.
  return merged ? Object.fromEntries(merged) : live;
}

/**
 * The items of both lists. Those that both have stand in the order of `applied`; what only `live` has stays where it was
 * among them, as far as that goes. Two fingers move over the lists, and each item is taken once.
 */
function mergeLists(live: readonly Json[], applied: readonly Json[], type: FieldType): Json {
  const itemType = type.type === 'listMap' ? type.item() : deduced;
  const [mine, theirs] = [bySegment(live, type), bySegment(applied, type)];
  const [lives, applies] = [[...mine.keys()], [...theirs.keys()]];
  const shared = applies.filter((segment) => mine.has(segment));
  const taken = new Set<string>();
  const out: Json[] = [];
  const take = (segment: string) => {
    taken.add(segment);
    out.push(merge(mine.get(segment), theirs.get(segment), itemType) as Json);
    if (segment === shared[0]) shared.shift();
  };

  let [l, a] = [0, 0];
  while (l < lives.length || a < applies.length) {
    const [own, other] = [lives[l], applies[a]];
    if (own !== undefined && own === other) {
      take(own);
      l++;
      a++;
    } else if (own !== undefined && !theirs.has(own)) {
      take(own);
      l++;
    } else if (own !== undefined && (taken.has(own) || (other !== undefined && own !== shared[0]))) {
      // Its turn comes, or came, with the applied list.
      l++;
    } else if (other !== undefined) {
      take(other);
      a++;
    } else l++;
  }
  const isSame = out.length === live.length && out.every((item, index) => item === live[index]);
  return isSame ? live : out;
}
