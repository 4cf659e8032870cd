import type { KubeObject } from '../kube/manifest.js';
import { type Packed, Packing, versionOf } from './packing.js';
import { queueKey } from './queue-key.js';

/**
 * Objects by key, of which those that were looked at last are at hand, and all others packed.
 *
 * **Guarantees.** What is handed out equals what was put there last under the key. An object that nobody changes is packed
 * once, however often it is looked at.
 */
export class Shelf {
  readonly #packing = new Packing();
  /** All keys: what is packed here, or, where nothing is, at hand and never packed yet. */
  readonly #packed = new Map<string, Packed | undefined>();
  /** By key; those that were looked at last at the end. */
  readonly #atHand = new Map<string, KubeObject>();

  constructor(private readonly most = 256) {}

  get size(): number {
    return this.#packed.size;
  }

  keys(): IterableIterator<string> {
    return this.#packed.keys();
  }

  get(key: string): KubeObject | undefined {
    const object = this.peek(key);
    if (object) this.#reach(key, object);
    return object;
  }

  /** The same, for whoever looks at all: what is at hand stays as it is. */
  peek(key: string): KubeObject | undefined {
    const known = this.#atHand.get(key);
    if (known) return known;
    const packed = this.#packed.get(key);
    return packed && this.#packing.unpack(packed);
  }

  /** The resourceVersion of what is there. */
  versionOf(key: string): string | undefined {
    const known = this.#atHand.get(key);
    if (known) return known.metadata.resourceVersion;
    const packed = this.#packed.get(key);
    return packed && versionOf(packed);
  }

  put(object: KubeObject): void {
    this.set(keyOf(object), object);
  }

  set(key: string, object: KubeObject): void {
    this.#packed.set(key, undefined);
    this.#reach(key, object);
  }

  /** Takes over what another shelf has under a key, packed as it is. */
  take(key: string, from: Shelf): void {
    const packed = from.#packed.get(key);
    const object = from.#atHand.get(key);
    this.#packed.set(key, packed);
    if (object) this.#reach(key, object);
  }

  delete(key: string): void {
    this.#packed.delete(key);
    this.#atHand.delete(key);
  }

  #reach(key: string, object: KubeObject): void {
    this.#atHand.delete(key);
    this.#atHand.set(key, object);
    if (this.#atHand.size <= this.most) return;
    for (const [oldest, each] of this.#atHand) {
      this.#atHand.delete(oldest);
      if (!this.#packed.get(oldest)) this.#packed.set(oldest, this.#packing.pack(each));
      return;
    }
  }
}

/** Under which an object lies. */
export function keyOf({ metadata: { namespace, name } }: Pick<KubeObject, 'metadata'>): string {
  return queueKey(namespace, name);
}
