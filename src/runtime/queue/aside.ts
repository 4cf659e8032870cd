import { AsyncResource } from 'node:async_hooks';
import type { Clock } from '../../kube/clock.js';
import { FairLine } from './fair-line.js';

export interface AsideOptions {
  readonly clock: Clock;
  /** Since when there has been nothing more urgent, in monotonic milliseconds; undefined while there is. */
  readonly idleSince: () => number | undefined;
  /** However busy it is, nothing waits longer. Default: fifteen seconds, since putting back many children takes some. */
  readonly longestMilliseconds?: number;
}

/** One of them. It ends soon when `signal` aborts, and never rejects. */
export type Deed = (signal: AbortSignal) => Promise<void>;

/** Whose a deed is. */
export interface Whose {
  /** Each group has its share of what can wait. Default: one group of all deeds that name none. */
  readonly group?: string;
  /** Called where it gives way to others, so that it will not be done. */
  leftOut?(): void;
}

interface Waiting extends Whose {
  readonly at: number;
  readonly run: Deed;
}

const quietMilliseconds = 250;
/** How long it may take to end, while others wait for the Lease. */
const flushMilliseconds = 500;
const mostWaiting = 4000;

/**
 * What can wait for what cannot: done one at a time, when there has been nothing more urgent for a moment; in order within a
 * group, of which each has its turn. Where too much waits the group gives way that has most.
 *
 * **Guarantees.** When `flush` has resolved, nothing is under way, and nothing is begun any more. No deed is part of what another
 * is done for, nor of a round that is under way: each is done in the asynchronous context in which this was made.
 */
export class Aside {
  readonly #waiting = new FairLine<Waiting>();
  /** What waits for a time of its own first. */
  readonly #later = new Map<Deed, { readonly cancel: () => void; readonly whose: Whose }>();
  #cancel: (() => void) | undefined;
  #isWorking = false;
  #underWay: Promise<void> | undefined;
  #isEnding = false;
  readonly #over = new AbortController();
  readonly #context = new AsyncResource('kilter');

  constructor(private readonly options: AsideOptions) {}

  /** False when too much waits already, or all is over, so that it will not be done. */
  add(run: Deed, whose: Whose = {}): boolean {
    if (this.#over.signal.aborted) return false;
    const { group = '' } = whose;
    if (this.#isFull) {
      const given = this.#waiting.makeRoomFor(group);
      if (!given) return false;
      given.leftOut?.();
    }
    this.#waiting.push(group, { ...whose, at: this.options.clock.monotonic(), run });
    if (this.#isCrowded) this.#cancel?.();
    this.#context.runInAsyncScope(() => void this.#work());
    return true;
  }

  /** As `add`, after so long, or at the end of the process. False also at the end. */
  addLater(milliseconds: number, run: Deed, whose: Whose = {}): boolean {
    if (this.#isFull || this.#isEnding) return false;
    const cancel = this.options.clock.after(milliseconds, () => {
      this.#later.delete(run);
      if (!this.add(run, whose)) whose.leftOut?.();
    });
    this.#later.set(run, { cancel, whose });
    return true;
  }

  /**
   * Does what waits now, for as long as there is time at the end of a process. What is left then is left undone; what is
   * under way then is waited for until `signal` aborts, which ends it.
   */
  async flush(signal: AbortSignal): Promise<void> {
    const { clock } = this.options;
    const giveUp = () => this.#over.abort(signal.reason);
    signal.addEventListener('abort', giveUp, { once: true });
    if (signal.aborted) giveUp();
    this.#isEnding = true;
    this.#cancel?.();
    const at = clock.monotonic();
    for (const [run, { cancel, whose }] of this.#later) {
      cancel();
      this.#waiting.push(whose.group ?? '', { at, run });
    }
    this.#later.clear();
    await this.#underWay;
    for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) {
      if (this.#over.signal.aborted || clock.monotonic() >= at + flushMilliseconds) break;
      await next.run(this.#over.signal);
    }
    signal.removeEventListener('abort', giveUp);
    this.#over.abort(new Error('the process ends'));
    this.#waiting.clear();
  }

  async #work(): Promise<void> {
    if (this.#isWorking || this.#cancel) return;
    this.#isWorking = true;
    while (this.#waiting.size > 0 && !this.#isEnding) {
      const patience = this.#patience();
      if (patience > 0) {
        this.#wait(patience);
        break;
      }
      this.#underWay = this.#waiting.shift()?.run(this.#over.signal);
      await this.#underWay;
    }
    this.#isWorking = false;
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
    return this.#waiting.size + this.#later.size >= mostWaiting;
  }

  /** So much waits that patience would cost what comes next. */
  get #isCrowded(): boolean {
    return this.#waiting.size > mostWaiting / 2;
  }

  /** Milliseconds that all of them have to wait still, as far as is known now. */
  #patience(): number {
    const { clock, idleSince, longestMilliseconds = 15_000 } = this.options;
    const now = clock.monotonic();
    if (this.#isCrowded) return 0;
    const oldest = this.#waiting.heads().reduce((least, { at }) => Math.min(least, at), now);
    return Math.min((idleSince() ?? now) + quietMilliseconds, oldest + longestMilliseconds) - now;
  }
}
