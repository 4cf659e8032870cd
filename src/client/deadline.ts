import type { Clock } from '../kube/clock.js';
import { DeadlineError } from './deadline-error.js';
import type { Asked } from './response-error.js';

/** Of a call whose caller sets no time. */
const usualSeconds = 30;
/** Of a read whose answer flows, in all. An API server ends one after a minute, and may be asked a second time. */
const mostSeconds = 120;

/**
 * The time that one call has, retries included.
 *
 * **Guarantees.** Aborts `stop` with a `DeadlineError` when it is up. What the caller sets is kept to, as is the usual time of a
 * write. A read without either goes on for as long as its answer flows: the usual time is that of its silence.
 */
export class Deadline {
  /** True when the call was aborted because its time was up. */
  isOver = false;
  readonly #seconds: number;
  readonly #begin: number;
  readonly #most: number;
  #end: number;
  #isHeard = false;
  #cancel = () => {};

  constructor(
    private readonly options: {
      readonly clock: Clock;
      readonly stop: AbortController;
      readonly asked: Asked;
      readonly timeoutSeconds: number | undefined;
      /** In milliseconds of the monotonic clock, when it is up at the latest. */
      readonly until?: number | undefined;
      readonly isRead: boolean;
    },
  ) {
    const { clock, timeoutSeconds, until = Number.POSITIVE_INFINITY, isRead } = options;
    this.#seconds = timeoutSeconds ?? usualSeconds;
    this.#begin = clock.monotonic();
    this.#end = Math.min(this.#begin + this.#seconds * 1000, until);
    const mayGoOn = timeoutSeconds === undefined && isRead;
    this.#most = mayGoOn ? Math.min(this.#begin + mostSeconds * 1000, until) : this.#end;
    this.#arm();
  }

  /** Milliseconds; aborts the call where there are none. */
  left(): number {
    const left = this.#end - this.options.clock.monotonic();
    // A process that was stopped for long goes on before its timers run.
    if (left <= 0) this.#pass();
    return left;
  }

  /** A part of what was asked for has come. */
  heard(): void {
    if (this.#end === this.#most) return;
    this.#isHeard = true;
    this.#end = Math.min(this.options.clock.monotonic() + this.#seconds * 1000, this.#most);
    this.#cancel();
    this.#arm();
  }

  /** The call has ended. */
  forget(): void {
    this.#cancel();
  }

  #arm(): void {
    const { clock } = this.options;
    this.#cancel = clock.after(this.#end - clock.monotonic(), () => this.#pass());
  }

  #pass(): void {
    const { stop, asked } = this.options;
    this.isOver ||= !stop.signal.aborted;
    stop.abort(new DeadlineError(`${asked.subject} ${asked.verb} failed: ${this.#problem}`));
  }

  get #problem(): string {
    if (!this.#isHeard) return `no answer within ${rounded(this.#seconds)} s`;
    if (this.#end === this.#most) return `no whole answer within ${rounded((this.#most - this.#begin) / 1000)} s`;
    return `nothing more of the answer within ${this.#seconds} s`;
  }
}

/** What is left of a Lease is another fraction each time, and an error with it would be another error. */
function rounded(seconds: number): number {
  return seconds < 1 ? Number(seconds.toPrecision(1)) : Math.ceil(seconds);
}
