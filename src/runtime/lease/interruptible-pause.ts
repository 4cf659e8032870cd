import type { Clock } from '../../kube/clock.js';

/** Waits that somebody can cut short, also just before they begin: then the next one ends at once. */
export class InterruptiblePause {
  #isInterrupted = false;
  #wake = () => {};

  constructor(private readonly clock: Clock) {}

  interrupt(): void {
    this.#isInterrupted = true;
    this.#wake();
  }

  /** Resolves after so long, or when it is interrupted. Rejects when `signal` aborts. */
  async wait(milliseconds: number, signal: AbortSignal): Promise<void> {
    try {
      if (this.#isInterrupted) return;
      await new Promise<void>((resolve, reject) => {
        const over = () => {
          cancel();
          signal.removeEventListener('abort', abort);
          resolve();
        };
        const abort = () => {
          cancel();
          reject(signal.reason as Error);
        };
        const cancel = this.clock.after(milliseconds, over);
        if (signal.aborted) return abort();
        signal.addEventListener('abort', abort, { once: true });
        this.#wake = over;
      });
    } finally {
      this.#isInterrupted = false;
    }
  }
}
