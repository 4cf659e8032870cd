import { belongsTo, type Owner } from '../../drift/belonging.js';
import type { KubeObject } from '../../kube/manifest.js';
import { keyOf, type ObjectRef, refOf } from '../../kube/object-ref.js';

/** What this process knows of far children that are not there, and whose inventories have them. */
export class FarSightings {
  /** By custom resource its far children, and whose uid is known to be gone: `nobody` where the server had none of that name. */
  readonly #gone = new Map<string, Map<string, string | undefined>>();
  /** By far child the custom resources that have it in their inventory. */
  readonly #keys = new Map<string, Set<string>>();

  /** The custom resources that have what is called so in their inventory. */
  keysOf(object: KubeObject): readonly string[] {
    return [...(this.#keys.get(keyOf(refOf(object))) ?? [])];
  }

  /** `refs` are all far children that `key` has or is to have. */
  track(key: string, refs: readonly ObjectRef[]): void {
    const before = this.#gone.get(key) ?? new Map<string, string | undefined>();
    const now = new Map(refs.map((ref) => [keyOf(ref), before.get(keyOf(ref))]));
    if (now.size === 0) this.#gone.delete(key);
    else this.#gone.set(key, now);
    for (const child of before.keys()) {
      if (now.has(child)) continue;
      const keys = this.#keys.get(child);
      keys?.delete(key);
      if (keys?.size === 0) this.#keys.delete(child);
    }
    for (const child of now.keys()) this.#keys.set(child, (this.#keys.get(child) ?? new Set()).add(key));
  }

  /** That the one before went says nothing of the one that is made now. */
  made(key: string, ref: ObjectRef): void {
    this.#gone.get(key)?.set(keyOf(ref), undefined);
  }

  /** What others call so says nothing of ours, and what is late to show one that is gone says nothing new. */
  saw(key: string, owner: Owner, object: KubeObject): void {
    const child = keyOf(refOf(object));
    const gone = this.#gone.get(key);
    if (gone?.has(child) && gone.get(child) !== object.metadata.uid && belongsTo(owner, object)) {
      gone.set(child, undefined);
    }
  }

  /** The API server has none of that name, or has deleted the one of that uid for us. */
  went(key: string, ref: ObjectRef, uid = nobody): void {
    const gone = this.#gone.get(key);
    if (gone?.has(keyOf(ref))) gone.set(keyOf(ref), uid);
  }

  /**
   * True when the API server itself said so, and nothing was seen or made since. A watch that shows one go tells less: it
   * may be late, and another of that name made meanwhile.
   */
  isGone(key: string, ref: ObjectRef): boolean {
    return this.#gone.get(key)?.get(keyOf(ref)) !== undefined;
  }
}

/** No uid is empty. */
const nobody = '';
