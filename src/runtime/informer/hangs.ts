/**
 * Calls that have no answer. Behind a balancer one of several API servers may hang that answers nobody and ends nothing: whatever else
 * leads there says nothing either, as do the watches of kinds that nobody changes.
 */
export class Hangs {
  readonly #listeners = new Set<(since: number) => void>();

  /** Hears, of each, since when there is none, in milliseconds of the monotonic clock. */
  subscribe(listener: (since: number) => void): void {
    this.#listeners.add(listener);
  }

  seen(since: number): void {
    for (const listener of this.#listeners) listener(since);
  }
}
