import type { Json } from './manifest.js';

export type JsonMap = Readonly<Record<string, Json>>;

/** True for a map of JSON: neither null nor a list. */
export function isMap(value: Json | undefined): value is JsonMap;
export function isMap(value: unknown): value is Readonly<Record<string, unknown>>;
export function isMap(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** True for a map without fields, and for a list without items. */
export function isEmptyCollection(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

/** What Go leaves out of JSON under `omitempty`. */
export function isEmptyValue(value: unknown): boolean {
  return value === null || value === '' || value === 0 || value === false || isEmptyCollection(value);
}

/** What a map or a list holds by `key`, of its own; undefined of anything else. */
export function property(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Readonly<Record<string, unknown>>)[key]
    : undefined;
}
