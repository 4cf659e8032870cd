import type { Clock } from '../../src/kube/clock.js';

interface Timer {
  readonly at: number;
  readonly run: () => void;
}

/** Time that stands still until a test moves it. */
export class TestClock implements Clock {
  #wall = Date.parse('2026-01-02T03:04:05Z');
  #monotonic = 0;
  readonly #timers = new Set<Timer>();

  now(): number {
    return this.#wall;
  }

  monotonic(): number {
    return this.#monotonic;
  }

  after(milliseconds: number, run: () => void): () => void {
    const timer = { at: this.#monotonic + milliseconds, run };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  /** Milliseconds until the next timer; undefined when none is set. */
  get next(): number | undefined {
    const [first] = [...this.#timers].map(({ at }) => at - this.#monotonic).sort((a, b) => a - b);
    return first;
  }

  /** How many timers are set: what is left over when all work has ended is a leak. */
  get timers(): number {
    return this.#timers.size;
  }

  /** Moves time on, timer by timer, and lets everything run that each of them, or anything before, made possible. */
  async advance(milliseconds: number): Promise<void> {
    const until = this.#monotonic + milliseconds;
    for (;;) {
      await settled();
      const [next] = [...this.#timers].filter(({ at }) => at <= until).sort((a, b) => a.at - b.at);
      if (!next) break;
      this.#moveTo(Math.max(next.at, this.#monotonic));
      this.#timers.delete(next);
      next.run();
    }
    this.#moveTo(until);
    await settled();
  }

  /** Moves time on and runs nothing, as when the process is stopped and continued. */
  leap(milliseconds: number): void {
    this.#moveTo(this.#monotonic + milliseconds);
  }

  /** Sets the wall clock as an administrator does; durations are none of its business. */
  setWall(milliseconds: number): void {
    this.#wall = milliseconds;
  }

  #moveTo(monotonic: number): void {
    this.#wall += monotonic - this.#monotonic;
    this.#monotonic = monotonic;
  }
}

/** Resolves when all that can run without time or I/O has run. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
