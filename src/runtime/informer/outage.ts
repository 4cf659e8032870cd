import { type Clock, sleep } from '../../kube/clock.js';
import { firstAbort } from '../../kube/first-abort.js';
import { forMany } from '../process/for-many.js';

/**
 * What the informers of one API server wait through while it answers nobody. The pauses of each grow to a minute: as soon as one of
 * them sees the server again the others ask, too, since an operator begins when the last of its stores is filled.
 */
export class Outage {
  #over!: AbortController;

  constructor(private readonly clock: Clock) {
    this.#begin();
  }

  /** Resolves after so long, or sooner, with true, when it is over; not before `least`. Rejects when `signal` aborts. */
  async wait(milliseconds: number, least: number, signal: AbortSignal): Promise<boolean> {
    const over = this.#over.signal;
    if (least > 0) await sleep(this.clock, least, signal);
    const either = firstAbort(signal, over);
    try {
      await sleep(this.clock, milliseconds - least, either.signal);
      return false;
    } catch (error) {
      if (signal.aborted) throw error;
      return true;
    } finally {
      either.letGo();
    }
  }

  /** The server answers one of them again. */
  end(): void {
    this.#over.abort();
    this.#begin();
  }

  #begin(): void {
    this.#over = new AbortController();
    forMany(this.#over.signal);
  }
}
