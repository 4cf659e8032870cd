import type { KubeObject } from '../kube/manifest.js';
import { controllerOf } from '../kube/owner-reference.js';
import { Facets, type Selector } from './facets.js';

/** What a listener hears: each change once, after the store holds it. */
export type Change =
  | { readonly type: 'added'; readonly object: KubeObject }
  | { readonly type: 'updated'; readonly object: KubeObject; readonly before: KubeObject }
  | { readonly type: 'deleted'; readonly object: KubeObject };

/**
 * The objects of one kind, as last seen.
 *
 * **Guarantees.** Never goes backwards: of two states under one name the one with the larger resourceVersion stays (versions
 * of one kind are ordered: https://kep.k8s.io/5504). A later object of the same name with another uid is a deletion and
 * an addition.
 */
export class Store {
  readonly #objects = new Map<string, KubeObject>();
  readonly #byController = new Map<string, Map<string, KubeObject>>();
  readonly #facets = new Facets(() => this.#objects.values());

  get size(): number {
    return this.#objects.size;
  }

  get(namespace: string | undefined, name: string): KubeObject | undefined {
    return this.#objects.get(keyOf(namespace, name));
  }

  /** In no order. */
  list(selector: Selector = {}): KubeObject[] {
    return this.#facets.select(selector);
  }

  /** The objects of which the owner with this uid is the controller. */
  controlledBy(uid: string): KubeObject[] {
    return [...(this.#byController.get(uid)?.values() ?? [])];
  }

  /** Takes in a state of an object, and says what changed; nothing, when it is no news. */
  put(object: KubeObject): Change[] {
    const { namespace, name, uid } = object.metadata;
    const before = this.get(namespace, name);
    if (before && !isNewer(object, before)) return [];
    if (before && before.metadata.uid === uid) {
      this.#keep(object, before);
      return [{ type: 'updated', object, before }];
    }
    this.#keep(object, before);
    const gone: Change[] = before ? [{ type: 'deleted', object: before }] : [];
    return [...gone, { type: 'added', object }];
  }

  /** Forgets an object. A deletion of an earlier one of the same name is no news. */
  remove({ metadata }: KubeObject): Change[] {
    const before = this.get(metadata.namespace, metadata.name);
    if (!before || before.metadata.uid !== metadata.uid) return [];
    this.#objects.delete(keyOf(metadata.namespace, metadata.name));
    this.#unlink(before);
    return [{ type: 'deleted', object: before }];
  }

  /** Makes a complete list the content of the store, at once. What is not in it was deleted meanwhile. */
  replace(objects: readonly KubeObject[]): Change[] {
    const listed = new Set(objects.map(({ metadata }) => keyOf(metadata.namespace, metadata.name)));
    const gone = [...this.#objects].filter(([key]) => !listed.has(key)).flatMap(([, object]) => this.remove(object));
    return [...gone, ...objects.flatMap((object) => this.put(object))];
  }

  #keep(object: KubeObject, before: KubeObject | undefined): void {
    if (before) this.#unlink(before);
    const key = keyOf(object.metadata.namespace, object.metadata.name);
    this.#objects.set(key, object);
    this.#facets.add(object);
    const uid = controllerOf(object)?.uid;
    if (uid === undefined) return;
    const siblings = this.#byController.get(uid) ?? new Map<string, KubeObject>();
    this.#byController.set(uid, siblings.set(key, object));
  }

  #unlink(object: KubeObject): void {
    this.#facets.remove(object);
    const uid = controllerOf(object)?.uid;
    const siblings = uid === undefined ? undefined : this.#byController.get(uid);
    if (uid === undefined || !siblings) return;
    siblings.delete(keyOf(object.metadata.namespace, object.metadata.name));
    if (siblings.size === 0) this.#byController.delete(uid);
  }
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

function keyOf(namespace: string | undefined, name: string): string {
  return `${namespace ?? ''}/${name}`;
}
