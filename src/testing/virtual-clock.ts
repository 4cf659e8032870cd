// Not the global one: that of a test with fake timers waits until somebody moves them on.
import { setImmediate } from 'node:timers';
import type { Clock } from '../kube/clock.js';
import { OperatorError } from '../kube/errors.js';

interface Timer {
  readonly at: number;
  readonly order: number;
  readonly run: () => void;
  isCancelled: boolean;
}

/**
 * Time that stands still until it is moved.
 *
 * **Guarantees.** Timers run in the order of their time, and of their setting where that is equal. Between two timers
 * everything runs to its end that needs neither time nor I/O. It never goes back, whoever else moves it on meanwhile.
 */
export class VirtualClock implements Clock {
  #wall: number;
  #monotonic = 0;
  #set = 0;
  /** A binary heap: no timer is due before the one at half its place. Cancelled ones stay until they would be first. */
  readonly #heap: Timer[] = [];
  #live = 0;

  constructor(start: string | number = '2026-01-02T03:04:05Z') {
    this.#wall = typeof start === 'string' ? Date.parse(start) : start;
    if (!Number.isNaN(this.#wall)) return;
    throw new OperatorError(`startAt "${start}" is no time`, { hint: 'write it as 2026-01-02T03:04:05Z' });
  }

  now(): number {
    return this.#wall;
  }

  monotonic(): number {
    return this.#monotonic;
  }

  after(milliseconds: number, run: () => void): () => void {
    // Whole milliseconds, as the machine's timers: fractions would add up to moments that are never reached.
    const at = this.#monotonic + Math.max(0, Math.round(milliseconds));
    const timer: Timer = { at, order: this.#set++, run, isCancelled: false };
    this.#push(timer);
    this.#live += 1;
    return () => {
      if (timer.isCancelled) return;
      timer.isCancelled = true;
      this.#live -= 1;
    };
  }

  /** Milliseconds until the next timer; undefined when none is set. */
  get next(): number | undefined {
    const first = this.#first();
    return first && first.at - this.#monotonic;
  }

  /** How many timers are set: what is left over when all work has ended is a leak. */
  get timers(): number {
    return this.#live;
  }

  /** Moves time on, timer by timer, and lets everything run that each of them, or anything before, made possible. */
  async advance(milliseconds: number): Promise<void> {
    const until = this.#monotonic + Math.ceil(milliseconds);
    for (;;) {
      await settled();
      const next = this.#first();
      if (!next || next.at > until) break;
      this.#moveTo(Math.max(next.at, this.#monotonic));
      this.#pop();
      next.isCancelled = true;
      this.#live -= 1;
      next.run();
    }
    this.#moveTo(Math.max(until, this.#monotonic));
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
    while (this.#heap[0]?.isCancelled) this.#pop();
    return this.#heap[0];
  }

  #push(timer: Timer): void {
    const heap = this.#heap;
    let place = heap.push(timer) - 1;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if (!isBefore(timer, heap[parent] as Timer)) break;
      heap[place] = heap[parent] as Timer;
      place = parent;
    }
    heap[place] = timer;
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (!last || heap.length === 0) return;
    let place = 0;
    for (;;) {
      let child = 2 * place + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && isBefore(heap[child + 1] as Timer, heap[child] as Timer)) child += 1;
      if (!isBefore(heap[child] as Timer, last)) break;
      heap[place] = heap[child] as Timer;
      place = child;
    }
    heap[place] = last;
  }

  #moveTo(monotonic: number): void {
    this.#wall += monotonic - this.#monotonic;
    this.#monotonic = monotonic;
  }
}

function isBefore(a: Timer, b: Timer): boolean {
  return a.at < b.at || (a.at === b.at && a.order < b.order);
}

/** Resolves when all that can run without time or I/O has run. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
