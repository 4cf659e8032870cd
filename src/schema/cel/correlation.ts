import { isMap } from '../../kube/plain-map.js';
import { goJson } from '../go-format.js';
import type { StructuralSchema } from '../structural.js';

/** The item of an old list that corresponds to `item`: only the keys of a list map can tell. */
export function correlated(schema: StructuralSchema, item: unknown, old: unknown): unknown {
  if (schema['x-kubernetes-list-type'] !== 'map' || !Array.isArray(old)) return undefined;
  const key = keyOf(schema, item);
  return old.find((other) => keyOf(schema, other) === key);
}

function keyOf(schema: StructuralSchema, item: unknown): string {
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  return goJson(isMap(item) ? keys.map((key) => item[key] ?? null) : null);
}
