import { type Remembered, remember } from '../drift/remembered.js';
import { groupKindOf } from '../kube/api-resource.js';
import type { KubeObject, Manifest } from '../kube/manifest.js';
import { latest } from './store.js';
import type { WatchedKind } from './watched-kind.js';

interface Memory {
  /** By kind and namespace, the latest version that we wrote. */
  readonly versions: Map<
    string,
    { readonly kind: WatchedKind; readonly namespace: string | undefined; readonly version: string }
  >;
  /** By uid of a child. */
  readonly children: Map<string, Remembered>;
  readonly pruned: Set<string>;
}

/**
 * What this process wrote for each custom resource, so that no reconcile acts on a store older than its own writes.
 *
 * Nothing here is needed to be correct after a restart: it tells apart what a fresh list tells, too.
 */
export class OwnWrites {
  readonly #byOwner = new Map<string, Memory>();

  constructor(private readonly manager: string) {}

  /** Remembers the answer to a write. */
  wrote(owner: string, kind: WatchedKind, object: KubeObject): void {
    const memory = this.#of(owner);
    const { namespace, resourceVersion: version } = object.metadata;
    const place = `${groupKindOf(object)} ${namespace ?? ''}`;
    // A write that changed nothing is answered with a version from before our other writes.
    const newest = latest(memory.versions.get(place)?.version ?? '', version);
    memory.versions.set(place, { kind, namespace, version: newest });
  }

  /** Remembers how a child is that was found as it should be; of one that is known, nothing new is learnt. */
  found(owner: string, manifest: Manifest, child: KubeObject): void {
    if (!this.children(owner).has(child.metadata.uid)) this.knows(owner, manifest, child);
  }

  /** Remembers how a child is after our write of `manifest`. */
  knows(owner: string, manifest: Manifest, child: KubeObject): void {
    this.#of(owner).children.set(child.metadata.uid, remember(manifest, child, this.manager));
  }

  pruned(owner: string, { metadata }: KubeObject): void {
    this.#of(owner).pruned.add(metadata.uid);
    this.#of(owner).children.delete(metadata.uid);
  }

  isPruned(owner: string, { metadata }: KubeObject): boolean {
    return this.#byOwner.get(owner)?.pruned.has(metadata.uid) ?? false;
  }

  /** What is remembered of the children, by uid. */
  children(owner: string): ReadonlyMap<string, Remembered> {
    return this.#byOwner.get(owner)?.children ?? new Map();
  }

  /** True when the stores show all that we wrote for `owner`. */
  areSeen(owner: string): boolean {
    const memory = this.#byOwner.get(owner);
    if (!memory) return true;
    for (const [place, { kind, namespace, version }] of memory.versions) {
      if (!kind.hasSeen(namespace, version)) return false;
      memory.versions.delete(place);
    }
    return true;
  }

  forget(owner: string): void {
    this.#byOwner.delete(owner);
  }

  /** Forgets children of `owner` that are no more. */
  keepOnly(owner: string, uids: ReadonlySet<string>): void {
    const memory = this.#byOwner.get(owner);
    for (const known of [memory?.children.keys() ?? [], memory?.pruned.keys() ?? []]) {
      for (const uid of known) {
        if (uids.has(uid)) continue;
        memory?.children.delete(uid);
        memory?.pruned.delete(uid);
      }
    }
  }

  #of(owner: string): Memory {
    let memory = this.#byOwner.get(owner);
    if (!memory) {
      memory = { versions: new Map(), children: new Map(), pruned: new Set() };
      this.#byOwner.set(owner, memory);
    }
    return memory;
  }
}
