import { belongsTo, type Owner } from '../drift/belonging.js';
import type { KubeObject } from '../kube/manifest.js';
import { keyOf, type ObjectRef, refOf } from '../kube/object-ref.js';

/** Which far children this process has seen, and whose inventories have them. */
export class FarSightings {
  /** By custom resource its far children, and whether they were ever seen. */
  readonly #seen = new Map<string, Map<string, boolean>>();
  /** By far child the custom resources that have it in their inventory. */
  readonly #keys = new Map<string, Set<string>>();

  /** The custom resources that have what is called so in their inventory. */
  keysOf(object: KubeObject): readonly string[] {
    return [...(this.#keys.get(keyOf(refOf(object))) ?? [])];
  }

  /** `refs` are all far children that `key` has or is to have. */
  track(key: string, refs: readonly ObjectRef[]): void {
    const before = this.#seen.get(key) ?? new Map<string, boolean>();
    const now = new Map(refs.map((ref) => [keyOf(ref), before.get(keyOf(ref)) ?? false]));
    if (now.size === 0) this.#seen.delete(key);
    else this.#seen.set(key, now);
    for (const child of before.keys()) {
      if (now.has(child)) continue;
      const keys = this.#keys.get(child);
      keys?.delete(key);
      if (keys?.size === 0) this.#keys.delete(child);
    }
    for (const child of now.keys()) this.#keys.set(child, (this.#keys.get(child) ?? new Set()).add(key));
  }

  /** That the one before was seen, and seen to go, says nothing of the one that is made now. */
  made(key: string, ref: ObjectRef): void {
    this.#seen.get(key)?.set(keyOf(ref), false);
  }

  /** What others call so says nothing of one that was made without an answer. */
  saw(key: string, owner: Owner, object: KubeObject): void {
    const child = keyOf(refOf(object));
    const seen = this.#seen.get(key);
    if (seen?.has(child) && belongsTo(owner, object)) seen.set(child, true);
  }

  hasSeen(key: string, ref: ObjectRef): boolean {
    return this.#seen.get(key)?.get(keyOf(ref)) ?? false;
  }
}
