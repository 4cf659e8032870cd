import { createHash } from 'node:crypto';
import type { FieldsV1, KubeObject, ManagedFieldsEntry } from '../kube/manifest.js';

/** What an object's `managedFields` say of us, the manager called `manager`. Subresources are a matter of their own. */
export interface Ownership {
  /** Our entries' fields: of our applies, and of the POST that created the object. */
  readonly fields: readonly FieldsV1[];
  /**
   * Changes whenever something that we own is taken, or somebody writes under our name; stays through everything else.
   */
  readonly fingerprint: string;
  /** The POST's entry, in which a field stays owned that a later apply drops. */
  readonly update: ManagedFieldsEntry | undefined;
}

export function ownershipOf(object: KubeObject, manager: string): Ownership {
  const ours = entriesOf(object).filter((entry) => entry.manager === manager && !entry.subresource);
  const hash = createHash('sha1');
  for (const { operation, time, fieldsV1 } of ours) hash.update(JSON.stringify([operation, time, fieldsV1]));
  return {
    fields: ours.map(({ fieldsV1 = {} }) => fieldsV1),
    fingerprint: `${object.metadata.uid} ${hash.digest('base64url')}`,
    update: ours.find(({ operation }) => operation === 'Update'),
  };
}

export function entriesOf(object: KubeObject): readonly ManagedFieldsEntry[] {
  return object.metadata.managedFields ?? [];
}

/**
 * The entries of `object` with our Update entry folded into our Apply entry, so that an apply which no longer says a
 * field removes it. Undefined when there is nothing to fold.
 */
export function foldedEntries(object: KubeObject, manager: string): ManagedFieldsEntry[] | undefined {
  const isOurs = (entry: ManagedFieldsEntry) => entry.manager === manager && !entry.subresource;
  const update = entriesOf(object).find((entry) => isOurs(entry) && entry.operation === 'Update');
  if (!update) return undefined;
  const apply = entriesOf(object).find((entry) => isOurs(entry) && entry.operation === 'Apply');
  return [
    { ...update, ...apply, operation: 'Apply', fieldsV1: unite(apply?.fieldsV1 ?? {}, update.fieldsV1 ?? {}) },
    ...entriesOf(object).filter((entry) => entry !== update && entry !== apply),
  ];
}

function unite(a: FieldsV1, b: FieldsV1): FieldsV1 {
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
