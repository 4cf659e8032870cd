import type { FieldsV1, ManagedFieldsEntry } from '../kube/manifest.js';

/** No field of Kubernetes lies nearly as deep. */
const deepest = 500;

/** An object is looked at many times. */
const known = new WeakMap<readonly ManagedFieldsEntry[], readonly ManagedFieldsEntry[]>();

/**
 * `entries`, in which a place that is deeper than any of Kubernetes stands for all that is below it. An API server takes what somebody
 * says in `managedFields`, thousands of levels of it: who went down these would run out of stack, and put the object right no more.
 */
export function shallowEntries(entries: readonly ManagedFieldsEntry[]): readonly ManagedFieldsEntry[] {
  const before = known.get(entries);
  if (before) return before;
  const isDeep = (entry: ManagedFieldsEntry) => entry.fieldsV1 !== undefined && isDeeper(entry.fieldsV1, deepest);
  const shallow = entries.some(isDeep)
    ? entries.map((entry) => (isDeep(entry) ? { ...entry, fieldsV1: cut(entry.fieldsV1 ?? {}, deepest) } : entry))
    : entries;
  known.set(entries, shallow);
  return shallow;
}

function isDeeper(fields: FieldsV1, levels: number): boolean {
  if (levels === 0) return Object.keys(fields).length > 0;
  for (const segment in fields) if (isDeeper(fields[segment]!, levels - 1)) return true;
  return false;
}

function cut(fields: FieldsV1, levels: number): FieldsV1 {
  if (levels === 0) return {};
  return Object.fromEntries(Object.entries(fields).map(([segment, below]) => [segment, cut(below, levels - 1)]));
}
