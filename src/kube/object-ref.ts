import { groupKindOf } from './api-resource.js';

/** Which object: enough to address it when its kind is known. */
export interface ObjectRef {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
}

/** The ref of a manifest or of an object that was read. */
export function refOf(object: {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
}): ObjectRef {
  return { apiVersion: object.apiVersion, kind: object.kind, ...placeOf(object.metadata) };
}

/** Where an object of a known kind is. What is in no namespace has none, rather than one that is undefined. */
export function placeOf(of: {
  readonly name: string;
  readonly namespace?: string | undefined;
}): Pick<ObjectRef, 'name' | 'namespace'> {
  return of.namespace === undefined ? { name: of.name } : { name: of.name, namespace: of.namespace };
}

/** The one form in which an object is named to a person: `Kind/namespace/name`, or `Kind/name` without a namespace. */
export function show({ kind, namespace, name }: Omit<ObjectRef, 'apiVersion'>): string {
  return namespace === undefined ? `${kind}/${name}` : `${kind}/${namespace}/${name}`;
}

/**
 * A map key for `ref`.
 *
 * The version is left out on purpose: `apps/v1` and `apps/v1beta1` are two views of
 * one stored object, and pruning one of them would delete both.
 */
export function keyOf(ref: ObjectRef): string {
  return `${groupKindOf(ref)}/${ref.namespace ?? ''}/${ref.name}`;
}
