import { type Clock, sleep } from '../../kube/clock.js';
import { standstillSecondsOf, usualTimings } from '../../kube/lease-timings.js';
import type { Leadership } from '../lease/leader-only.js';

/** So long at most nobody else has a turn: the Lease is renewed, probes are answered, and watches are read in between. */
const mostMilliseconds = 20;
/** After so much of an author's code one turn is not enough: another such would follow, and another. */
const longMilliseconds = 1000;
/** Where the Lease is good for longer than this, no code of an author loses it. */
const enoughMilliseconds = standstillSecondsOf(usualTimings) * 1000;
/** Where there is no Lease: time for whoever connects, asks and is answered. */
const restMilliseconds = 1000;

export interface BreatherOptions {
  readonly clock: Clock;
  /** Resolves when everything else has had its turn. Default: nothing has to be waited for. */
  readonly othersTurn?: (() => Promise<void>) | undefined;
  readonly leadership?: Pick<Leadership, 'left' | 'renewed'> | undefined;
}

/**
 * Lets everything else in the process have its turn while there is a backlog.
 *
 * A reconcile that finds nothing to write waits for nothing. Ten thousand of them one after the other, as after a start,
 * would be one long moment in which no timer and no socket is looked at.
 *
 * And an author's code may take seconds, for each of many custom resources. After a second of it no more is begun until the
 * Lease was renewed, unless it is good for long, so that it is lost to no number of them.
 */
export class Breather {
  #since: number;
  #pause: Promise<void> | undefined;
  #rest: Promise<void> | undefined;
  /** How much of authors' code there was since others had their turn. */
  #spent = 0;
  #spentAt = 0;

  constructor(private readonly options: BreatherOptions) {
    this.#since = options.clock.monotonic();
  }

  /** What every worker waits for before it goes on; undefined where it may go on at once. */
  turn(): Promise<void> | undefined {
    const { othersTurn, clock } = this.options;
    if (this.#pause || !othersTurn || clock.monotonic() - this.#since < mostMilliseconds) return this.#pause;
    this.#pause = othersTurn().then(() => {
      this.#pause = undefined;
      this.#since = clock.monotonic();
      this.#spent = 0;
    });
    return this.#pause;
  }

  /** What everybody waits for who is about to begin an author's code, until it is undefined. */
  get rest(): Promise<void> | undefined {
    return this.#rest;
  }

  /** An author's code has had the thread for so long. */
  spent(milliseconds: number): void {
    const { clock } = this.options;
    const now = clock.monotonic();
    // Others had their turn meanwhile, also where nobody asked for one, as between two reviews.
    if (now - milliseconds - this.#spentAt > mostMilliseconds) this.#spent = 0;
    this.#spentAt = now;
    this.#spent += milliseconds;
    if (this.#spent < longMilliseconds || !this.options.othersTurn) return;
    this.#spent = 0;
    const rest = this.#recover().then(() => {
      if (this.#rest === rest) this.#rest = undefined;
    });
    this.#rest = rest;
  }

  async #recover(): Promise<void> {
    const { othersTurn, leadership, clock } = this.options;
    await othersTurn?.();
    // Who does not lead any more, or not yet, has no Lease to lose.
    if (!leadership) await sleep(clock, restMilliseconds);
    else if (leadership.left <= enoughMilliseconds) await leadership.renewed().catch(() => {});
  }
}
