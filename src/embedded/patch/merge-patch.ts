import type { Json } from '../../kube/manifest.js';
import { isMap } from '../../kube/plain-map.js';

/**
 * https://www.rfc-editor.org/rfc/rfc7386: null removes, a map is merged, anything else replaces. As on the server what is new has
 * no nulls in its maps, nor in those within its lists, unless it is a list in place of a map.
 */
export function mergePatch(target: Json | undefined, patch: Json): Json {
  if (!isMap(patch)) return isMap(target) ? patch : withoutNulls(patch);
  const merged = new Map<string, Json>(isMap(target) ? Object.entries(target) : []);
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name);
    else merged.set(name, mergePatch(merged.get(name), value));
  }
  return Object.fromEntries(merged);
}

function withoutNulls(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutNulls);
  return isMap(value) ? mergePatch(undefined, value) : value;
}
