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

/** What corresponds to one item of a list: only the keys of a list map can tell, where the item has them all. */
export function correlatedItem(schema: StructuralSchema, old: unknown, item: unknown): Correlation | undefined {
  if (schema['x-kubernetes-list-type'] !== 'map' || !Array.isArray(old) || !isMap(item)) return undefined;
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  if (!keys.every((key) => Object.hasOwn(item, key) && isScalar(item[key]))) return undefined;
  const found: unknown = old.find((other) => isMap(other) && keys.every((key) => other[key] === item[key]));
  return found === undefined ? undefined : { old: found };
}

function isScalar(value: unknown): boolean {
  return ['boolean', 'number', 'string'].includes(typeof value);
}

/**
 * Whether the server takes a value for what it was before an update; the order of a list map does not count.
 *
 * A map with a field that its schema does not declare, as where unknown fields are preserved, is never the same to it, nor is what
 * holds such a map: https://github.com/kubernetes/kubernetes/blob/v1.36.3/staging/src/k8s.io/apiserver/pkg/cel/common/equality.go
 */
export function isUnchanged(schema: StructuralSchema, value: unknown, old: unknown): boolean {
  if (Array.isArray(value) && Array.isArray(old)) {
    if (value.length !== old.length) return false;
    const { items } = schema;
    if (items === undefined || schema['x-kubernetes-list-type'] !== 'map') return isSameJson(value, old);
    return value.every((item: unknown) => {
      const match = correlatedItem(schema, old, item);
      return match !== undefined && isUnchanged(items, item, match.old);
    });
  }
  if (!isMap(value) || !isMap(old)) return isSameJson(value, old);
  const names = Object.keys(value);
  return (
    names.length === Object.keys(old).length &&
    names.every((name) => {
      const match = correlatedField(schema, old, name);
      const declared = propertyOf(schema, name) ?? schema.additionalProperties;
      return match !== undefined && declared !== undefined && isUnchanged(declared, value[name], match.old);
    })
  );
}
