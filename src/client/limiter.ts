import type { Clock } from '../kube/clock.js';

interface LimiterOptions {
  readonly clock: Clock;
  readonly most: number;
  readonly least?: number;
}

/** What an answer tells of the server. */
export interface News {
  /** The server asked for patience. */
  readonly isOverloaded: boolean;
  /** It, or what it asks for an answer itself, is not there. */
  readonly isUnavailable?: boolean;
  /** Milliseconds from when a call was sent until it was answered or given up; absent where that says nothing, as for a list. */
  readonly took?: number;
  /** It was not answered, for its time was up. */
  readonly isGivenUp?: boolean;
}

/**
 * A healthy server answers a call for one object within a second:
 * https://github.com/kubernetes/community/blob/master/sig-scalability/slos/api_call_latency.md
 */
export const healthyMilliseconds = 1000;
/** By how much one answer moves the mean of late. */
const weight = 0.05;

/**
 * How many calls may be under way at once: more while the server keeps up, half when it cannot, whether it says so or
 * takes longer and longer to answer.
 *
 * Additive increase, multiplicative decrease, as TCP does it; there is no fixed rate, which would starve a controller on
 * a fast server and hammer a slow one. One decrease a second, since calls under way at the same time tell the same news.
 * Slow is what takes over a second and twice as long as calls of late, while nobody else is answered within one, in the
 * later half of its time: where all calls always take long, because of the distance, fewer at once would not be answered
 * any sooner; and where some do, because of a webhook of their own, fewer would only make the others wait for them. So it is
 * with what is unavailable while somebody else was answered within the last second, as one aggregated API may be.
 *
 * Nor may calls that nobody answers keep out all others where no prompt answer told of it before: when nobody was let in for a
 * second, the next is, up to the most.
 */
export class Limiter {
  readonly #waiting: (() => void)[] = [];
  #limit: number;
  #running = 0;
  #loweredAt = Number.NEGATIVE_INFINITY;
  /** Milliseconds that calls of late took; undefined before the first. */
  #mean: number | undefined;
  /** When a call was answered last that did not take long. */
  #promptAt = Number.NEGATIVE_INFINITY;
  /** Nobody was let in since it was looked last. */
  #isStuck = false;
  /** Set while somebody waits. */
  #stopLooking: (() => void) | undefined;

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
        this.#look();
        reject(signal.reason);
      };
      const enter = () => {
        signal.removeEventListener('abort', abort);
        resolve();
      };
      this.#waiting.push(enter);
      signal.addEventListener('abort', abort, { once: true });
      this.#look();
    });
  }

  /** `news` is absent of a call that had no answer, and was not given up for it. */
  leave(news?: News): void {
    this.#running--;
    if (news) this.#learn(news);
    while (this.#running < this.limit && this.#waiting.length > 0) this.#letInNext();
    this.#look();
  }

  #letInNext(): void {
    this.#running++;
    this.#isStuck = false;
    this.#waiting.shift()?.();
  }

  /** While somebody waits, looks each second whether somebody was let in. */
  #look(): void {
    if (this.#waiting.length === 0) {
      this.#stopLooking?.();
      this.#stopLooking = undefined;
    } else if (!this.#stopLooking) {
      this.#isStuck = true;
      this.#stopLooking = this.options.clock.after(healthyMilliseconds, () => {
        this.#stopLooking = undefined;
        if (this.#isStuck && this.#running < this.options.most) this.#letInNext();
        this.#look();
      });
    }
  }

  #learn({ isOverloaded, isUnavailable = false, took, isGivenUp = false }: News): void {
    const { clock, most } = this.options;
    if (isUnavailable) {
      if (this.#promptAt <= clock.monotonic() - healthyMilliseconds) this.#lower();
      return;
    }
    const isSlow = !isOverloaded && took !== undefined && this.#isSlow(took, isGivenUp);
    if (!isOverloaded && !isSlow) this.#limit = Math.min(most, this.#limit + 1 / this.#limit);
    else this.#lower();
  }

  #lower(): void {
    const { clock, least = 1 } = this.options;
    if (clock.monotonic() - this.#loweredAt < 1000) return;
    this.#limit = Math.max(least, this.#limit / 2);
    this.#loweredAt = clock.monotonic();
  }

  #isSlow(took: number, isGivenUp: boolean): boolean {
    const now = this.options.clock.monotonic();
    const isOtherPrompt = this.#promptAt > now - took / 2;
    // How long it would have taken nobody knows.
    if (isGivenUp) return !isOtherPrompt;
    if (took <= healthyMilliseconds) this.#promptAt = now;
    const mean = this.#mean ?? 0;
    this.#mean = this.#mean === undefined ? Math.min(took, healthyMilliseconds) : mean + (took - mean) * weight;
    return took > healthyMilliseconds && took > 2 * mean && !isOtherPrompt;
  }
}
