/** Which custom resources wait for somebody else's object to go, so that they can have its name. */
export class Refusals {
  readonly #waiting = new Map<string, Set<string>>();

  /** `key` waits for the object with this key. */
  add(key: string, object: string): void {
    this.#waiting.set(object, (this.#waiting.get(object) ?? new Set()).add(key));
  }

  /** `key` waits for nothing any more. */
  clear(key: string): void {
    for (const [object, keys] of this.#waiting) {
      if (keys.delete(key) && keys.size === 0) this.#waiting.delete(object);
    }
  }

  /** Who waits for anything. */
  get all(): readonly string[] {
    return [...new Set([...this.#waiting.values()].flatMap((keys) => [...keys]))];
  }

  /** Who waits for this object. */
  of(object: string): readonly string[] {
    return [...(this.#waiting.get(object) ?? [])];
  }
}
