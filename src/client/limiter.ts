import type { Clock } from '../kube/clock.js';

interface LimiterOptions {
  readonly clock: Clock;
  readonly most: number;
  readonly least?: number;
}

/**
 * How many calls may be under way at once: more while the server keeps up, half when it says that it cannot.
 *
 * Additive increase, multiplicative decrease, as TCP does it; there is no fixed rate, which would starve a controller on
 * a fast server and hammer a slow one. One decrease a second, since calls under way at the same time tell the same news.
 */
export class Limiter {
  readonly #waiting: (() => void)[] = [];
  #limit: number;
  #running = 0;
  #loweredAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly options: LimiterOptions) {
    this.#limit = options.most;
  }

  /** Calls that may run at once now. */
  get limit(): number {
    return Math.floor(this.#limit);
  }

  /** Resolves when it is this call's turn; whoever was let in calls `leave` once. Rejects when `signal` aborts first. */
  enter(signal: AbortSignal): Promise<void> | undefined {
    if (this.#running < this.limit) {
      this.#running++;
      return undefined;
    }
    return new Promise((resolve, reject) => {
      const abort = () => {
        this.#waiting.splice(this.#waiting.indexOf(enter), 1);
        reject(signal.reason);
      };
      const enter = () => {
        signal.removeEventListener('abort', abort);
        resolve();
      };
      this.#waiting.push(enter);
      signal.addEventListener('abort', abort, { once: true });
    });
  }

  /** `overloaded`: the server asked for patience, or did not answer in time. */
  leave(overloaded: boolean): void {
    this.#running--;
    const { clock, most, least = 1 } = this.options;
    if (!overloaded) this.#limit = Math.min(most, this.#limit + 1 / this.#limit);
    else if (clock.monotonic() - this.#loweredAt >= 1000) {
      this.#limit = Math.max(least, this.#limit / 2);
      this.#loweredAt = clock.monotonic();
    }
    while (this.#running < this.limit) {
      const next = this.#waiting.shift();
      if (!next) return;
      this.#running++;
      next();
    }
  }
}
