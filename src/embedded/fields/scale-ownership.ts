import type { ManagedFieldsEntry } from '../../kube/manifest.js';
import { type FieldPath, FieldSet } from './field-set.js';
import { type Decoded, decode, type Entries, type Entry, encode, idOf, none } from './managed-fields.js';
import type { Managed } from './ownership.js';

const scaleVersion = 'autoscaling/v1';
const replicasInScale = FieldSet.of(['f:spec', 'f:replicas']);

/** Where a version has the replicas: null for one that cannot be scaled, undefined for one that is unknown. */
export type ReplicasPath = (version: string) => FieldPath | null | undefined;

/** Who owns the replicas of an object, said of its Scale. */
export function ownersOfScale(entries: Entries, pathIn: ReplicasPath): ManagedFieldsEntry[] | undefined {
  const { managers, entries: writers } = decode(entries) ?? none;
  const owners = new Map<string, Managed>();
  for (const [id, managed] of managers) {
    const path = pathIn(managed.version);
    if (path && managed.fields.has(path)) {
      owners.set(id, { ...managed, fields: replicasInScale, version: scaleVersion });
    }
  }
  return encode({ managers: owners, entries: writers });
}

/**
 * The owners of an object after its Scale was written. Who owned the replicas in the object and does not in the Scale any
 * more loses them.
 *
 * **Beware**: an update is known by the version that was written, and that of a Scale is another one. So an updating
 * manager that keeps the replicas keeps them in an entry of their own that has no time, as on the server.
 */
export function ownersByScale(
  parent: Entries,
  scale: Entries,
  version: string,
  pathIn: ReplicasPath,
): ManagedFieldsEntry[] | undefined {
  const before = decode(parent) ?? none;
  const inScale: Decoded = decode(scale) ?? none;
  const left = new Map(inScale.managers);
  const managers = new Map<string, Managed>();
  const writers = new Map<string, Entry>();
  for (const [id, managed] of before.managers) {
    const path = pathIn(managed.version);
    if (path === undefined) continue;
    const isStolen = path !== null && managed.fields.has(path) && !left.has(id);
    const fields = isStolen ? managed.fields.difference(FieldSet.of(path)) : managed.fields;
    if (path !== null && managed.fields.has(path)) left.delete(id);
    if (fields.isEmpty) continue;
    managers.set(id, { ...managed, fields });
    writers.set(id, before.entries.get(id) as Entry);
  }
  const path = pathIn(version);
  for (const [id, { fields, applied }] of left) {
    if (!path || !fields.has(['f:spec', 'f:replicas'])) continue;
    const { writer } = inScale.entries.get(id) as Entry;
    managers.set(id, { fields: FieldSet.of(path), applied, version });
    writers.set(id, { writer, time: before.entries.get(idOf(writer))?.time });
  }
  return encode({ managers, entries: writers });
}
