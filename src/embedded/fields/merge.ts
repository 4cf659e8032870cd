import type { Json } from '../../kube/manifest.js';
import { bySegment } from './compare.js';
import { deduced, type FieldType, isList, isMap, segmentOf, shapeOf, typeOfField } from './field-type.js';

/** `live` with everything that `applied` says laid over it. Removes nothing. */
export function merge(live: Json | undefined, applied: Json | undefined, type: FieldType): Json | undefined {
  if (applied === undefined) return live;
  if (live === undefined || live === null || applied === null) return applied;
  const shape = shapeOf(type, applied);
  if (shape === 'leaf' || shape !== shapeOf(type, live)) return applied;
  if (isMap(live) && isMap(applied)) return mergeMaps(live, applied, type);
  if (isList(live) && isList(applied)) return mergeLists(live, applied, type);
  return applied;
}

function mergeMaps(live: Record<string, Json>, applied: Record<string, Json>, type: FieldType): Json {
  const merged = new Map<string, Json>(Object.entries(live));
  for (const [name, value] of Object.entries(applied)) {
    merged.set(name, merge(merged.get(name), value, typeOfField(type, name).type) as Json);
  }
  // fromEntries defines own properties, so that a key `__proto__` stays data.
  return Object.fromEntries(merged);
}

/** Items that both have stand in the order of `applied`; an item that only `live` has keeps its place before them. */
function mergeLists(live: readonly Json[], applied: readonly Json[], type: FieldType): Json {
  const itemType = type.type === 'listMap' ? type.item() : deduced;
  const [mine, theirs] = [bySegment(live, type), bySegment(applied, type)];
  const out: Json[] = [];
  const taken = new Set<string>();
  const rest = [...theirs.keys()];

  const takeApplied = () => {
    const segment = rest.shift() as string;
    taken.add(segment);
    out.push(merge(mine.get(segment), theirs.get(segment), itemType) as Json);
  };
  for (const item of live) {
    const segment = segmentOf(type, item);
    if (segment === undefined || !theirs.has(segment)) out.push(item);
    else while (!taken.has(segment)) takeApplied();
  }
  while (rest.length > 0) takeApplied();
  return out;
}
