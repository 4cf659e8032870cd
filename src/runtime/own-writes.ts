import { ownershipOf } from '../drift/ownership.js';
import { groupKindOf } from '../kube/api-resource.js';
import type { KubeObject } from '../kube/manifest.js';
import { latest } from './store.js';
import type { WatchedKind } from './watched-kind.js';

interface Memory {
  /** By kind and namespace, the latest version that we wrote. */
  readonly versions: Map<
    string,
    { readonly kind: WatchedKind; readonly namespace: string | undefined; readonly version: string }
  >;
  /** By uid of a child, its fingerprint after our last write. */
  readonly fingerprints: Map<string, string>;
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

  /** Remembers how a child looks after our write of it, or when it was first found as it should be. */
  knows(owner: string, child: KubeObject): void {
    this.#of(owner).fingerprints.set(child.metadata.uid, ownershipOf(child, this.manager).fingerprint);
  }

  pruned(owner: string, { metadata }: KubeObject): void {
    this.#of(owner).pruned.add(metadata.uid);
    this.#of(owner).fingerprints.delete(metadata.uid);
  }

  isPruned(owner: string, { metadata }: KubeObject): boolean {
    return this.#byOwner.get(owner)?.pruned.has(metadata.uid) ?? false;
  }

  fingerprints(owner: string): ReadonlyMap<string, string> {
    return this.#byOwner.get(owner)?.fingerprints ?? new Map();
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
    for (const known of [memory?.fingerprints.keys() ?? [], memory?.pruned.keys() ?? []]) {
      for (const uid of known) {
        if (uids.has(uid)) continue;
        memory?.fingerprints.delete(uid);
        memory?.pruned.delete(uid);
      }
    }
  }

  #of(owner: string): Memory {
    let memory = this.#byOwner.get(owner);
    if (!memory) {
      memory = { versions: new Map(), fingerprints: new Map(), pruned: new Set() };
      this.#byOwner.set(owner, memory);
    }
    return memory;
  }
}
