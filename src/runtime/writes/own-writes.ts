import { type Remembered, remember, withOneEntry } from '../../drift/remembered.js';
import { groupKindOf } from '../../kube/api-resource.js';
import type { KubeObject, Manifest } from '../../kube/manifest.js';
import { latest } from '../informer/store.js';
import type { WatchedKind } from '../informer/watched-kind.js';

/** The latest write to a kind in a namespace. */
export interface Written {
  readonly kind: WatchedKind;
  readonly namespace: string | undefined;
  readonly version: string;
  /** Of which history of the API server the version is. */
  readonly history: number;
}

/**
 * What this process wrote for each custom resource, so that no reconcile acts on a store older than its own writes.
 *
 * Nothing here is needed to be correct after a restart: it tells apart what a fresh list tells, too.
 */
export class OwnWrites {
  /** By owner, and by kind and namespace, the latest version that we wrote, until the stores show it. */
  readonly #versions = new Map<string, Map<string, Written>>();
  /** By owner, and by uid of a child. */
  readonly #children = new Map<string, Map<string, Remembered>>();
  /** By owner, the uids of the children that we pruned. */
  readonly #pruned = new Map<string, Set<string>>();
  /** Owners that the API server had as they were known, once since this process began. */
  readonly #vouched = new Set<string>();
  /** The same of what they read. */
  readonly #inputsVouched = new Set<string>();
  /** The same of their children, as far as these are told of. */
  readonly #childrenVouched = new Set<string>();

  constructor(private readonly manager: string) {}

  /** Remembers the answer to a write. */
  wrote(owner: string, kind: WatchedKind, object: KubeObject): void {
    const versions = this.#versions.get(owner) ?? new Map<string, Written>();
    const { namespace, resourceVersion: version } = object.metadata;
    const place = `${groupKindOf(object)} ${namespace ?? ''}`;
    // A write that changed nothing is answered with a version from before our other writes.
    const before = versions.get(place);
    const history = kind.historiesIn(namespace);
    const newest = before?.history === history ? latest(before.version, version) : version;
    this.#versions.set(owner, versions.set(place, { kind, namespace, version: newest, history }));
    kind.wrote(namespace, version);
  }

  /** Remembers how a child is that was found as it should be. */
  found(owner: string, { metadata: { uid } }: KubeObject, seen: Remembered): void {
    if (this.children(owner).get(uid) !== seen) this.#childrenOf(owner).set(uid, seen);
  }

  /** Remembers how a child is after our write of `manifest`. */
  knows(owner: string, manifest: Manifest, child: KubeObject): void {
    this.#childrenOf(owner).set(child.metadata.uid, remember(manifest, child, this.manager));
  }

  /** Remembers how writes left a child whose last one failed: what we own of it may be in one entry by now. */
  left(owner: string, kind: WatchedKind, child: KubeObject): void {
    this.wrote(owner, kind, child);
    const last = this.children(owner).get(child.metadata.uid);
    if (last) this.found(owner, child, withOneEntry(last, child, this.manager));
  }

  pruned(owner: string, { metadata }: KubeObject): void {
    this.#pruned.set(owner, (this.#pruned.get(owner) ?? new Set<string>()).add(metadata.uid));
    this.#children.get(owner)?.delete(metadata.uid);
  }

  /**
   * The API server has `owner` as we know it, or took a write of just that version. Whoever led before can have written
   * nothing of a later edit, and will not any more.
   */
  vouch(owner: string): void {
    this.#vouched.add(owner);
  }

  isVouched(owner: string): boolean {
    return this.#vouched.has(owner);
  }

  /** What `owner` reads was known as the API server had it: what follows from it now is no older than what others made of it. */
  vouchInputs(owner: string): void {
    this.#inputsVouched.add(owner);
  }

  /** It reads something else from now on, of which whoever led before may have said more. */
  doubtInputs(owner: string): void {
    this.#inputsVouched.delete(owner);
  }

  areInputsVouched(owner: string): boolean {
    return this.#inputsVouched.has(owner);
  }

  /** What is said of the children of `owner` is no older than what others said of them. */
  vouchChildren(owner: string): void {
    this.#childrenVouched.add(owner);
  }

  areChildrenVouched(owner: string): boolean {
    return this.#childrenVouched.has(owner);
  }

  isPruned(owner: string, { metadata }: KubeObject): boolean {
    return this.#pruned.get(owner)?.has(metadata.uid) ?? false;
  }

  /** What is remembered of the children, by uid. */
  children(owner: string): ReadonlyMap<string, Remembered> {
    return this.#children.get(owner) ?? new Map();
  }

  /**
   * What we wrote for `owner` and the stores do not show yet, one of it; undefined when they show all. Of a kind that is not
   * served nothing is shown, and nothing decided: it is waited for again from when it is back, which is when all are looked at
   * anew.
   */
  unseen(owner: string): Written | undefined {
    const versions = this.#versions.get(owner);
    if (!versions) return undefined;
    for (const [place, written] of versions) {
      const { kind, namespace, version, history } = written;
      if (!kind.isServed) continue;
      // What was written in a history that the API server has lost is shown by nobody.
      const isShown = kind.historiesIn(namespace) !== history || kind.hasSeen(namespace, version);
      if (!isShown) return written;
      versions.delete(place);
    }
    if (versions.size === 0) this.#versions.delete(owner);
    return undefined;
  }

  forget(owner: string): void {
    this.#versions.delete(owner);
    this.#children.delete(owner);
    this.#pruned.delete(owner);
    this.#vouched.delete(owner);
    this.#inputsVouched.delete(owner);
    this.#childrenVouched.delete(owner);
  }

  /** Forgets children of `owner` that are no more. */
  keepOnly(owner: string, uids: ReadonlySet<string>): void {
    for (const known of [this.#children, this.#pruned]) {
      const ofOwner = known.get(owner);
      if (!ofOwner) continue;
      for (const uid of ofOwner.keys()) if (!uids.has(uid)) ofOwner.delete(uid);
      if (ofOwner.size === 0) known.delete(owner);
    }
  }

  #childrenOf(owner: string): Map<string, Remembered> {
    let children = this.#children.get(owner);
    if (!children) {
      children = new Map();
      this.#children.set(owner, children);
    }
    return children;
  }
}
