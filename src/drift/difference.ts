import type { KubeObject, ManagedFieldsEntry, Manifest } from '../kube/manifest.js';
import { changedFields } from './changed.js';
import { allFieldsOf, entriesOf, ownershipOf, owns } from './ownership.js';
import { type UncoveredField, uncoveredFields } from './uncovered.js';

/** One field that is not as we applied it, and who made it so. */
export interface Difference {
  /** For people. Empty for the child as a whole: it is missing, or no longer desired. */
  readonly path: string;
  /** The same in the segments of `fieldsV1`. */
  readonly trail: readonly string[];
  readonly desired: unknown;
  readonly observed: unknown;
  /** Undefined where nobody owns the field now: it was removed. */
  readonly by: { readonly manager: string; readonly operation: string; readonly time: string | undefined } | undefined;
}

const masked = '(hidden)';

/**
 * What was changed on `observed` of what `desired` says, by ownership; values are here for people alone. Those of a
 * Secret are masked.
 */
export function differences(desired: Manifest, observed: KubeObject, manager: string): Difference[] {
  const { fields } = ownershipOf(observed, manager);
  return differencesIn(uncoveredFields(desired, observed, fields, allFieldsOf(observed)), desired, observed, manager);
}

/** What `fields` are, which are no longer ours, and who has them now. */
export function differencesIn(
  fields: readonly UncoveredField[],
  desired: Manifest,
  observed: KubeObject,
  manager: string,
): Difference[] {
  const others = entriesOf(observed).filter((entry) => entry.manager !== manager || entry.subresource);
  return fields.map((field) => difference(desired, field, writerOf(field, others, desired.apiVersion)));
}

/** What somebody wrote under our own name, where ownership tells nothing, and values have to be compared. */
export function overwrittenDifferences(desired: Manifest, observed: KubeObject, manager: string): Difference[] {
  const written = latest(entriesOf(observed).filter((entry) => entry.manager === manager && !entry.subresource));
  if (!written?.fieldsV1) return [];
  return changedFields(desired, observed, written.fieldsV1).map((field) => difference(desired, field, written));
}

function difference(
  { kind }: Manifest,
  { path, trail, desired, observed }: UncoveredField,
  writer: ManagedFieldsEntry | undefined,
): Difference {
  const isSecret = kind === 'Secret' && /^(data|stringData)\b/.test(path);
  return {
    path,
    trail,
    desired: isSecret ? masked : desired,
    observed: isSecret && observed !== undefined ? masked : observed,
    by: writer && { manager: writer.manager ?? '', operation: writer.operation ?? '', time: writer.time },
  };
}

/** The latest who owns the field. Of what was removed there is no trace. */
function writerOf(
  { trail, observed }: UncoveredField,
  others: readonly ManagedFieldsEntry[],
  apiVersion: string,
): ManagedFieldsEntry | undefined {
  const owner = latest(others.filter(({ fieldsV1 = {} }) => owns(fieldsV1, trail)));
  if (owner || observed === undefined) return owner;
  // Who writes in another version owns the field by the name that it has there.
  return latest(others.filter((entry) => entry.apiVersion !== undefined && entry.apiVersion !== apiVersion));
}

function latest(entries: readonly ManagedFieldsEntry[]): ManagedFieldsEntry | undefined {
  return entries.toSorted((a, b) => (a.time ?? '').localeCompare(b.time ?? '')).at(-1);
}

/** `spec.replicas 3 → 9 by kubectl (Update)`, for logs and events. */
export function showDifference({ path, desired, observed, by }: Difference): string {
  if (path === '') return observed === undefined ? 'missing' : 'no longer desired';
  const value = (of: unknown) => (of === undefined ? 'nothing' : JSON.stringify(of));
  return `${path} ${value(desired)} → ${value(observed)}${by ? ` by ${by.manager} (${by.operation})` : ''}`;
}
