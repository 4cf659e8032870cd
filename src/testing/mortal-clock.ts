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
  readonly #cancels = new Set<() => void>();
  /** What fell due while the process was stopped, in order. */
  readonly #overdue = new Set<() => void>();

  constructor(
    private readonly clock: Clock,
    private readonly skewMilliseconds: () => number = () => 0,
  ) {}

  /** How many timers are set. */
  get timers(): number {
    return this.#cancels.size;
  }

  now(): number {
    return this.clock.now() + this.skewMilliseconds();
  }

  monotonic(): number {
    return this.clock.monotonic();
  }

  after(milliseconds: number, run: () => void): () => void {
    if (this.#isDead) return () => {};
    const go = () => {
      this.#cancels.delete(cancel);
      this.#overdue.delete(go);
      run();
    };
    const stop = this.clock.after(milliseconds, () => {
      if (this.#isPaused) this.#overdue.add(go);
      else go();
    });
    const cancel = () => {
      this.#cancels.delete(cancel);
      this.#overdue.delete(go);
      stop();
    };
    this.#cancels.add(cancel);
    return cancel;
  }

  /** Time goes on, and no timer runs. */
  pause(): void {
    this.#isPaused = true;
  }

  /** Runs what fell due meanwhile, one after the other, each with all that follows from it. */
  async resume(): Promise<void> {
    this.#isPaused = false;
    for (const go of this.#overdue) {
      go();
      await settled();
    }
  }

  die(): void {
    this.#isDead = true;
    for (const cancel of [...this.#cancels]) cancel();
  }
}
