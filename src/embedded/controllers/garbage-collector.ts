import { groupOf, versionOf } from '../../kube/api-resource.js';
import type { Json, KubeObject, OwnerReference } from '../../kube/manifest.js';
import type { Kinds } from '../kinds/kinds.js';
import type { ObjectStore, Revision } from '../object-store.js';
import { events } from './built-in.js';
import type { Controller, Desk, Queue } from './controller.js';
import type { Indexed } from './object-index.js';

const foreground = 'foregroundDeletion';
const orphan = 'orphan';
/** Nobody owns by way of these, and there are many. */
const ignored = [events.storage, 'events.events.k8s.io'];
/** More than anybody deletes at once. */
const mostGone = 20_000;

/**
 * Deletes what lost its last owner, and takes the steps of a foreground or orphaning deletion. Keys are uids.
 *
 * https://kubernetes.io/docs/concepts/architecture/garbage-collection/
 */
export class GarbageCollector implements Controller {
  readonly name = 'garbage-collector';

  /** Have owners of kinds that are not served, so far. */
  readonly #unresolved = new Set<string>();
  /** Owners that were seen to go, which count as gone also when their kind goes after them. */
  readonly #gone = new Set<string>();
  #hasNewKinds = false;

  constructor(
    private readonly desk: Desk,
    private readonly kinds: Kinds,
    private readonly store: ObjectStore,
  ) {}

  /** To be told when kinds come. */
  kindServed(): void {
    this.#hasNewKinds = true;
  }

  observe({ type, resource, object, before }: Revision, queue: Queue): void {
    if (ignored.includes(resource)) return;
    if (this.#hasNewKinds) {
      this.#hasNewKinds = false;
      for (const each of this.#unresolved) queue.add(each);
      this.#unresolved.clear();
    }
    const { uid, ownerReferences } = object.metadata;
    if (type === 'DELETED') {
      const dependents = this.desk.index.ownedBy(uid);
      if (dependents.length > 0) this.#remember(object);
      for (const dependent of dependents) queue.add(dependent.object.metadata.uid);
    } else if (
      before === undefined ||
      before.metadata.ownerReferences !== ownerReferences ||
      before.metadata.deletionTimestamp !== object.metadata.deletionTimestamp ||
      before.metadata.finalizers !== object.metadata.finalizers
    ) {
      if (ownerReferences !== undefined || isBeingDeleted(object)) queue.add(uid);
    }
    // An owner that waits for its dependents has one less to wait for, perhaps.
    if (type === 'ADDED') return;
    for (const owner of [...(ownerReferences ?? []), ...(before?.metadata.ownerReferences ?? [])]) {
      const indexed = this.desk.index.byUid(owner.uid);
      if (indexed && waitsForDependents(indexed.object)) queue.add(owner.uid);
    }
  }

  #remember({ metadata }: KubeObject): void {
    this.#gone.add(ownerKey(metadata.uid, metadata.namespace));
    if (this.#gone.size > mostGone) this.#gone.delete(this.#gone.values().next().value!);
  }

  reconcile(uid: string): void {
    const item = this.desk.index.byUid(uid);
    if (!item) return;
    if (isBeingDeleted(item.object) && hasFinalizer(item.object, orphan)) this.#orphanDependents(item.object);
    else if (waitsForDependents(item.object)) this.#deleteDependents(item.object);
    else if (!isBeingDeleted(item.object)) this.#deleteUnlessOwned(item);
  }

  #orphanDependents(owner: KubeObject): void {
    for (const { object } of this.desk.index.ownedBy(owner.metadata.uid))
      this.#dropOwners(object, [owner.metadata.uid]);
    this.#dropFinalizer(owner, orphan);
  }

  #deleteDependents(owner: KubeObject): void {
    const blocks = ({ uid, blockOwnerDeletion }: OwnerReference) =>
      uid === owner.metadata.uid && blockOwnerDeletion === true;
    const { uid } = owner.metadata;
    for (const item of this.desk.index.ownedBy(uid)) if (!isBeingDeleted(item.object)) this.#deleteUnlessOwned(item);
    const left = this.desk.index.ownedBy(uid);
    if (left.some(({ object }) => object.metadata.ownerReferences?.some(blocks))) return;
    const latest = this.desk.index.byUid(uid)?.object;
    if (latest && waitsForDependents(latest)) this.#dropFinalizer(latest, foreground);
  }

  #deleteUnlessOwned({ object }: Indexed): void {
    const references = object.metadata.ownerReferences ?? [];
    if (references.length === 0) return;
    const solid: OwnerReference[] = [];
    const dangling: OwnerReference[] = [];
    const waiting: OwnerReference[] = [];
    for (const reference of references) {
      const owner = this.#ownerOf(object, reference);
      if (owner === 'unknown') return;
      (owner === undefined ? dangling : waitsForDependents(owner) ? waiting : solid).push(reference);
    }
    if (solid.length > 0) {
      const lost = [...dangling, ...waiting].map(({ uid }) => uid);
      if (lost.length > 0) this.#dropOwners(object, lost);
      return;
    }
    const dependents = this.desk.index.ownedBy(object.metadata.uid);
    if (waiting.length > 0 && dependents.length > 0) {
      // In a circle of owners each would wait for the next.
      const isCircular = dependents.some((dependent) => waitsForDependents(dependent.object));
      const latest = isCircular ? this.#unblockOwners(object) : object;
      this.desk.writer.delete(latest, { propagationPolicy: 'Foreground' });
      return;
    }
    const propagationPolicy = hasFinalizer(object, orphan)
      ? 'Orphan'
      : hasFinalizer(object, foreground)
        ? 'Foreground'
        : 'Background';
    this.desk.writer.delete(object, { propagationPolicy });
  }

  /** Undefined when it is gone; `unknown` when nobody can tell, and nothing may be deleted for it. */
  #ownerOf(object: KubeObject, reference: OwnerReference): KubeObject | 'unknown' | undefined {
    const { apiVersion, kind: name, uid } = reference;
    const { namespace } = object.metadata;
    if (this.#gone.has(ownerKey(uid)) || this.#gone.has(ownerKey(uid, namespace))) return undefined;
    const kind = this.kinds.kind(groupOf(apiVersion), versionOf(apiVersion), name);
    if (!kind) {
      this.#unresolved.add(object.metadata.uid);
      return 'unknown';
    }
    if (kind.namespaced) this.#warnOfOtherNamespace(object, reference);
    if (kind.namespaced && namespace === undefined) return 'unknown';
    const owner = this.store.get(kind.storage, kind.namespaced ? namespace : undefined, reference.name);
    return owner?.metadata.uid === uid ? owner : undefined;
  }

  #warnOfOtherNamespace(object: KubeObject, { apiVersion, kind, name, uid }: OwnerReference): void {
    const owner = this.desk.index.byUid(uid)?.object;
    if (!owner || owner.metadata.namespace === object.metadata.namespace) return;
    this.desk.events.warning(
      object,
      'OwnerRefInvalidNamespace',
      `ownerRef [${apiVersion}/${kind}, namespace: ${object.metadata.namespace ?? ''}, name: ${name}, uid: ${uid}] does not exist in namespace ${JSON.stringify(object.metadata.namespace ?? '')}`,
    );
  }

  #dropOwners(object: KubeObject, uids: readonly string[]): void {
    const left = object.metadata.ownerReferences?.filter(({ uid }) => !uids.includes(uid)) ?? [];
    this.#patch(object, { ownerReferences: left.length === 0 ? null : (left as unknown as Json) });
  }

  #unblockOwners(object: KubeObject): KubeObject {
    const references = object.metadata.ownerReferences?.map((each) => ({ ...each, blockOwnerDeletion: false }));
    return this.#patch(object, { ownerReferences: references as unknown as Json });
  }

  #dropFinalizer(object: KubeObject, finalizer: string): void {
    const left = object.metadata.finalizers?.filter((each) => each !== finalizer) ?? [];
    this.#patch(object, { finalizers: left.length === 0 ? null : left });
  }

  #patch(object: KubeObject, metadata: { readonly [field: string]: Json }): KubeObject {
    const { uid, resourceVersion } = object.metadata;
    return this.desk.writer.patch(object, { metadata: { ...metadata, uid, resourceVersion } });
  }
}

function ownerKey(uid: string, namespace = ''): string {
  return `${namespace} ${uid}`;
}

function isBeingDeleted({ metadata }: KubeObject): boolean {
  return metadata.deletionTimestamp !== undefined;
}

function hasFinalizer({ metadata }: KubeObject, finalizer: string): boolean {
  return metadata.finalizers?.includes(finalizer) ?? false;
}

function waitsForDependents(object: KubeObject): boolean {
  return isBeingDeleted(object) && hasFinalizer(object, foreground);
}
