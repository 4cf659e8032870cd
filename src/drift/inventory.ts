import { groupOf, versionOf } from '../kube/api-resource.js';
import { TerminalError } from '../kube/errors.js';
import type { KubeObject } from '../kube/manifest.js';
import { keyOf, type ObjectRef, refOf, show } from '../kube/object-ref.js';
import { mostLines, packed, unpacked } from './packed-inventory.js';

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

/** No namespace, name, group and kind are longer together, with each colon written as two characters. */
const longestId = 1024;

/** Undefined for what is no entry. */
export function refOfEntry({ id, v }: InventoryEntry): ObjectRef | undefined {
  if (String(id).length > longestId) return undefined;
  const [namespace = '', ...rest] = String(id).split('_');
  const [kind, group] = [rest.pop(), rest.pop()];
  const name = rest.join('_').replaceAll('__', ':');
  if (!kind || group === undefined || name === '') return undefined;
  const apiVersion = group === '' ? String(v) : `${group}/${v}`;
  return { apiVersion, kind, name, ...(namespace === '' ? {} : { namespace }) };
}

/** What `status.inventory` is: a list that people can read, or, where that would be too long, the same packed. */
export interface Inventory {
  readonly entries?: readonly InventoryEntry[];
  readonly packed?: string;
}

/** Up to so many are listed one by one. */
const mostEntries = 500;

/**
 * A custom resource, its status and what the server notes of both have to stay below the 1.5 MB of a request to etcd:
 * https://etcd.io/docs/v3.6/dev-guide/limit/
 */
const mostCharacters = 1_000_000;

/**
 * `refs` as `status.inventory` of `cr`.
 *
 * Throws `InventoryError` when they are more than a status can hold, and `InventoryNameError` for a name that an entry cannot
 * tell, so that nothing is made that nobody would find again.
 */
export function inventoryFor(cr: KubeObject, refs: readonly ObjectRef[]): Inventory {
  const entries = refs.map((ref) => {
    const entry = entryOf(ref);
    const read = refOfEntry(entry);
    if (!read || keyOf(read) !== keyOf(ref)) throw new InventoryNameError(cr, ref);
    return entry;
  });
  if (entries.length <= mostEntries) return { entries };
  if (entries.length > mostLines) throw new InventoryError(cr, refs.length);
  const text = packed(entries.map(({ id, v }) => `${v} ${id}`));
  if (text.length > mostCharacters) throw new InventoryError(cr, refs.length);
  return { packed: text };
}

/** More children beyond its namespace than their owner can keep track of. */
export class InventoryError extends TerminalError {
  override readonly name = 'InventoryError';

  constructor(cr: KubeObject, count: number) {
    const subject = show(refOf(cr));
    super(
      `${subject} cannot have ${count} children outside of its namespace: their inventory is too long for its status`,
      {
        hint: 'divide it into several custom resources',
      },
    );
  }
}

/** A name of which an entry tells another: one with two underscores, say, which stand for a colon there. */
export class InventoryNameError extends TerminalError {
  override readonly name = 'InventoryNameError';

  constructor(cr: KubeObject, ref: ObjectRef) {
    super(`${show(refOf(cr))} cannot keep track of ${show(ref)}: its inventory has no way to write this name`, {
      hint: 'give the child a name without underscores beside each other, or beside a colon',
    });
  }
}

/** By what a status says, so that it is read once for each version of it. */
const known = new WeakMap<object, readonly ObjectRef[]>();

/**
 * The inventory that a custom resource shows, in the order in which the children were made.
 *
 * Throws `TerminalError` for one that cannot be read: who took it for empty would leave everything behind.
 */
export function inventoryOf(cr: KubeObject): readonly ObjectRef[] {
  const { status } = cr as { readonly status?: { readonly inventory?: Inventory } };
  const inventory = status?.inventory;
  if (inventory === undefined || inventory === null) return [];
  const before = known.get(inventory);
  if (before) return before;
  const refs = [...listed(inventory), ...(inventory.packed === undefined ? [] : unpackedRefs(cr, inventory.packed))];
  known.set(inventory, refs);
  return refs;
}

function listed({ entries }: Inventory): readonly ObjectRef[] {
  return Array.isArray(entries)
    ? (entries as readonly InventoryEntry[]).flatMap((entry) => refOfEntry(entry) ?? [])
    : [];
}

function unpackedRefs(cr: KubeObject, text: string): readonly ObjectRef[] {
  try {
    return unpacked(text).flatMap((line) => {
      const [v = '', ...id] = line.split(' ');
      return refOfEntry({ id: id.join(' '), v }) ?? [];
    });
  } catch (cause) {
    throw new TerminalError(`status.inventory.packed of ${show(refOf(cr))} cannot be read`, {
      cause,
      hint: 'write it back as it was, from a backup or the audit log',
    });
  }
}

/** Both, each once: what is known first. */
export function united(known: readonly ObjectRef[], more: readonly ObjectRef[]): readonly ObjectRef[] {
  const all = new Map([...known, ...more].map((ref) => [keyOf(ref), ref]));
  return [...all.values()];
}

/** True when both hold the same, in whatever order. */
export function isSameInventory(a: readonly ObjectRef[], b: readonly ObjectRef[]): boolean {
  if (a.length !== b.length) return false;
  const ids = (refs: readonly ObjectRef[]) => refs.map((ref) => JSON.stringify(entryOf(ref))).sort();
  return JSON.stringify(ids(a)) === JSON.stringify(ids(b));
}
