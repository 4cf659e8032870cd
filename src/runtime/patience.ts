import { RetryAfterError } from '../client/api-error.js';
import type { Clock } from '../kube/clock.js';
import { type Outcome, waitFor } from './outcome.js';

/**
 * What of one round is written more than once: after the server said when to come back, it is not sent sooner, neither later
 * in the round nor in the next.
 */
export class Patience {
  #asked: { readonly error: RetryAfterError; readonly until: number } | undefined;

  constructor(private readonly clock: Clock) {}

  /** Writes, or throws a `RetryAfterError` of what is left of the wait that the server asked for. */
  async with<T>(write: () => Promise<T>): Promise<T> {
    const left = this.#left;
    if (left) throw left;
    try {
      return await write();
    } catch (error) {
      if (error instanceof RetryAfterError) {
        this.#asked = { error, until: this.clock.monotonic() + error.retryAfterSeconds * 1000 };
      }
      throw error;
    }
  }

  /** `outcome`, unless it would come to the next round too soon. */
  before(outcome: Outcome): Outcome {
    const left = this.#left;
    if (!left) return outcome;
    const waits = waitFor(left);
    return outcome.type === 'wait' && outcome.milliseconds >= waits.milliseconds ? outcome : waits;
  }

  get #left(): RetryAfterError | undefined {
    const milliseconds = (this.#asked?.until ?? 0) - this.clock.monotonic();
    if (!this.#asked || milliseconds <= 0) return undefined;
    const { message, hint, status } = this.#asked.error;
    return new RetryAfterError(message, milliseconds / 1000, { hint, status, cause: this.#asked.error });
  }
}
