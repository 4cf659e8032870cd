import type { ManagedFieldsEntry } from '../kube/manifest.js';
import { unite } from './ownership.js';

/**
 * `entries` with what they tell in a version that `isGone` told in `apiVersion`, where it is of the same writer as one; undefined
 * where they tell nothing in such a version.
 *
 * What a field is called otherwise there is nobody's from then on. That is less than is lost where it stays: the API server
 * refuses every apply to an object of which it should convert to a version that it does not have any more, and an ordinary
 * write takes all entries away. https://github.com/kubernetes/kubernetes/issues/111937
 */
export function retold(
  entries: readonly ManagedFieldsEntry[],
  apiVersion: string,
  isGone: (apiVersion: string) => boolean,
): readonly ManagedFieldsEntry[] | undefined {
  const isOld = (entry: ManagedFieldsEntry) => entry.apiVersion !== undefined && isGone(entry.apiVersion);
  if (!entries.some(isOld)) return undefined;
  const found: ManagedFieldsEntry[] = [];
  for (const each of entries) {
    const entry = isOld(each) ? { ...each, apiVersion } : each;
    const at = found.findIndex((other) => writerOf(other) === writerOf(entry));
    const other = found[at];
    if (other === undefined) found.push(entry);
    else found[at] = { ...latest(other, entry), fieldsV1: unite(other.fieldsV1 ?? {}, entry.fieldsV1 ?? {}) };
  }
  return found;
}

function writerOf({ manager, operation, subresource, apiVersion }: ManagedFieldsEntry): string {
  return JSON.stringify([manager, operation, subresource, apiVersion]);
}

function latest(a: ManagedFieldsEntry, b: ManagedFieldsEntry): ManagedFieldsEntry {
  return (a.time ?? '') > (b.time ?? '') ? a : b;
}
