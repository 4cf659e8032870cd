import type { Clock } from '../../src/kube/clock.js';

/** How fast the clocks of machines run. */
export class ClockRates {
  /** By replica, when its rate changed, to what, and how far its clock was ahead of others then. */
  readonly #changes = new Map<string, { readonly at: number; readonly ahead: number; readonly rate: number }[]>();

  constructor(private readonly clock: Clock) {}

  /** From now on the clocks of a replica's machine run so many times as fast as they should. */
  set(replica: string, rate: number): void {
    const at = this.clock.monotonic();
    const changes = this.#changes.get(replica) ?? [];
    this.#changes.set(replica, [...changes, { at, ahead: this.#aheadAt(replica, at), rate }]);
  }

  /** Milliseconds that passed by the clock of a replica since a moment of the world. */
  passed(replica: string, since: number): number {
    const now = this.clock.monotonic();
    return now - since + this.#aheadAt(replica, now) - this.#aheadAt(replica, since);
  }

  #aheadAt(replica: string, moment: number): number {
    const last = this.#changes.get(replica)?.findLast(({ at }) => at <= moment);
    return last === undefined ? 0 : last.ahead + (moment - last.at) * (last.rate - 1);
  }
}
