import type { Clock } from '../kube/clock.js';

export interface AsideOptions {
  readonly clock: Clock;
  /** Since when there has been nothing more urgent, in monotonic milliseconds; undefined while there is. */
  readonly idleSince: () => number | undefined;
  /** However busy it is, nothing waits longer. Default: fifteen seconds, since putting back many children takes some. */
  readonly longestMilliseconds?: number;
}

interface Deed {
  readonly at: number;
  readonly run: () => Promise<void>;
}

const quietMilliseconds = 250;
/** Whoever ends has others waiting for the Lease. */
const flushMilliseconds = 500;
const mostWaiting = 4000;

/**
 * What can wait for what cannot: done in order, one at a time, when there has been nothing more urgent for a moment.
 *
 * **Assumes** that no deed rejects.
 */
export class Aside {
  readonly #waiting: Deed[] = [];
  /** What waits for a time of its own first. */
  readonly #later = new Map<() => Promise<void>, () => void>();
  #isEnding = false;
  #cancel: (() => void) | undefined;
  #isRunning = false;

  constructor(private readonly options: AsideOptions) {}

  /** False when too much waits already, so that it will not be done. */
  add(run: () => Promise<void>): boolean {
    if (this.#isFull) return false;
    this.#waiting.push({ at: this.options.clock.monotonic(), run });
    if (this.#isCrowded) this.#cancel?.();
    void this.#work();
    return true;
  }

  /** As `add`, after so long, or at the end of the process. False also at the end. */
  addLater(milliseconds: number, run: () => Promise<void>): boolean {
    if (this.#isFull || this.#isEnding) return false;
    const cancel = this.options.clock.after(milliseconds, () => {
      this.#later.delete(run);
      this.add(run);
    });
    this.#later.set(run, cancel);
    return true;
  }

  /** Does what waits now, for as long as there is time at the end of a process. What is left then is left undone. */
  async flush(signal: AbortSignal): Promise<void> {
    let isOver = false;
    this.#isEnding = true;
    this.#cancel?.();
    for (const [run, cancel] of this.#later) {
      cancel();
      this.#waiting.push({ at: this.options.clock.monotonic(), run });
    }
    this.#later.clear();
    const inTime = async () => {
      for (let deed = this.#waiting.shift(); deed; deed = this.#waiting.shift()) {
        if (signal.aborted || isOver) break;
        await deed.run();
      }
    };
    await new Promise<void>((resolve) => {
      const cancel = this.options.clock.after(flushMilliseconds, resolve);
      void inTime().then(() => {
        cancel();
        resolve();
      });
    });
    isOver = true;
    this.#waiting.length = 0;
  }

  async #work(): Promise<void> {
    if (this.#isRunning || this.#cancel) return;
    this.#isRunning = true;
    for (let first = this.#waiting[0]; first; first = this.#waiting[0]) {
      const patience = this.#patience(first);
      if (patience > 0) {
        this.#wait(patience);
        break;
      }
      this.#waiting.shift();
      await first.run();
    }
    this.#isRunning = false;
  }

  #wait(milliseconds: number): void {
    const cancel = this.options.clock.after(milliseconds, () => {
      this.#cancel = undefined;
      void this.#work();
    });
    this.#cancel = () => {
      cancel();
      this.#cancel = undefined;
    };
  }

  get #isFull(): boolean {
    return this.#waiting.length + this.#later.size >= mostWaiting;
  }

  /** So much waits that patience would cost what comes next. */
  get #isCrowded(): boolean {
    return this.#waiting.length > mostWaiting / 2;
  }

  /** Milliseconds that `deed` has to wait still, as far as is known now. */
  #patience({ at }: Deed): number {
    const { clock, idleSince, longestMilliseconds = 15_000 } = this.options;
    const now = clock.monotonic();
    if (this.#isCrowded) return 0;
    return Math.min((idleSince() ?? now) + quietMilliseconds, at + longestMilliseconds) - now;
  }
}
