import type { Clock } from '../../kube/clock.js';

export interface ListGuardOptions {
  readonly clock: Clock;
  /** For so long nothing more may come of a list that is not complete. */
  readonly seconds: number;
  /** The list takes long, and had last grown at this time, on the monotonic clock. */
  readonly slow: (grewAt: number) => void;
  /** Nothing more has come of it for too long. */
  readonly stalled: () => void;
}

/**
 * Ends a stream that begins with a list: before the list is complete, when nothing more comes of it; after that, when the watch
 * that it has become has had its time.
 */
export class ListGuard {
  readonly #startedAt: number;
  readonly #end = new AbortController();
  #grewAt: number;
  #isComplete = false;
  #cancel = () => {};

  constructor(private readonly options: ListGuardOptions) {
    this.#startedAt = options.clock.monotonic();
    this.#grewAt = this.#startedAt;
    this.#wait(options.seconds * 1000);
  }

  get signal(): AbortSignal {
    return this.#end.signal;
  }

  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** True of a list that is not complete, though it has had the time in which one that grows no more is given up. */
  get isLate(): boolean {
    const { clock, seconds } = this.options;
    return !this.#isComplete && clock.monotonic() - this.#startedAt >= seconds * 1000;
  }

  /** More of the list came. */
  grew(): void {
    this.#grewAt = this.options.clock.monotonic();
  }

  /** From here on it is a watch like any other, of so many seconds. */
  completed(watchSeconds: number): void {
    this.#isComplete = true;
    this.#cancel();
    const over = () => this.#end.abort(new Error('the watch has had its time'));
    this.#cancel = this.options.clock.after(watchSeconds * 1000, over);
  }

  stop(): void {
    this.#cancel();
  }

  #wait(milliseconds: number): void {
    const { clock, seconds, slow, stalled } = this.options;
    this.#cancel = clock.after(milliseconds, () => {
      const left = this.#grewAt + seconds * 1000 - clock.monotonic();
      if (left > 0) {
        slow(this.#grewAt);
        this.#wait(left);
        return;
      }
      stalled();
      this.#end.abort(new Error(`nothing more of the list came within ${seconds} s`));
    });
  }
}
