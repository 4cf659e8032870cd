import type { KubeObject } from '../../src/kube/manifest.js';
import { controllerOf } from '../../src/kube/owner-reference.js';

/** What docs/reach.md promises of far children is said here once more, and not asked of the code that is judged by it. */
export const uidLabel = 'sim.example.com/owner-uid';
export const ownFinalizer = 'sim.example.com/finalizer';
/** On a Namespace: those whose custom resources may have children in it. */
export const acceptFrom = 'kilter.dev/accept-from';

/** On an object, or on its Namespace: those whose custom resources may read it. */
export const shareWith = 'kilter.dev/share-with';

interface Status {
  readonly inventory?: { readonly entries?: readonly { readonly id: string }[] };
  readonly [field: string]: unknown;
}

/** What the far child of a Tour is called: those of two namespaces may be in one third. */
export function stopNameOf(namespace: string, name: string): string {
  return `${namespace}-${name}-stop`;
}

/** What its second far child is called. */
export function haltNameOf(namespace: string, name: string): string {
  return `${namespace}-${name}-halt`;
}

/** The uid of the owner of a child, near or far. */
export function ownerUidOf(object: KubeObject): string | undefined {
  return controllerOf(object)?.uid ?? object.metadata.labels?.[uidLabel];
}

/** The same of a child that no owner reference reaches; undefined for any other. */
export function farOwnerOf(object: KubeObject): string | undefined {
  return controllerOf(object) ? undefined : ownerUidOf(object);
}

/** True for a custom resource that does not go before the controller lets it. */
export function isHeld({ metadata }: KubeObject): boolean {
  return metadata.finalizers?.includes(ownFinalizer) ?? false;
}

/** On a custom resource: what becomes of its children when it is deleted. */
export const deletionPolicy = 'sim.example.com/deletion-policy';
/** On a custom resource: with the word "true" it goes at once, whatever it leaves behind. */
export const forceRelease = 'sim.example.com/force-release';
export function isForced({ metadata }: KubeObject): boolean {
  return metadata.annotations?.[forceRelease] === 'true';
}
/** On a child: what becomes of it when it is wanted no more, or its custom resource is deleted. */
export const removal = 'kilter.dev/removal';

/** What a Vault says becomes of its children, in the words of `removal`. */
export function leftOf(cr: KubeObject): string | undefined {
  if (cr.kind !== 'Vault') return undefined;
  return (cr['spec'] as { readonly left?: string }).left?.toLowerCase();
}

/** How a far child stands in the inventory of its custom resource. */
export function noteOf({ apiVersion, kind, metadata: { namespace = '', name } }: KubeObject): string {
  const group = apiVersion.includes('/') ? apiVersion.split('/')[0] : '';
  return `${namespace}_${name}_${group}_${kind}`;
}

export function notesOf(cr: KubeObject): readonly string[] {
  return (statusOf(cr).inventory?.entries ?? []).map(({ id }) => id);
}

/** True for a write of a status that says something new of the inventory, and of nothing else. */
export function isOnlyInventory(before: KubeObject | undefined, after: KubeObject): boolean {
  const [old, now] = [statusOf(before), statusOf(after)].map(({ inventory = {}, ...rest }) => ({
    inventory: JSON.stringify(inventory),
    rest: JSON.stringify(rest),
  }));
  return old?.inventory !== now?.inventory && old?.rest === now?.rest;
}

function statusOf(cr: KubeObject | undefined): Status {
  return (cr as { readonly status?: Status } | undefined)?.status ?? {};
}
