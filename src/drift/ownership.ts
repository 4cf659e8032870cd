import type { FieldsV1, KubeObject, ManagedFieldsEntry } from '../kube/manifest.js';
import { appliedHash } from './hash.js';
import { shallowEntries } from './shallow-entries.js';

/** What an object's `managedFields` say of us, the manager called `manager`. Subresources are a matter of their own. */
export interface Ownership {
  /** Our entries' fields: of our applies, and of the POST that created the object. */
  readonly fields: readonly FieldsV1[];
  /** Changes when anybody writes under our name. That others take what we own does not change it. */
  readonly writes: string;
  /** Somebody wrote under our name after us, as far as times tell, which are in seconds. */
  readonly isOverwritten: boolean;
  /** The POST's entry, in which a field stays owned that a later apply drops. */
  readonly update: ManagedFieldsEntry | undefined;
}

const noteTrail: readonly string[] = ['f:metadata', 'f:annotations', `f:${appliedHash}`];

export function ownershipOf(object: KubeObject, manager: string): Ownership {
  const ours = entriesOf(object).filter((entry) => entry.manager === manager && !entry.subresource);
  const update = ours.find(({ operation }) => operation === 'Update');
  const apply = ours.find(({ operation }) => operation === 'Apply');
  // An apply of ours takes our note from the POST, or shares it.
  const [isNoted, isPosted] = [apply, update].map((entry) => owns(entry?.fieldsV1 ?? {}, noteTrail));
  const isAnothers = apply !== undefined && isPosted === true && !isNoted;
  // We update a child once, by the POST that creates it. The server dates the entry before it dates the object.
  const ourLast = apply ? apply.time : object.metadata.creationTimestamp;
  return {
    fields: ours.map(({ fieldsV1 = {} }) => fieldsV1),
    writes: [object.metadata.uid, ...ours.map(({ operation, time }) => `${operation} ${time}`)].join('\n'),
    isOverwritten: isAnothers || (update?.time !== undefined && ourLast !== undefined && update.time > ourLast),
    update,
  };
}

const none: readonly ManagedFieldsEntry[] = [];

export function entriesOf(object: KubeObject): readonly ManagedFieldsEntry[] {
  return shallowEntries(object.metadata.managedFields ?? none);
}

/** The fields of every manager. */
export function allFieldsOf(object: KubeObject): readonly FieldsV1[] {
  return entriesOf(object).map(({ fieldsV1 = {} }) => fieldsV1);
}

/** True when the place that `trail` leads to is in `fields`, by itself or as a part of what is owned as one. */
export function owns(fields: FieldsV1, trail: readonly string[]): boolean {
  let node: FieldsV1 | undefined = fields;
  for (const segment of trail) {
    node = Object.hasOwn(node, segment) ? node[segment] : undefined;
    if (node === undefined) return false;
    if (Object.keys(node).length === 0) return true;
  }
  return true;
}

/** Who writes in the place of all parts of a cluster where these are one program: k3s, and that of MicroK8s. */
export const allInOne: readonly string[] = ['k3s', 'kubelite'];

/** Who the server says wrote what was there, when it finds an object that nobody owns any of. */
export const beforeFirstApply = 'before-first-apply';

/** The name under which the server merges the oldest entries of more than ten updates, that of our POST as any other. */
export const ancientChanges = 'ancient-changes';

/** True for an entry of nobody in particular. What of it is ours, and what others wrote, nothing tells. */
export function isNobodys({ manager, operation }: ManagedFieldsEntry): boolean {
  return operation === 'Update' && (manager === beforeFirstApply || manager === ancientChanges);
}

/**
 * The entries of `object` in which only our Apply entry has what we applied, so that an apply which no longer says a field
 * removes it. Undefined when they are so already.
 *
 * Beside it our fields may be in the Update entry of the POST, which is folded into it, and, after somebody reset the
 * managed fields or many wrote the object, in an entry of nobody in particular, from which they are taken.
 */
export function foldedEntries(object: KubeObject, manager: string): ManagedFieldsEntry[] | undefined {
  const isOurs = (entry: ManagedFieldsEntry) => entry.manager === manager && !entry.subresource;
  const entries = entriesOf(object);
  const update = entries.find((entry) => isOurs(entry) && entry.operation === 'Update' && !isNote(entry));
  const apply = entries.find((entry) => isOurs(entry) && entry.operation === 'Apply');
  const nobodys = entries.filter(isNobodys);
  if (!update && !(apply && nobodys.length > 0)) return undefined;
  const ours = unite(apply?.fieldsV1 ?? {}, update?.fieldsV1 ?? {});
  const left = new Map(nobodys.map((entry) => [entry, without(entry.fieldsV1 ?? {}, ours)]));
  // A write that changes nothing would be repeated with each try of an apply that the server refuses.
  const isSame = nobodys.every((entry) => JSON.stringify(left.get(entry)) === JSON.stringify(entry.fieldsV1 ?? {}));
  if (!update && isSame) return undefined;
  return [
    { ...update, ...apply, operation: 'Apply', fieldsV1: ours },
    ...entries
      .filter((entry) => entry !== update && entry !== apply)
      .map((entry) => (left.has(entry) ? { ...entry, fieldsV1: left.get(entry) ?? {} } : entry))
      .filter((entry) => !isNobodys(entry) || Object.keys(entry.fieldsV1 ?? {}).length > 0),
  ];
}

/** True for an entry with our note alone, that an apply is to follow. The apply takes it back, of itself. */
function isNote({ fieldsV1 = {} }: ManagedFieldsEntry): boolean {
  return (
    Object.keys(without(fieldsV1, { 'f:metadata': { 'f:annotations': { [`f:${appliedHash}`]: {} } } })).length === 0
  );
}

/** True when a field that we no longer apply might stay, for it is owned in more than our Apply entry. */
export function isToBeFolded(object: KubeObject, manager: string): boolean {
  return foldedEntries(object, manager) !== undefined;
}

/** What `fields` has and `others` has not. A node that holds nothing of its own goes with what was below it. */
export function without(fields: FieldsV1, others: FieldsV1): FieldsV1 {
  const entries = Object.entries(fields).flatMap(([key, node]) => {
    const other = Object.hasOwn(others, key) ? others[key] : undefined;
    if (other === undefined) return [[key, node] as const];
    if (Object.keys(node).length === 0 || Object.keys(other).length === 0) return [];
    const left = without(node, other);
    // To the server a place that is there by itself alone is a leaf, and goes as one.
    return Object.keys(left).every((segment) => segment === '.') ? [] : [[key, left] as const];
  });
  return Object.fromEntries(entries);
}

/** What either has. */
export function unite(a: FieldsV1, b: FieldsV1): FieldsV1 {
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return Object.fromEntries(
    [...keys].map((key) => {
      const [left, right] = [a[key], b[key]];
      if (!left || !right) return [key, left ?? right ?? {}];
      // A leaf beside a node with something below it is a member of its own.
      const isLeaf = (node: FieldsV1) => Object.keys(node).length === 0;
      if (isLeaf(left) !== isLeaf(right)) return [key, { '.': {}, ...left, ...right }];
      return [key, unite(left, right)];
    }),
  );
}
