import type { Clock } from '../../kube/clock.js';
import { follow } from '../../kube/first-abort.js';

/** There was no sign of life for longer than there may be none. */
export class SilenceError extends Error {
  override readonly name = 'SilenceError';

  /** `isSuspected`: sooner, since something else hangs. */
  constructor(
    readonly seconds: number,
    readonly isSuspected = false,
  ) {
    super(`nothing was heard for ${seconds} s`);
  }
}

export interface SilenceGuardOptions {
  readonly clock: Clock;
  readonly seconds: number;
  /** Where something is known to be there that was not shown yet: for so many seconds nothing may be heard then, as it is trusted by now. */
  readonly owedSeconds: () => number;
  readonly isOwed: () => boolean;
}

/** Aborts what should show signs of life, and has not for too long; or when whoever waits for it gives up. */
export class SilenceGuard {
  readonly #controller = new AbortController();
  readonly #letGo: () => void;
  #cancel = () => {};
  #isOver = false;
  #heardAt = 0;
  /** By what is owed. */
  #isHurried = false;

  constructor(
    private readonly options: SilenceGuardOptions,
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
    this.#heardAt = this.options.clock.monotonic();
    this.#wait(this.options.isOwed());
  }

  /** The server answered beside what is guarded: the time begins anew, unless something is owed. */
  answered(): void {
    if (!this.#isHurried) this.heard();
  }

  /** Something is owed from now on. It does not let a silence last longer that was there before. */
  owes(): void {
    if (!this.#isOver && !this.#isHurried) this.#wait(true);
  }

  /** What is guarded may hang as something else does since then, unless it was heard since, or less than so many seconds ago. */
  suspect(since: number, leastSeconds: number): void {
    const seconds = (this.options.clock.monotonic() - this.#heardAt) / 1000;
    if (this.#isOver || this.#heardAt > since || seconds < leastSeconds) return;
    this.#controller.abort(new SilenceError(Math.round(seconds), true));
  }

  #wait(isHurried: boolean): void {
    const { clock, seconds, isOwed } = this.options;
    const owedSeconds = this.options.owedSeconds();
    const left = this.#heardAt + seconds * 1000 - clock.monotonic();
    const isSooner = isHurried && owedSeconds * 1000 < left;
    this.#isHurried = isHurried;
    this.#cancel();
    this.#cancel = clock.after(isSooner ? owedSeconds * 1000 : left, () => {
      // What has no event of its own may have been shown by now.
      if (isSooner && !isOwed()) this.#wait(false);
      else this.#controller.abort(new SilenceError(isSooner ? owedSeconds : seconds));
    });
  }

  stop(): void {
    this.#isOver = true;
    this.#cancel();
    this.#letGo();
  }
}
