/** A line in which each group has its turn, however many of another wait. Those of one group keep their order. */
export class FairLine<T> {
  /** The group whose turn is next comes first. */
  readonly #groups = new Map<string, T[]>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  push(group: string, item: T): void {
    const items = this.#groups.get(group);
    if (items) items.push(item);
    else this.#groups.set(group, [item]);
    this.#size++;
  }

  /** The one that is next of each group. */
  heads(): readonly T[] {
    return [...this.#groups.values()].flatMap(([head]) => (head === undefined ? [] : [head]));
  }

  /** Takes out whoever is next. */
  shift(): T | undefined {
    for (const [group, items] of this.#groups) {
      const item = items.shift();
      this.#groups.delete(group);
      if (items.length > 0) this.#groups.set(group, items);
      this.#size--;
      return item;
    }
    return undefined;
  }

  /** Takes out the last one of the group that has most, so that one of `group` may wait; none where no group has more than that. */
  makeRoomFor(group: string): T | undefined {
    const own = this.#groups.get(group)?.length ?? 0;
    let longest: T[] = [];
    for (const items of this.#groups.values()) if (items.length > longest.length) longest = items;
    if (longest.length <= own + 1) return undefined;
    this.#size--;
    return longest.pop();
  }

  clear(): void {
    this.#groups.clear();
    this.#size = 0;
  }
}
