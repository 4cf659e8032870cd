import type { Clock } from '../kube/clock.js';

interface LimiterOptions {
  readonly clock: Clock;
  readonly most: number;
  readonly least?: number;
}

/** What an answer tells of the server. */
export interface News {
  /** The server asked for patience, or did not answer in time. */
  readonly isOverloaded: boolean;
  /** Milliseconds from when a call was sent to its answer; absent where that says nothing, as for a list. */
  readonly took?: number;
}

/**
 * A healthy server answers a call for one object within a second:
 * https://github.com/kubernetes/community/blob/master/sig-scalability/slos/api_call_latency.md
 */
const healthyMilliseconds = 1000;
/** By how much one answer moves the mean of late. */
const weight = 0.05;

/**
 * How many calls may be under way at once: more while the server keeps up, half when it cannot, whether it says so or
 * takes longer and longer to answer.
 *
 * Additive increase, multiplicative decrease, as TCP does it; there is no fixed rate, which would starve a controller on
 * a fast server and hammer a slow one. One decrease a second, since calls under way at the same time tell the same news.
 * Slow is what takes over a second and twice as long as calls of late: where all calls always take long, because of a
 * webhook or the distance, fewer at once would not be answered any sooner.
 */
export class Limiter {
  readonly #waiting: (() => void)[] = [];
  #limit: number;
  #running = 0;
  #loweredAt = Number.NEGATIVE_INFINITY;
  /** Milliseconds that calls of late took; undefined before the first. */
  #mean: number | undefined;

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

  /** `news` is absent of a call that had no answer, and was not given up for it. */
  leave(news?: News): void {
    this.#running--;
    if (news) this.#learn(news);
    while (this.#running < this.limit) {
      const next = this.#waiting.shift();
      if (!next) return;
      this.#running++;
      next();
    }
  }

  #learn({ isOverloaded, took }: News): void {
    const { clock, most, least = 1 } = this.options;
    const isSlow = took !== undefined && this.#isSlow(took);
    if (!isOverloaded && !isSlow) this.#limit = Math.min(most, this.#limit + 1 / this.#limit);
    else if (clock.monotonic() - this.#loweredAt >= 1000) {
      this.#limit = Math.max(least, this.#limit / 2);
      this.#loweredAt = clock.monotonic();
    }
  }

  #isSlow(took: number): boolean {
    const mean = this.#mean ?? 0;
    this.#mean = this.#mean === undefined ? Math.min(took, healthyMilliseconds) : mean + (took - mean) * weight;
    return took > healthyMilliseconds && took > 2 * mean;
  }
}
