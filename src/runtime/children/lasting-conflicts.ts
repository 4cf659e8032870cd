/** A watch that broke is back by then, and a store has what it brought. */
const longMilliseconds = 30_000;

/**
 * Since when each custom resource has met nothing but conflicts. The first ones are nothing to tell: a store was behind, and
 * the watch brings what it did not know. What goes on for half a minute is somebody who answers 409 without a word about why, and
 * nobody would learn that nothing happens.
 */
export class LastingConflicts {
  /** Milliseconds of the monotonic clock. */
  readonly #since = new Map<string, number>();

  /** One more, at `now`. True where they have gone on for so long that somebody is to be told. */
  met(key: string, now: number): boolean {
    const since = this.#since.get(key) ?? now;
    this.#since.set(key, since);
    return now - since >= longMilliseconds;
  }

  /** There was none this time, or it is gone. */
  over(key: string): void {
    this.#since.delete(key);
  }
}
