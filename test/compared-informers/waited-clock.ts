import type { Clock } from '../../src/kube/clock.js';

/** A clock that adds up what is waited for on it. What is called off before its time counts for nothing. */
export class WaitedClock implements Clock {
  /** Milliseconds of this clock: how long those waits were, in full, that ended since this was set. */
  waited = 0;

  constructor(private readonly clock: Clock) {}

  now(): number {
    return this.clock.now();
  }

  monotonic(): number {
    return this.clock.monotonic();
  }

  after(milliseconds: number, run: () => void): () => void {
    return this.clock.after(milliseconds, () => {
      this.waited += milliseconds;
      run();
    });
  }
}
