import type { Json } from '../../kube/manifest.js';

export type JsonObject = { readonly [field: string]: Json };

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
