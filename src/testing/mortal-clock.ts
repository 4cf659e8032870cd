import type { Clock } from '../kube/clock.js';
import { settled } from './virtual-clock.js';

/**
 * The time of one process: when it dies, its timers die with it; when it is stopped, they wait.
 *
 * `skewMilliseconds` is how far its machine's wall clock is off.
 */
export class MortalClock implements Clock {
  #isDead = false;
  #isPaused = false;
  readonly #timers = new Set<{ arm(): void; cancel(): void }>();
  /** What fell due while the process was stopped, in order. */
  readonly #overdue = new Set<() => void>();
  /** How fast this clock runs, since when it does so, and how far it was ahead then. */
  #rate = 1;
  #since = 0;
  #ahead = 0;

  constructor(
    private readonly clock: Clock,
    private readonly skewMilliseconds: () => number = () => 0,
  ) {}

  /** How many timers are set. */
  get timers(): number {
    return this.#timers.size;
  }

  now(): number {
    return this.clock.now() + this.skewMilliseconds() + this.#lead;
  }

  monotonic(): number {
    return this.clock.monotonic() + this.#lead;
  }

  /** From now on this clock runs so many times as fast as others do, and so do the timers that are set. */
  setRate(rate: number): void {
    this.#ahead = this.#lead;
    this.#since = this.clock.monotonic();
    this.#rate = rate;
    for (const { arm } of this.#timers) arm();
  }

  after(milliseconds: number, run: () => void): () => void {
    if (this.#isDead) return () => {};
    const due = this.monotonic() + milliseconds;
    let stop = () => {};
    const go = () => {
      this.#timers.delete(timer);
      this.#overdue.delete(go);
      run();
    };
    const timer = {
      arm: () => {
        stop();
        const left = due - this.monotonic();
        // Never a fraction too early: whoever waits for the rest of it would wait for ever.
        stop = this.clock.after(this.#rate === 1 ? left : Math.ceil(left / this.#rate), () => {
          if (this.#isPaused) this.#overdue.add(go);
          else go();
        });
      },
      cancel: () => {
        this.#timers.delete(timer);
        this.#overdue.delete(go);
        stop();
      },
    };
    this.#timers.add(timer);
    timer.arm();
    return timer.cancel;
  }

  /** Time goes on, and no timer runs. */
  pause(): void {
    this.#isPaused = true;
  }

  /** Runs what fell due meanwhile, one after the other, each with all that follows from it; the rest waits where one pauses it. */
  async resume(): Promise<void> {
    this.#isPaused = false;
    for (const go of this.#overdue) {
      go();
      await settled();
      if (this.#isPaused) return;
    }
  }

  die(): void {
    this.#isDead = true;
    for (const { cancel } of [...this.#timers]) cancel();
  }

  /** How far this clock is ahead of others. */
  get #lead(): number {
    return this.#ahead + (this.clock.monotonic() - this.#since) * (this.#rate - 1);
  }
}
