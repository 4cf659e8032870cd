import { type ApiResource, groupOf, versionOf } from '../kube/api-resource.js';
import type { KubeObject } from '../kube/manifest.js';
import { keyOf, type ObjectRef } from '../kube/object-ref.js';

/**
 * One child that no owner reference reaches, in `status.inventory.entries`: the form of Flux and cli-utils.
 * https://github.com/kubernetes-sigs/cli-utils/blob/master/pkg/object/objmetadata.go
 */
export interface InventoryEntry {
  /** `namespace_name_group_kind`. */
  readonly id: string;
  /** The version of the group. */
  readonly v: string;
}

export function entryOf({ apiVersion, kind, namespace = '', name }: ObjectRef): InventoryEntry {
  // No name has an underscore but those of RBAC, where a colon is written as two.
  return { id: [namespace, name.replaceAll(':', '__'), groupOf(apiVersion), kind].join('_'), v: versionOf(apiVersion) };
}

/** Undefined for what is no entry. */
export function refOfEntry({ id, v }: InventoryEntry): ObjectRef | undefined {
  const [namespace = '', ...rest] = String(id).split('_');
  const [kind, group] = [rest.pop(), rest.pop()];
  const name = rest.join('_').replaceAll('__', ':');
  if (!kind || group === undefined || name === '') return undefined;
  const apiVersion = group === '' ? String(v) : `${group}/${v}`;
  return { apiVersion, kind, name, ...(namespace === '' ? {} : { namespace }) };
}

/** The inventory that a custom resource shows, in the order in which the children were made. */
export function inventoryOf(cr: KubeObject): readonly ObjectRef[] {
  const { status } = cr as { readonly status?: { readonly inventory?: { readonly entries?: unknown } } };
  const entries = status?.inventory?.entries;
  if (!Array.isArray(entries)) return [];
  return (entries as readonly InventoryEntry[]).flatMap((entry) => refOfEntry(entry) ?? []);
}

/** Both, each once: what is known first. */
export function united(known: readonly ObjectRef[], more: readonly ObjectRef[]): readonly ObjectRef[] {
  const all = new Map([...known, ...more].map((ref) => [keyOf(ref), ref]));
  return [...all.values()];
}

/** True when both hold the same, in whatever order. */
export function isSameInventory(a: readonly ObjectRef[], b: readonly ObjectRef[]): boolean {
  const ids = (refs: readonly ObjectRef[]) => refs.map((ref) => JSON.stringify(entryOf(ref))).sort();
  return JSON.stringify(ids(a)) === JSON.stringify(ids(b));
}

/** The kind of an entry among those that an operator owns, at the version that it owns it. */
export function kindAmong(owns: readonly ApiResource[], ref: ObjectRef): ApiResource | undefined {
  return owns.find(({ apiVersion, kind }) => kind === ref.kind && groupOf(apiVersion) === groupOf(ref.apiVersion));
}
