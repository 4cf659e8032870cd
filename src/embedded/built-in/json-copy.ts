import type { Json } from '../../kube/manifest.js';

/** A copy that shares nothing with `value`. */
export function jsonCopy(value: Json): Json {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(jsonCopy);
  const copy: Record<string, Json> = {};
  for (const [name, child] of Object.entries(value)) setOwn(copy, name, jsonCopy(child));
  return copy;
}

/** Sets a field whose name may be `__proto__`, which JSON may have as any other. */
export function setOwn(target: Record<string, Json>, name: string, value: Json): void {
  if (name === '__proto__')
    Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
  else target[name] = value;
}
