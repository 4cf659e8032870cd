import { isMap } from '../kube/plain-map.js';
import { isSameJson } from './same-json.js';
import { propertyOf, type StructuralSchema } from './structural.js';

/** The value before an update that corresponds to the one being judged. Absent where nothing can correspond. */
export interface Correlation {
  readonly old: unknown;
}

/** What corresponds to one field of a map. */
export function correlatedField(schema: StructuralSchema, old: unknown, name: string): Correlation | undefined {
  if (!isMap(old) || !Object.hasOwn(old, name)) return undefined;
  const isDeclared = propertyOf(schema, name) !== undefined || schema.additionalProperties !== undefined;
  return isDeclared ? { old: old[name] } : undefined;
}

/** What corresponds to one item of a list: only the keys of a list map can tell. */
export function correlatedItem(schema: StructuralSchema, old: unknown, item: unknown): Correlation | undefined {
  if (schema['x-kubernetes-list-type'] !== 'map' || !Array.isArray(old) || !isMap(item)) return undefined;
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  const found: unknown = old.find((other) => isMap(other) && keys.every((key) => isSameJson(other[key], item[key])));
  return found === undefined || found === null ? undefined : { old: found };
}

/** Whether an update leaves a value as it was; the order of a list map does not count. */
export function isUnchanged(schema: StructuralSchema | undefined, value: unknown, old: unknown): boolean {
  if (Array.isArray(value) && Array.isArray(old)) {
    if (value.length !== old.length) return false;
    const items = schema?.items;
    if (schema === undefined || items === undefined || schema['x-kubernetes-list-type'] !== 'map') {
      return isSameJson(value, old);
    }
    return value.every((item: unknown) => {
      const match = correlatedItem(schema, old, item);
      return match !== undefined && isUnchanged(items, item, match.old);
    });
  }
  if (!isMap(value) || !isMap(old)) return isSameJson(value, old);
  const names = Object.keys(value);
  return (
    names.length === Object.keys(old).length &&
    names.every(
      (name) =>
        Object.hasOwn(old, name) &&
        isUnchanged(schema && (propertyOf(schema, name) ?? schema.additionalProperties), value[name], old[name]),
    )
  );
}
