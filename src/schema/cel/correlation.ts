import { isMap } from '../../kube/plain-map.js';
import { goJson } from '../go-format.js';
import { isSameJson } from '../same-json.js';
import type { StructuralSchema } from '../structural.js';

/** The item of an old list that corresponds to `item`: only the keys of a list map can tell. */
export function correlated(schema: StructuralSchema, item: unknown, old: unknown): unknown {
  if (schema['x-kubernetes-list-type'] !== 'map' || !Array.isArray(old)) return undefined;
  const key = keyOf(schema, item);
  return old.find((other) => keyOf(schema, other) === key);
}

/**
 * `old`, with the lists of which order does not matter in the order of `value`, so that CEL's `==` finds sets and list
 * maps equal whatever their order, as the server does.
 */
export function inOrderOf(schema: StructuralSchema, value: unknown, old: unknown): unknown {
  if (Array.isArray(value) && Array.isArray(old)) {
    const type = schema['x-kubernetes-list-type'];
    if (value.length !== old.length || schema.items === undefined) return old;
    const items = schema.items;
    if (type === 'set') {
      const left = new Set(old.map(goJson));
      return value.every((item) => left.has(goJson(item))) ? value : old;
    }
    if (type !== 'map') return old.map((item, index) => inOrderOf(items, value[index], item));
    const matches = value.map((item) => correlated(schema, item, old));
    return matches.every((match) => match !== undefined)
      ? matches.map((match, index) => inOrderOf(items, value[index], match))
      : old;
  }
  if (!isMap(value) || !isMap(old) || isSameJson(value, old)) return old;
  return Object.fromEntries(
    Object.entries(old).map(([name, child]) => {
      const childSchema = schema.properties?.[name] ?? schema.additionalProperties;
      return [name, childSchema && Object.hasOwn(value, name) ? inOrderOf(childSchema, value[name], child) : child];
    }),
  );
}

function keyOf(schema: StructuralSchema, item: unknown): string {
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  return goJson(isMap(item) ? keys.map((key) => item[key] ?? null) : null);
}
