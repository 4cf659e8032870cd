import type { KubeObject } from '../../kube/manifest.js';
import { queueKey } from '../queue/queue-key.js';
import { type Packed, Packing, versionOf } from './packing.js';

export interface Room {
  /** So many are at hand while there is much to do. */
  readonly most: number;
  /** So many stay at hand when somebody tidies up. */
  readonly tidy: number;
}

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

  #most: number;

  constructor(private readonly room: Room = { most: 1536, tidy: 64 }) {
    this.#most = room.most;
  }

  get size(): number {
    return this.#packed.size;
  }

  keys(): IterableIterator<string> {
    return this.#packed.keys();
  }

  has(key: string): boolean {
    return this.#packed.has(key);
  }

  get(key: string): KubeObject | undefined {
    const object = this.peek(key);
    if (object) this.#reach(key, object);
    return object;
  }

  /** Who looks at so many at once will look at them again: there is room for them, until somebody tidies up. */
  getAll(keys: readonly string[]): KubeObject[] {
    this.#most = Math.max(this.#most, 2 * keys.length);
    return keys.flatMap((key) => this.get(key) ?? []);
  }

  /** What is at hand stays as it is. */
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
    this.set(shelfKey(object), object);
  }

  set(key: string, object: KubeObject): void {
    this.#packed.set(key, undefined);
    this.#reach(key, object);
  }

  /** Takes over what another shelf has under a key, packed as it is. */
  take(key: string, from: Shelf): void {
    const packed = from.#packed.get(key);
    const object = from.#atHand.get(key);
    // What is at hand here is of before.
    this.#atHand.delete(key);
    this.#packed.set(key, packed);
    if (object) this.#reach(key, object);
  }

  /** True when more is at hand than has to be while nobody looks at anything. */
  get isUntidy(): boolean {
    return this.#atHand.size > this.room.tidy;
  }

  tidy(): void {
    this.#most = this.room.most;
    this.#pack(this.room.tidy);
  }

  delete(key: string): void {
    this.#packed.delete(key);
    this.#atHand.delete(key);
  }

  #reach(key: string, object: KubeObject): void {
    this.#atHand.delete(key);
    this.#atHand.set(key, object);
    this.#pack(this.#most);
  }

  /** Packs what was looked at least lately, until no more than `most` are at hand. */
  #pack(most: number): void {
    if (this.#atHand.size <= most) return;
    for (const [key, object] of this.#atHand) {
      this.#atHand.delete(key);
      if (!this.#packed.get(key)) this.#packed.set(key, this.#packing.pack(object));
      if (this.#atHand.size <= most) return;
    }
  }
}

/** Under which an object lies. */
export function shelfKey({ metadata: { namespace, name } }: Pick<KubeObject, 'metadata'>): string {
  return queueKey(namespace, name);
}
