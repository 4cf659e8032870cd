/** A watch that broke is back by then, and a store has what it brought. */
const longMilliseconds = 30_000;
/** Longer than any round takes that meets one, and the wait for the next. */
const apartMilliseconds = 2 * 60_000;
/** Where they have gone on, the wait for the next is a back-off. */
const lastingMilliseconds = 60 * 60_000;

/**
 * Since when each custom resource has met nothing but conflicts. The first ones are nothing to tell: a store was behind, and
 * the watch brings what it did not know. What goes on for half a minute is somebody who answers 409 without a word about why, and
 * nobody would learn that nothing happens.
 */
export class LastingConflicts {
  /** The first in a row, and the last, in milliseconds of the monotonic clock. */
  readonly #met = new Map<string, { readonly since: number; readonly at: number }>();

  /** One more, at `now`. True where they have gone on for so long that somebody is to be told. */
  met(key: string, now: number): boolean {
    const last = this.#met.get(key);
    // Rounds that end before they write anything meet none, and say nothing of those before.
    const apart = last && last.at - last.since >= longMilliseconds ? lastingMilliseconds : apartMilliseconds;
    const since = last && now - last.at < apart ? last.since : now;
    this.#met.set(key, { since, at: now });
    return now - since >= longMilliseconds;
  }

  /** There was none this time, or it is gone. */
  over(key: string): void {
    this.#met.delete(key);
  }
}
