import type { Clock } from '../kube/clock.js';

/** The time of one process: when it dies, its timers die with it. */
export class MortalClock implements Clock {
  #isDead = false;
  readonly #cancels = new Set<() => void>();

  constructor(private readonly clock: Clock) {}

  now(): number {
    return this.clock.now();
  }

  monotonic(): number {
    return this.clock.monotonic();
  }

  after(milliseconds: number, run: () => void): () => void {
    if (this.#isDead) return () => {};
    const stop = this.clock.after(milliseconds, () => {
      this.#cancels.delete(cancel);
      run();
    });
    const cancel = () => {
      this.#cancels.delete(cancel);
      stop();
    };
    this.#cancels.add(cancel);
    return cancel;
  }

  die(): void {
    this.#isDead = true;
    for (const cancel of [...this.#cancels]) cancel();
  }
}
