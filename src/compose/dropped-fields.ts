import { ApiObject } from 'cdk8s';
import { TerminalError } from '../kube/errors.js';
import type { Json } from '../kube/manifest.js';

/**
 * Refuses an object of which rendering loses a field. Classes that `cdk8s import` generates copy only what they know, so
 * that a field newer than the import, or a quantity given as text, would silently not be there.
 */
export function refuseDroppedFields(object: ApiObject, rendered: Json, subject: string): void {
  // What was given, before the class converts it.
  const given = ApiObject.prototype.toJson.call(object) as Json;
  const path = firstMissing(given, rendered, '');
  if (path === undefined) return;
  throw new TerminalError(`${subject} cannot be composed: ${object.constructor.name} drops ${path}`, {
    hint: 'use the class of this kind from imports/k8s.ts, which passes on what it is given',
  });
}

function firstMissing(given: Json | undefined, rendered: Json | undefined, path: string): string | undefined {
  if (given === undefined || given === null) return undefined;
  if (rendered === undefined || rendered === null) return isHollow(given) ? undefined : path;
  if (typeof given !== 'object' || typeof rendered !== 'object') return undefined;
  for (const [key, child] of Object.entries(given)) {
    const at = Array.isArray(given) ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`;
    const found = firstMissing(child, (rendered as Readonly<Record<string, Json>>)[key], at);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isHollow(value: Json): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every((child) => child === null || isHollow(child))
  );
}
