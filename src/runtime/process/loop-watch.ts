import type { Clock } from '../../kube/clock.js';

const everyMilliseconds = 1000;
/** How long a delay is remembered, for probes that come after it. */
const rememberedMilliseconds = 30_000;

/**
 * Notices when the event loop does not get round: somebody's code computes for seconds, and nothing else happens.
 *
 * A timer is set for every second, and how late it comes is the delay. While it is overdue, that counts, too.
 */
export class LoopWatch {
  readonly #listeners = new Set<(milliseconds: number) => void>();
  #dueAt: number;
  #last = 0;
  /** Of the delays that are remembered those that none after them was as long as: each is the worst when those before are forgotten. */
  #worst: readonly { readonly milliseconds: number; readonly at: number }[] = [];

  constructor(private readonly clock: Clock) {
    this.#dueAt = clock.monotonic() + everyMilliseconds;
  }

  /** Looks until `signal` aborts. */
  start(signal: AbortSignal): void {
    let cancel = () => {};
    const next = (): void => {
      this.#dueAt = this.clock.monotonic() + everyMilliseconds;
      cancel = this.clock.after(everyMilliseconds, () => {
        this.#look();
        next();
      });
    };
    next();
    signal.addEventListener('abort', () => cancel(), { once: true });
  }

  /** Told of each delay, once a second. */
  subscribe(listener: (milliseconds: number) => void): void {
    this.#listeners.add(listener);
  }

  /** The latest delay. */
  get delayMilliseconds(): number {
    return Math.max(this.#last, this.#overdue);
  }

  /** The longest delay of the last half minute, or the one that is going on. */
  get worstMilliseconds(): number {
    return Math.max(this.#remembered, this.#overdue);
  }

  get #remembered(): number {
    const since = this.clock.monotonic() - rememberedMilliseconds;
    return this.#worst.find(({ at }) => at > since)?.milliseconds ?? 0;
  }

  get #overdue(): number {
    return Math.max(0, this.clock.monotonic() - this.#dueAt);
  }

  #look(): void {
    this.#last = this.#overdue;
    const at = this.clock.monotonic();
    const longer = this.#worst.filter(
      (each) => each.milliseconds > this.#last && at - each.at < rememberedMilliseconds,
    );
    this.#worst = [...longer, { milliseconds: this.#last, at }];
    for (const listener of this.#listeners) listener(this.#last);
  }
}
