import type { KubeObject } from '../../kube/manifest.js';
import { controllerOf } from '../../kube/owner-reference.js';
import { queueKey, splitKey } from '../queue/queue-key.js';
import { Facets, type Selector } from './facets.js';
import { KeyIndex } from './key-index.js';
import { type Room, Shelf, shelfKey } from './shelf.js';

/** What a listener hears: each change once, after the store holds it. */
export type Change =
  | { readonly type: 'added'; readonly object: KubeObject }
  | { readonly type: 'updated'; readonly object: KubeObject; readonly before: KubeObject }
  | { readonly type: 'deleted'; readonly object: KubeObject };

/** Events come late by moments, and not by so many deletions. */
const mostDeletions = 1000;

/**
 * The objects of one kind, as last seen.
 *
 * **Guarantees.** Never goes backwards: of two states under one name the one with the larger resourceVersion stays (versions
 * of one kind are ordered: https://kep.k8s.io/5504), and of what was deleted lately no earlier state comes back. A later
 * object of the same name with another uid is a deletion and an addition.
 *
 * What it hands out is equal to what it was given, and need not be the same value each time.
 */
export class Store {
  readonly #shelf: Shelf;
  readonly #byController = new KeyIndex(controllersOf);
  readonly #facets: Facets;
  /** By key, the versions at which objects were deleted; the last at the end. */
  readonly #deletions = new Map<string, string>();

  constructor(private readonly room?: Room) {
    this.#shelf = new Shelf(room);
    this.#facets = new Facets(this.#shelf);
  }

  get size(): number {
    return this.#shelf.size;
  }

  keys(): Iterable<string> {
    return this.#shelf.keys();
  }

  get(namespace: string | undefined, name: string): KubeObject | undefined {
    return this.#shelf.get(queueKey(namespace, name));
  }

  /** In no order. */
  list(selector: Selector = {}): KubeObject[] {
    return this.#facets.select(selector);
  }

  /** Prepares to be asked by namespaces and labels. Best called while the store is empty: later it looks at every object first. */
  announceSelectors(): void {
    this.#facets.announce();
  }

  /**
   * The objects of which the owner with this uid is the controller, where it can be: from within a namespace no owner reference
   * reaches out of it, whatever somebody in another one has written into his.
   */
  controlledBy(uid: string, namespace: string | undefined): KubeObject[] {
    const keys = [...this.#byController.get(uid)];
    return this.#shelf.getAll(namespace === undefined ? keys : keys.filter((key) => splitKey(key)[0] === namespace));
  }

  /** True when there is more in memory than there need be while nobody looks at anything. */
  get isUntidy(): boolean {
    return this.#shelf.isUntidy;
  }

  tidy(): void {
    this.#shelf.tidy();
  }

  /** The key of the object that was written last. It looks at all. */
  latest(): string | undefined {
    let [latest, version] = [undefined as string | undefined, ''];
    for (const key of this.keys()) {
      const own = this.#shelf.versionOf(key) ?? '';
      if (compareVersions(own, version) <= 0) continue;
      [latest, version] = [key, own];
    }
    return latest;
  }

  /** The version of the state that is here of this object. */
  versionOf(object: KubeObject): string | undefined {
    return this.#shelf.versionOf(shelfKey(object));
  }

  /** Takes in a state of an object, and says what changed; nothing, when it is no news. */
  put(object: KubeObject): Change[] {
    const key = shelfKey(object);
    return this.#isNews(key, object.metadata.resourceVersion) ? this.#keep(key, object) : [];
  }

  /** Forgets an object. A deletion of an earlier one of the same name is no news. */
  remove(object: KubeObject): Change[] {
    const key = shelfKey(object);
    const before = this.#shelf.get(key);
    if (!before || before.metadata.uid !== object.metadata.uid) return [];
    this.#drop(key, before);
    this.#deletions.set(key, object.metadata.resourceVersion);
    if (this.#deletions.size > mostDeletions) this.#deletions.delete(this.#deletions.keys().next().value!);
    return changesOf(before, undefined);
  }

  /**
   * Makes a complete list the content of a store that is empty, object by object: nobody is fooled by a part of the first list,
   * and all of it together need not be at hand.
   */
  *fill(listed: Shelf): Generator<readonly Change[]> {
    for (const key of listed.keys()) yield this.#keep(key, listed.peek(key)!, listed);
  }

  /**
   * Makes a complete list the content of the store, at once, and then tells what that changes. What is not in it was deleted
   * meanwhile; what is older in it is of a history that a restored backup took back.
   *
   * **Assumes** that the list is not older than anything that the store was given, unless it `isAnother` history's: then
   * versions say nothing, and everything is news.
   */
  replace(listed: Shelf, tell: (change: Change) => void = () => {}, isAnother = false): void {
    if (isAnother) this.#deletions.clear();
    if (this.size === 0) {
      for (const changes of this.fill(listed)) changes.forEach(tell);
      return;
    }
    const gone = [...this.#shelf.keys()].filter((key) => listed.versionOf(key) === undefined);
    const news = [...listed.keys()].filter((key) => isAnother || listed.versionOf(key) !== this.#shelf.versionOf(key));
    // All that changes need not be at hand either: it stays packed until it is told.
    const before = new Shelf(this.room);
    for (const key of [...gone, ...news]) if (this.#shelf.has(key)) before.take(key, this.#shelf);
    for (const key of gone) this.#drop(key, before.peek(key)!);
    for (const key of news) this.#keep(key, listed.peek(key)!, listed);
    for (const key of [...gone, ...news]) {
      for (const change of changesOf(before.peek(key), listed.peek(key))) tell(change);
    }
  }

  #isNews(key: string, version: string): boolean {
    const known = this.#shelf.versionOf(key) ?? this.#deletions.get(key);
    return known === undefined || compareVersions(version, known) > 0;
  }

  /** Where it is `listed`, it is taken over as it lies there. */
  #keep(key: string, object: KubeObject, listed?: Shelf): Change[] {
    const before = this.#shelf.peek(key);
    if (before) this.#unlink(key, before);
    if (listed) this.#shelf.take(key, listed);
    else this.#shelf.set(key, object);
    this.#link(key, object);
    this.#deletions.delete(key);
    return changesOf(before, object);
  }

  #link(key: string, object: KubeObject): void {
    this.#facets.add(key, object);
    this.#byController.add(key, object);
  }

  #drop(key: string, before: KubeObject): void {
    this.#shelf.delete(key);
    this.#unlink(key, before);
  }

  #unlink(key: string, object: KubeObject): void {
    this.#facets.remove(key, object);
    this.#byController.remove(key, object);
  }
}

function changesOf(before: KubeObject | undefined, object: KubeObject | undefined): Change[] {
  if (before && object && before.metadata.uid === object.metadata.uid) return [{ type: 'updated', object, before }];
  const gone: Change[] = before ? [{ type: 'deleted', object: before }] : [];
  return object ? [...gone, { type: 'added', object }] : gone;
}

function controllersOf(object: KubeObject): readonly string[] {
  const uid = controllerOf(object)?.uid;
  return uid === undefined ? [] : [uid];
}

/** True when `a` is a later state than `b`. Versions are numbers of up to 64 bits, so length decides before digits. */
export function isNewer(a: KubeObject, b: KubeObject): boolean {
  return compareVersions(a.metadata.resourceVersion, b.metadata.resourceVersion) > 0;
}

export function compareVersions(a: string, b: string): number {
  if (a.length !== b.length) return a.length - b.length;
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The later of two versions. */
export function latest(a: string, b: string): string {
  return compareVersions(a, b) >= 0 ? a : b;
}
