import type { KubeObject, OwnerReference } from './manifest.js';

interface Owned {
  readonly metadata: { readonly ownerReferences?: readonly OwnerReference[] };
}

/** The reference that makes `owner` the controller of a child, so that deleting the owner deletes the child. */
export function controllerReferenceTo(owner: KubeObject): OwnerReference {
  return {
    apiVersion: owner.apiVersion,
    kind: owner.kind,
    name: owner.metadata.name,
    uid: owner.metadata.uid,
    controller: true,
    blockOwnerDeletion: true,
  };
}

/** The owner that controls `object`, of which there is at most one. */
export function controllerOf(object: Owned): OwnerReference | undefined {
  return object.metadata.ownerReferences?.find((reference) => reference.controller === true);
}

/** True when `owner`, and not merely something of its name, controls `object`. */
export function isControlledBy(owner: { readonly uid: string }, object: Owned): boolean {
  return controllerOf(object)?.uid === owner.uid;
}
