import type { Event } from '../api-server.js';

/** As many as the history of a store holds in any case. */
const mostWaiting = 10_000;

/**
 * Events on their way to one watcher, in order. Ends when `signal` aborts, when it is ended, or when its reader stops.
 *
 * A reader that keeps up takes each event as it comes; what it has not taken yet waits in memory, for `pending` to tell.
 * A reader for whom too much waits is cut off, as the server does it: it can resume from the last event that it saw.
 */
export class EventStream implements AsyncIterable<Event> {
  #events: Event[] = [];
  #wake: (() => void) | undefined;
  #ended = false;
  #limit = Number.POSITIVE_INFINITY;
  readonly #cleanUps: (() => void)[] = [];

  constructor(signal?: AbortSignal) {
    if (signal?.aborted) this.end();
    else if (signal) {
      const end = () => this.end();
      signal.addEventListener('abort', end, { once: true });
      this.onEnd(() => signal.removeEventListener('abort', end));
    }
  }

  get pending(): number {
    return this.#events.length;
  }

  /** To be called after what is there at the beginning, which may be any number. */
  begun(): void {
    this.#limit = this.#events.length + mostWaiting;
  }

  push(event: Event): void {
    if (this.#ended) return;
    if (this.#events.length >= this.#limit) {
      this.#events = [];
      this.end();
      return;
    }
    this.#events.push(event);
    this.#wake?.();
  }

  /** No event after those that wait. */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    for (const cleanUp of this.#cleanUps.splice(0)) cleanUp();
    this.#wake?.();
  }

  onEnd(cleanUp: () => void): void {
    if (this.#ended) cleanUp();
    else this.#cleanUps.push(cleanUp);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Event> {
    try {
      for (;;) {
        const events = this.#events;
        this.#events = [];
        yield* events;
        if (this.#events.length > 0) continue;
        if (this.#ended) return;
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
        this.#wake = undefined;
      }
    } finally {
      this.end();
    }
  }
}
