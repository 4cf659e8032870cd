import type { KubeObject } from '../../kube/manifest.js';
import type { Kinds } from '../kinds/kinds.js';
import type { ObjectStore, Revision } from '../object-store.js';
import type { BuiltIn, Live } from './built-in.js';

/** An object with the name under which the store keeps its kind. */
export interface Indexed {
  readonly storage: string;
  readonly object: KubeObject;
}

const none: ReadonlyMap<string, KubeObject> = new Map();

/**
 * What controllers look at: the store's objects, found by namespace, uid and owner without a walk over all of them.
 *
 * **Guarantees.** As new as the store itself: `apply` is called with each change before any controller hears of it.
 * Lists are in the order of names, whatever order objects came in.
 */
export class ObjectIndex {
  readonly #byUid = new Map<string, Indexed>();
  readonly #byNamespace = new Map<string, Map<string, KubeObject>>();
  readonly #byOwner = new Map<string, Map<string, Indexed>>();
  readonly #seen = new Set<string>();

  constructor(
    private readonly store: ObjectStore,
    kinds: Kinds,
  ) {
    for (const { storage } of kinds.all) this.#read(storage);
  }

  apply({ type, resource, object, before }: Revision): void {
    this.#seen.add(resource);
    if (before) this.#drop(resource, before);
    if (type === 'DELETED') this.#drop(resource, object);
    else this.#add(resource, object);
  }

  get<T>(resource: BuiltIn<T>, namespace: string | undefined, name: string): Live<T> | undefined {
    return this.store.get(resource.storage, namespace, name) as Live<T> | undefined;
  }

  byUid(uid: string): Indexed | undefined {
    return this.#byUid.get(uid);
  }

  list<T>(resource: BuiltIn<T>, namespace: string): Live<T>[] {
    return sorted(this.in(resource.storage, namespace).values()) as Live<T>[];
  }

  /** In all namespaces. Costs a walk: for kinds of few objects, or rare questions. */
  all<T>(resource: BuiltIn<T>): Live<T>[] {
    return this.store.list(resource.storage) as Live<T>[];
  }

  /** By name, in no order. */
  in(storage: string, namespace: string): ReadonlyMap<string, KubeObject> {
    return this.#byNamespace.get(`${storage} ${namespace}`) ?? none;
  }

  /** Whatever names `uid` among its owners, of all kinds and namespaces. */
  ownedBy(uid: string): readonly Indexed[] {
    return [...(this.#byOwner.get(uid)?.values() ?? [])];
  }

  /** Objects of one kind that `owner` controls. */
  controlledBy<T>(owner: KubeObject, resource: BuiltIn<T>): Live<T>[] {
    const found: KubeObject[] = [];
    for (const { storage, object } of this.#byOwner.get(owner.metadata.uid)?.values() ?? []) {
      if (storage !== resource.storage || object.metadata.namespace !== owner.metadata.namespace) continue;
      const isController = ({ uid, controller }: { uid: string; controller?: boolean }) =>
        controller === true && uid === owner.metadata.uid;
      if (object.metadata.ownerReferences?.some(isController)) found.push(object);
    }
    return sorted(found) as Live<T>[];
  }

  #read(storage: string): void {
    if (this.#seen.has(storage)) return;
    this.#seen.add(storage);
    for (const object of this.store.list(storage)) this.#add(storage, object);
  }

  #add(storage: string, object: KubeObject): void {
    const { uid, namespace = '', name, ownerReferences = [] } = object.metadata;
    const indexed = { storage, object };
    this.#byUid.set(uid, indexed);
    entry(this.#byNamespace, `${storage} ${namespace}`).set(name, object);
    for (const owner of ownerReferences) entry(this.#byOwner, owner.uid).set(uid, indexed);
  }

  #drop(storage: string, { metadata: { uid, namespace = '', name, ownerReferences = [] } }: KubeObject): void {
    this.#byUid.delete(uid);
    remove(this.#byNamespace, `${storage} ${namespace}`, name);
    for (const owner of ownerReferences) remove(this.#byOwner, owner.uid, uid);
  }
}

function entry<T>(index: Map<string, Map<string, T>>, key: string): Map<string, T> {
  let found = index.get(key);
  if (!found) {
    found = new Map();
    index.set(key, found);
  }
  return found;
}

function remove<T>(index: Map<string, Map<string, T>>, key: string, member: string): void {
  const found = index.get(key);
  found?.delete(member);
  if (found?.size === 0) index.delete(key);
}

function sorted(objects: Iterable<KubeObject>): KubeObject[] {
  return [...objects].sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
}
