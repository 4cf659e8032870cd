import type { KubeObject } from '../kube/manifest.js';
import { ObjectTable } from './object-table.js';

/** One change of one object, as it happened. */
export interface Revision {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  /** Which kind: `deployments.apps`. */
  readonly resource: string;
  readonly object: KubeObject;
  /** What the object was before; selectors of a watch need it to tell leaving from staying away. */
  readonly before?: KubeObject;
  readonly revision: number;
}

type Listener = (revision: Revision) => void;

/**
 * Objects by kind, namespace and name, with one revision counter over all and a history for watches, as etcd has it.
 *
 * **Guarantees.** Revisions only grow, by one a change. Listeners hear each change once, in order, after it is stored.
 * Objects are frozen: nobody who was handed one can change what others see.
 */
export class ObjectStore {
  readonly #tables = new Map<string, ObjectTable>();
  #history: Revision[] = [];
  readonly #listeners = new Set<Listener>();
  readonly #listenersOf = new Map<string, Set<Listener>>();
  #revision = 1;
  #compacted = 0;

  /** How many changes the history holds before the oldest are compacted. */
  constructor(private readonly historyLimit = 10_000) {}

  /** The revision of the latest change: the resourceVersion of a list made now. */
  get revision(): number {
    return this.#revision;
  }

  /** Watches can resume from this revision on, and not from an older one. */
  get compactedRevision(): number {
    return this.#compacted;
  }

  /** The kinds of which there are objects, or were. */
  get resources(): readonly string[] {
    return [...this.#tables.keys()];
  }

  get(resource: string, namespace: string | undefined, name: string): KubeObject | undefined {
    return this.#tables.get(resource)?.get(namespace, name);
  }

  /** By namespace and name, in the order of etcd's keys. */
  list(resource: string, namespace?: string): KubeObject[] {
    return this.#tables.get(resource)?.list(namespace) ?? [];
  }

  /** As `list` was when `revision` was the latest, which must not be compacted. */
  listAt(resource: string, namespace: string | undefined, revision: number): KubeObject[] {
    const then = new ObjectTable();
    for (const object of this.#tables.get(resource)?.objects.values() ?? []) then.set(object);
    for (const { object, before } of this.since(resource, revision).reverse()) {
      if (before) then.set(before);
      else then.delete(object);
    }
    return then.list(namespace);
  }

  /** Stores `object` under a new revision, which becomes its resourceVersion, and returns what was stored. */
  put(resource: string, object: KubeObject): KubeObject {
    const stored = this.#stamped(object);
    const before = this.#tableOf(resource).set(stored);
    this.#tell({ type: before ? 'MODIFIED' : 'ADDED', resource, object: stored, ...(before ? { before } : {}) });
    return stored;
  }

  /** Removes an object; its last state, told to watches, carries the revision of the removal. */
  remove(resource: string, object: KubeObject): KubeObject {
    const before = this.#tableOf(resource).delete(object);
    const last = this.#stamped(object);
    this.#tell({ type: 'DELETED', resource, object: last, ...(before ? { before } : {}) });
    return last;
  }

  /** All changes of a kind after `revision`. The caller has checked that they are not compacted. */
  since(resource: string, revision: number): Revision[] {
    const [first] = this.#history;
    // Revisions grow by one a change, so that the place of each is known.
    const from = first === undefined ? 0 : Math.max(0, revision + 1 - first.revision);
    return this.#history.slice(from).filter((change) => change.resource === resource);
  }

  /** Hears of all changes. Returns how to stop. */
  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Hears of the changes of one kind. Returns how to stop. */
  listenTo(resource: string, listener: Listener): () => void {
    let listeners = this.#listenersOf.get(resource);
    if (!listeners) {
      listeners = new Set();
      this.#listenersOf.set(resource, listeners);
    }
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  /** Forgets the history up to now, as etcd's compaction does: older watches have to list again. */
  compact(): void {
    this.#compacted = this.#revision;
    this.#history = [];
  }

  /** Takes over objects as they were stored elsewhere, with the counter that stood then. For an empty store only. */
  restore(revision: number, objects: Iterable<readonly [resource: string, object: KubeObject]>): void {
    if (this.#revision !== 1) throw new Error('only an empty store can be restored');
    for (const [resource, object] of objects) this.#tableOf(resource).set(freeze(object));
    this.#revision = revision;
    this.#compacted = revision;
  }

  #tableOf(resource: string): ObjectTable {
    let table = this.#tables.get(resource);
    if (!table) {
      table = new ObjectTable();
      this.#tables.set(resource, table);
    }
    return table;
  }

  #stamped(object: KubeObject): KubeObject {
    this.#revision += 1;
    return freeze({ ...object, metadata: { ...object.metadata, resourceVersion: String(this.#revision) } });
  }

  #tell(change: Omit<Revision, 'revision'>): void {
    const revision: Revision = { ...change, revision: this.#revision };
    this.#history.push(revision);
    if (this.#history.length > this.historyLimit) {
      const dropped = this.#history.splice(0, Math.ceil(this.historyLimit / 10));
      this.#compacted = dropped.at(-1)?.revision ?? this.#compacted;
    }
    for (const listener of this.#listeners) listener(revision);
    for (const listener of this.#listenersOf.get(change.resource) ?? []) listener(revision);
  }
}

function freeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  // What is within first: a walk over what is frozen already takes longer.
  if (Array.isArray(value)) for (let index = 0; index < value.length; index++) freeze(value[index]);
  else for (const key in value) freeze(value[key]);
  return Object.freeze(value);
}
