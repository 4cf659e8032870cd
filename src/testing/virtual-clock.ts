import type { Clock } from '../kube/clock.js';

interface Timer {
  readonly at: number;
  readonly order: number;
  readonly run: () => void;
}

/**
 * Time that stands still until it is moved.
 *
 * **Guarantees.** Timers run in the order of their time, and of their setting where that is equal. Between two timers
 * everything runs to its end that needs neither time nor I/O.
 */
export class VirtualClock implements Clock {
  #wall: number;
  #monotonic = 0;
  #set = 0;
  readonly #timers = new Set<Timer>();

  constructor(start: string | number = '2026-01-02T03:04:05Z') {
    this.#wall = typeof start === 'string' ? Date.parse(start) : start;
  }

  now(): number {
    return this.#wall;
  }

  monotonic(): number {
    return this.#monotonic;
  }

  after(milliseconds: number, run: () => void): () => void {
    // Whole milliseconds, as the machine's timers: fractions would add up to moments that are never reached.
    const timer = { at: this.#monotonic + Math.max(0, Math.round(milliseconds)), order: this.#set++, run };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  /** Milliseconds until the next timer; undefined when none is set. */
  get next(): number | undefined {
    const first = this.#first();
    return first && first.at - this.#monotonic;
  }

  /** How many timers are set: what is left over when all work has ended is a leak. */
  get timers(): number {
    return this.#timers.size;
  }

  /** Moves time on, timer by timer, and lets everything run that each of them, or anything before, made possible. */
  async advance(milliseconds: number): Promise<void> {
    const until = this.#monotonic + Math.ceil(milliseconds);
    for (;;) {
      await settled();
      const next = this.#first();
      if (!next || next.at > until) break;
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

  #first(): Timer | undefined {
    let first: Timer | undefined;
    for (const timer of this.#timers) {
      if (!first || timer.at < first.at || (timer.at === first.at && timer.order < first.order)) first = timer;
    }
    return first;
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
