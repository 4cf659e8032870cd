import type { KubeObject } from '../kube/manifest.js';

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

/**
 * Objects by kind, namespace and name, with one revision counter over all and a history for watches, as etcd has it.
 *
 * **Guarantees.** Revisions only grow, by one a change. Listeners hear each change once, in order, after it is stored.
 * Objects are frozen: nobody who was handed one can change what others see.
 */
export class ObjectStore {
  readonly #objects = new Map<string, Map<string, KubeObject>>();
  readonly #history: Revision[] = [];
  readonly #listeners = new Set<(revision: Revision) => void>();
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

  get(resource: string, namespace: string | undefined, name: string): KubeObject | undefined {
    return this.#objects.get(resource)?.get(keyOf(namespace, name));
  }

  /** By namespace and name, in the order of etcd's keys. */
  list(resource: string, namespace?: string): KubeObject[] {
    const all = this.#objects.get(resource);
    if (!all) return [];
    const found =
      namespace === undefined ? [...all] : [...all].filter(([, object]) => object.metadata.namespace === namespace);
    return found.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, object]) => object);
  }

  /** Stores `object` under a new revision, which becomes its resourceVersion, and returns what was stored. */
  put(resource: string, object: KubeObject): KubeObject {
    const before = this.get(resource, object.metadata.namespace, object.metadata.name);
    const stored = this.#stamped(object);
    let objects = this.#objects.get(resource);
    if (!objects) {
      objects = new Map();
      this.#objects.set(resource, objects);
    }
    objects.set(keyOf(object.metadata.namespace, object.metadata.name), stored);
    this.#tell({ type: before ? 'MODIFIED' : 'ADDED', resource, object: stored, ...(before ? { before } : {}) });
    return stored;
  }

  /** Removes an object; its last state, told to watches, carries the revision of the removal. */
  remove(resource: string, object: KubeObject): KubeObject {
    const before = this.get(resource, object.metadata.namespace, object.metadata.name);
    this.#objects.get(resource)?.delete(keyOf(object.metadata.namespace, object.metadata.name));
    const last = this.#stamped(object);
    this.#tell({ type: 'DELETED', resource, object: last, ...(before ? { before } : {}) });
    return last;
  }

  /** All changes of a kind after `revision`. The caller has checked that they are not compacted. */
  since(resource: string, revision: number): Revision[] {
    return this.#history.filter((change) => change.resource === resource && change.revision > revision);
  }

  listen(listener: (revision: Revision) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Forgets the history up to now, as etcd's compaction does: older watches have to list again. */
  compact(): void {
    this.#compacted = this.#revision;
    this.#history.length = 0;
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
  }
}

function keyOf(namespace: string | undefined, name: string): string {
  return `${namespace ?? ''}/${name}`;
}

function freeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const child of Object.values(value)) freeze(child);
  return value;
}
