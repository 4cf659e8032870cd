interface Place<K, V> {
  readonly key: K;
  readonly value: V;
  before: Place<K, V> | undefined;
  after: Place<K, V> | undefined;
}

/**
 * Values by key, in the order in which the keys came. The first costs the same however many there are: a Map looks for it among the
 * places of all that were taken out before it.
 */
export class Line<K, V> {
  readonly #places = new Map<K, Place<K, V>>();
  #first: Place<K, V> | undefined;
  #last: Place<K, V> | undefined;

  get size(): number {
    return this.#places.size;
  }

  get first(): readonly [key: K, value: V] | undefined {
    return this.#first && [this.#first.key, this.#first.value];
  }

  get(key: K): V | undefined {
    return this.#places.get(key)?.value;
  }

  has(key: K): boolean {
    return this.#places.has(key);
  }

  /** In order. What is under way may take out the key that it is at. */
  *keys(): Generator<K> {
    for (let place = this.#first; place; place = place.after) yield place.key;
  }

  /** Puts a key to the end, wherever it was before. */
  push(key: K, value: V): this {
    this.delete(key);
    const place: Place<K, V> = { key, value, before: this.#last, after: undefined };
    if (this.#last) this.#last.after = place;
    else this.#first = place;
    this.#last = place;
    this.#places.set(key, place);
    return this;
  }

  /** True where it was there. */
  delete(key: K): boolean {
    const place = this.#places.get(key);
    if (!place) return false;
    const { before, after } = place;
    if (before) before.after = after;
    else this.#first = after;
    if (after) after.before = before;
    else this.#last = before;
    return this.#places.delete(key);
  }

  clear(): void {
    this.#places.clear();
    this.#first = this.#last = undefined;
  }
}
