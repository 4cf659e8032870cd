import type { Clock } from '../../kube/clock.js';

/** To be made anew costs a watch a question and a connection, and there may be many. */
const betweenMilliseconds = 50;

/**
 * Calls that have no answer. Behind a balancer one of several API servers may hang that answers nobody and ends nothing: whatever else
 * leads there says nothing either, as do the watches of kinds that nobody changes.
 */
export class Hangs {
  readonly #listeners = new Set<(since: number) => void>();
  #isTelling = false;

  constructor(private readonly clock: Pick<Clock, 'after'>) {}

  /** Hears since when a call has no answer, in milliseconds of the monotonic clock; one after the other, and not of each. */
  subscribe(listener: (since: number) => void): void {
    this.#listeners.add(listener);
  }

  seen(since: number): void {
    if (this.#isTelling) return;
    this.#isTelling = true;
    this.#tell(since, [...this.#listeners]);
  }

  #tell(since: number, [next, ...others]: readonly ((since: number) => void)[]): void {
    next?.(since);
    if (others.length > 0) this.clock.after(betweenMilliseconds, () => this.#tell(since, others));
    else this.#isTelling = false;
  }
}
