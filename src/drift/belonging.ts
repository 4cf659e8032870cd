import { isSameKind } from '../kube/api-resource.js';
import type { KubeObject, Manifest } from '../kube/manifest.js';
import { isOwnerUid, labelledOwner } from '../kube/owner-labels.js';
import { controllerOf } from '../kube/owner-reference.js';

/** Whose children are looked at. */
export interface Owner {
  readonly uid: string;
  /** The label that says so where an owner reference cannot. Absent: no child is that far away. */
  readonly uidLabel?: string;
  /** What `ownerName` would call it, by reference and by label. */
  readonly names?: readonly string[];
}

/**
 * True when an object is a child of `owner`: by its owner reference, or, where nothing controls it, by its label.
 *
 * A label is anybody's to write. What is found by it alone is therefore looked for in the inventory first.
 */
export function belongsTo({ uid, uidLabel }: Owner, object: KubeObject): boolean {
  const controller = controllerOf(object);
  if (controller) return controller.uid === uid;
  return uidLabel !== undefined && object.metadata.labels?.[uidLabel] === uid;
}

/** True when an object says already that it belongs to whom it is to belong to, by reference and by label. */
export function isBoundAs(desired: Manifest, object: KubeObject): boolean {
  const labels = Object.entries(desired.metadata.labels ?? {}).filter(([key]) => isOwnerUid(key));
  return (
    controllerOf(desired)?.uid === controllerOf(object)?.uid &&
    labels.every(([key, uid]) => object.metadata.labels?.[key] === uid)
  );
}

/**
 * True when an object is what an earlier custom resource of the same name has left, which has not been collected yet: a name in a
 * namespace has one at a time, so that the owner of an object with another uid is gone.
 */
export function isLeftover(desired: Manifest, object: KubeObject): boolean {
  const [owner, former] = [controllerOf(desired), controllerOf(object)];
  return owner !== undefined && former !== undefined && owner.name === former.name && isSameKind(owner, former);
}

/**
 * Whose an object is, for `owner`, who is refused it; of one that is nobody's, who has written it. By its name alone one that
 * was there before, and was made again, could not be told from `owner` itself.
 */
export function ownerName(object: KubeObject, { uidLabel = '', names = [] }: Partial<Owner> = {}): string {
  const controller = controllerOf(object);
  const name = controller ? `${controller.kind}/${controller.name}` : labelledOwner(object);
  if (name === undefined) return `nobody${writersOf(object)}`;
  const uid = controller?.uid ?? object.metadata.labels?.[uidLabel];
  return names.includes(name) ? `another ${name}, with the uid ${uid}` : name;
}

const shownWriters = 3;

/** By the names that clients give themselves, each once and always in the same order. Subresources are others' to write. */
function writersOf({ metadata: { managedFields = [] } }: KubeObject): string {
  const names = managedFields.flatMap(({ manager, subresource }) => (manager && !subresource ? [manager] : []));
  const writers = [...new Set(names)].sort().slice(0, shownWriters);
  return writers.length === 0 ? '' : ` (written by ${writers.join(', ')})`;
}
