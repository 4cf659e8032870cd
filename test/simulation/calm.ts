import type { Clock } from '../../src/kube/clock.js';
import type { Fate } from '../../src/testing/faults.js';
import type { FaultStep } from './schedule.js';

/** While one of these lasts a call may take time, or be answered by what was, which is the same to whoever asks. */
const slow: ReadonlySet<FaultStep['fault']> = new Set(['slow', 'pause', 'partition', 'leap', 'lag', 'behind', 'hang']);
/** So long after it, what was on its way has arrived, and what was half done is done. */
const arrivalMilliseconds = 5_000;
/** Nobody waits longer for an answer. */
const answerMilliseconds = 30_000;

/** Tells when no call takes time, so that between a look and the write that follows from it nothing happens. */
export class Calm {
  readonly #lasting = new Set<FaultStep>();
  #from = 0;

  constructor(private readonly clock: Clock) {}

  get isNow(): boolean {
    return this.#lasting.size === 0 && this.clock.monotonic() >= this.#from;
  }

  begins(fault: FaultStep): void {
    if (slow.has(fault.fault)) this.#lasting.add(fault);
  }

  ends(fault: FaultStep): void {
    if (this.#lasting.delete(fault)) this.#notFor(0);
  }

  /** A call takes time, or has no answer. */
  befalls(fate: Fate): void {
    if (fate.type === 'delay') this.#notFor(Math.min(fate.seconds * 1000, answerMilliseconds));
    if (fate.type === 'lose') this.#notFor(0);
    if (fate.type === 'cut-off') this.#notFor(Math.min(fate.afterSeconds * 1000, answerMilliseconds));
  }

  /** What the server had is gone, of which nobody can know at once. */
  isStartled(): void {
    this.#notFor(answerMilliseconds);
  }

  /** From now on all is well. */
  returns(): void {
    for (const fault of this.#lasting) this.ends(fault);
  }

  #notFor(milliseconds: number): void {
    this.#from = Math.max(this.#from, this.clock.monotonic() + milliseconds + arrivalMilliseconds);
  }
}
