import type { Json } from '../../kube/manifest.js';
import { isMap } from '../../kube/plain-map.js';

/** https://www.rfc-editor.org/rfc/rfc7386: null removes, a map is merged, anything else replaces. */
export function mergePatch(target: Json | undefined, patch: Json): Json {
  if (!isMap(patch)) return patch;
  const merged = new Map<string, Json>(isMap(target) ? Object.entries(target) : []);
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name);
    else merged.set(name, mergePatch(merged.get(name), value));
  }
  return Object.fromEntries(merged);
}
