import type { Clock } from '../kube/clock.js';

/** So long at most nobody else has a turn: the Lease is renewed, probes are answered, and watches are read in between. */
const mostMilliseconds = 20;

/**
 * Lets everything else in the process have its turn while there is a backlog.
 *
 * A reconcile that finds nothing to write waits for nothing. Ten thousand of them one after the other, as after a start,
 * would be one long moment in which no timer and no socket is looked at.
 */
export class Breather {
  #since: number;
  #pause: Promise<void> | undefined;

  /** `othersTurn` resolves when everything else has had its turn; absent where nothing has to be waited for. */
  constructor(
    private readonly clock: Clock,
    private readonly othersTurn: (() => Promise<void>) | undefined,
  ) {
    this.#since = clock.monotonic();
  }

  /** What every worker waits for before it goes on; undefined where it may go on at once. */
  turn(): Promise<void> | undefined {
    const { othersTurn, clock } = this;
    if (this.#pause || !othersTurn || clock.monotonic() - this.#since < mostMilliseconds) return this.#pause;
    this.#pause = othersTurn().then(() => {
      this.#pause = undefined;
      this.#since = clock.monotonic();
    });
    return this.#pause;
  }
}
