import type { Clock } from '../../kube/clock.js';
import { follow } from '../../kube/first-abort.js';

/** There was no sign of life for longer than there may be none. */
export class SilenceError extends Error {
  override readonly name = 'SilenceError';

  constructor(seconds: number) {
    super(`nothing was heard for ${seconds} s`);
  }
}

/** Aborts what should show signs of life, and has not for too long; or when whoever waits for it gives up. */
export class SilenceGuard {
  readonly #controller = new AbortController();
  readonly #letGo: () => void;
  #cancel = () => {};
  #isOver = false;

  constructor(
    private readonly clock: Clock,
    private readonly seconds: number,
    outer: AbortSignal,
  ) {
    this.#letGo = follow(this.#controller, outer);
    this.heard();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** A sign of life: the time begins anew. */
  heard(): void {
    if (this.#isOver) return;
    this.#cancel();
    this.#cancel = this.clock.after(this.seconds * 1000, () => {
      this.#controller.abort(new SilenceError(this.seconds));
    });
  }

  stop(): void {
    this.#isOver = true;
    this.#cancel();
    this.#letGo();
  }
}
