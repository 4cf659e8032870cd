/** Which keys wait for what: a change of that is a reason to look at them again. Each call costs the same, however many wait. */
export class Waiters {
  /** By what is waited for. */
  readonly #keys = new Map<string, Set<string>>();
  /** By who waits. */
  readonly #things = new Map<string, Set<string>>();

  /** `key` waits for each of `things`, too. */
  add(key: string, ...things: readonly string[]): void {
    for (const thing of things) {
      this.#keys.set(thing, (this.#keys.get(thing) ?? new Set()).add(key));
      this.#things.set(key, (this.#things.get(key) ?? new Set()).add(thing));
    }
  }

  /** `key` waits for nothing any more. */
  clear(key: string): void {
    for (const thing of this.#things.get(key) ?? []) {
      const keys = this.#keys.get(thing);
      if (keys?.delete(key) && keys.size === 0) this.#keys.delete(thing);
    }
    this.#things.delete(key);
  }

  /** What `key` waits for. */
  thingsOf(key: string): readonly string[] {
    return [...(this.#things.get(key) ?? [])];
  }

  /** True where anybody waits for `thing`. */
  isAwaited(thing: string): boolean {
    return this.#keys.has(thing);
  }

  /** Who waits for `thing`. */
  of(thing: string): readonly string[] {
    return [...(this.#keys.get(thing) ?? [])];
  }
}
