/** Longer than most files: whatever a key may wait for, and which of it comes first. */
import type { Clock, Random } from '../../kube/clock.js';
import type { QueueTelemetry } from '../telemetry/telemetry.js';
import { BackOffs } from './back-offs.js';
import { Holds } from './holds.js';
import { LastWorker } from './last-worker.js';
import { type Priority, priorities, ReadyKeys, type Waiting } from './ready-keys.js';
import { Reasons } from './reasons.js';
import { SharedWaits } from './shared-waits.js';

export interface Work {
  readonly key: string;
  readonly reasons: Reasons;
  /** Of all the reasons the highest. */
  readonly priority: Priority;
}

/** What was asked of a round that came to nothing, and is asked of the next one. */
export type Unfinished = Pick<Work, 'reasons' | 'priority'>;

export interface WorkQueueOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** Keys of one group wait for each other; groups take turns. Default: all keys are one group. */
  readonly groupOf?: (key: string) => string;
  /** How many take, of which one that is free is kept for groups whose work does not take long. Default: none is kept. */
  readonly workers?: number;
  readonly telemetry?: QueueTelemetry;
}

/**
 * Keys that need work, each at most once.
 *
 * **Guarantees.** A key is worked on by one worker at a time. Added while it waits, it waits once; added while it is
 * worked on, it is worked on once more. Of several deadlines for a key the earliest counts. `ReadyKeys` says which goes
 * first: neither a thousand keys of one namespace nor a backlog of all holds up for long what somebody has just changed.
 * `LastWorker` says who may have the last worker, so that neither does what hangs for one namespace.
 */
export class WorkQueue {
  readonly #ready: ReadyKeys;
  readonly #lastWorker: LastWorker;
  readonly #running = new Map<string, Waiting | undefined>();
  readonly #deadlines = new Map<string, { readonly at: number; cancel(): void; readonly waiting: Waiting }>();
  readonly #holds: Holds;
  readonly #failures: BackOffs;
  readonly #looks: BackOffs;
  readonly #waits: BackOffs;
  readonly #shared: SharedWaits;
  readonly #takers: ((work: Work) => void)[] = [];
  #lastDoneAt: number;

  constructor(private readonly options: WorkQueueOptions) {
    const { groupOf = () => '' } = options;
    this.#ready = new ReadyKeys(groupOf);
    this.#holds = new Holds(options.clock);
    this.#lastWorker = new LastWorker(options.clock, groupOf);
    this.#lastDoneAt = options.clock.monotonic();
    const growing = { firstSeconds: 0.005, jitter: 0.1, random: options.random };
    this.#failures = new BackOffs({ ...growing, mostSeconds: 1000 });
    this.#looks = new BackOffs({ ...growing, mostSeconds: 10 });
    this.#waits = new BackOffs({ ...growing, mostSeconds: 60 });
    this.#shared = new SharedWaits({ clock: options.clock, hurry: (key) => this.#hurry(key) });
  }

  /** How many keys are ready and wait for a worker. */
  get depth(): number {
    return this.#ready.size;
  }

  /** True when nothing is ready and nothing is worked on; keys may still have a deadline. */
  get isIdle(): boolean {
    return this.depth === 0 && this.#running.size === 0;
  }

  /** Since when nothing is ready and nothing worked on, in monotonic milliseconds; undefined while something is. */
  get idleSince(): number | undefined {
    return this.isIdle ? this.#lastDoneAt : undefined;
  }

  /** The keys that are ready and wait for a worker, in about the order in which they get one. */
  upcoming(): Iterable<string> {
    return this.#ready.keys();
  }

  /** The keys that are worked on. */
  get underWay(): readonly string[] {
    return [...this.#running.keys()];
  }

  add(
    key: string,
    reason: string,
    {
      afterMilliseconds = 0,
      priority = priorities.related,
      unfinished,
    }: {
      readonly afterMilliseconds?: number;
      readonly priority?: Priority;
      /** Its reasons and its priority stay. */
      readonly unfinished?: Unfinished | undefined;
    } = {},
  ): void {
    const waiting = waitingFor(reason, unfinished ?? { priority });
    if (afterMilliseconds > 0) this.#addLater(key, waiting, afterMilliseconds);
    else this.#addNow(key, waiting);
  }

  /**
   * Adds a key that failed, after a wait that doubles with each failure: 5 ms to 1,000 s. Of one that was failed by the server
   * that may end sooner: see `SharedWaits`.
   */
  retry(key: string, reason: string, unfinished?: Unfinished, { isShared = false } = {}): void {
    this.options.telemetry?.retried();
    const left = isShared ? this.#shared.leftOf(key) : undefined;
    const afterMilliseconds = left ?? this.#failures.next(key);
    this.add(key, reason, { afterMilliseconds, unfinished });
    if (isShared) this.#shared.failed(key, afterMilliseconds);
    else this.#shared.forget(key);
  }

  /**
   * Adds a key for which what is known was not enough, after a wait that doubles each time: 5 ms to 10 s. Watches bring the
   * rest, so that it says nothing of how often the next failure should be tried again.
   */
  lookAgain(key: string, reason: string, unfinished?: Unfinished): void {
    this.add(key, reason, { afterMilliseconds: this.#looks.next(key), unfinished });
  }

  /** Adds a key that is not to be worked on before then, whatever is added meanwhile; by itself after a wait that grows to a minute. */
  hold(key: string, reason: string, milliseconds: number, unfinished?: Unfinished): void {
    this.#holds.hold(key, milliseconds);
    const wait = Math.max(milliseconds, this.#shared.leftOf(key) ?? this.#waits.next(key));
    this.#addLater(key, waitingFor(reason, unfinished), wait);
    this.#shared.failed(key, wait, milliseconds);
  }

  /** There is nothing to be tried again of the key. Where all was done that there was to do, others may find the server well, too. */
  ended(key: string, { isWell }: { readonly isWell: boolean }): void {
    this.forget(key);
    if (isWell) this.#shared.well(key);
    else this.#shared.forget(key);
  }

  /** The key's next failure waits the shortest time again. */
  forget(key: string): void {
    this.#shared.startsAnew(key);
    for (const backOffs of [this.#failures, this.#looks, this.#waits]) backOffs.forget(key);
  }

  /** The key is gone: nothing is to be done for it any more. Who asked to wait did not mean it less for that: a hold stays. */
  drop(key: string): void {
    this.forget(key);
    this.#shared.forget(key);
    this.#deadlines.get(key)?.cancel();
    this.#deadlines.delete(key);
  }

  /** Forgets all keys: nobody takes any more, and no timer is left behind. */
  close(): void {
    for (const { cancel } of this.#deadlines.values()) cancel();
    this.#deadlines.clear();
    this.#ready.clear();
    this.#shared.close();
  }

  /** The next key, once there is one. Rejects when `signal` aborts. Whoever takes a key says `done`. */
  take(signal: AbortSignal): Promise<Work> {
    if (signal.aborted) return Promise.reject(signal.reason);
    const next = this.#next();
    if (next) return Promise.resolve(next);
    return new Promise((resolve, reject) => {
      const abort = () => {
        this.#takers.splice(this.#takers.indexOf(taker), 1);
        reject(signal.reason);
      };
      const taker = (work: Work) => {
        signal.removeEventListener('abort', abort);
        resolve(work);
      };
      this.#takers.push(taker);
      signal.addEventListener('abort', abort, { once: true });
    });
  }

  /** Work on `key` has ended. What was added meanwhile is ready now, unless that turned out to be no news; a deadline is kept. */
  done(key: string, isNews = true): void {
    const again = this.#running.get(key);
    this.#running.delete(key);
    this.#lastWorker.ends(key);
    this.#lastDoneAt = this.options.clock.monotonic();
    if (again && (isNews || again.isDue)) this.#addNow(key, again);
    this.#serve();
  }

  #addNow(key: string, waiting: Waiting): void {
    const held = this.#holds.leftOf(key);
    if (held > 0) {
      this.#addLater(key, waiting, held);
      return;
    }
    if (this.#running.has(key)) {
      const before = this.#running.get(key);
      if (before) merge(before, waiting);
      else this.#running.set(key, waiting);
      return;
    }
    const deadline = this.#deadlines.get(key);
    if (deadline) {
      // Now is earlier than any deadline, and its reasons are served by the same run.
      deadline.cancel();
      this.#deadlines.delete(key);
      merge(waiting, deadline.waiting);
    }
    const before = this.#ready.get(key);
    if (before) {
      // In its place it stays, unless it has become more urgent.
      before.reasons.addAll(waiting.reasons);
      if (waiting.priority < before.priority) this.#ready.raise(key, before, waiting.priority);
      return;
    }
    this.options.telemetry?.added();
    this.#ready.add(key, { ...waiting, since: this.options.clock.monotonic() });
    this.#serve();
  }

  #addLater(key: string, waiting: Waiting, milliseconds: number): void {
    const at = this.options.clock.monotonic() + milliseconds;
    const before = this.#deadlines.get(key);
    if (before) merge(before.waiting, waiting);
    if (before && before.at <= at) return;
    before?.cancel();
    const cancel = this.options.clock.after(milliseconds, () => {
      const due = this.#deadlines.get(key);
      this.#deadlines.delete(key);
      if (due) this.#addNow(key, { ...due.waiting, isDue: true });
    });
    this.#deadlines.set(key, { at, cancel, waiting: before?.waiting ?? waiting });
  }

  #hurry(key: string): void {
    const deadline = this.#deadlines.get(key);
    if (deadline) this.#addNow(key, waitingFor('others may be well again', deadline.waiting));
  }

  #serve(): void {
    while (this.#takers.length > 0) {
      const work = this.#next();
      if (!work) return;
      this.#takers.shift()?.(work);
    }
  }

  #next(): Work | undefined {
    const { workers = 1 } = this.options;
    const isLast = workers > 1 && this.#running.size >= workers - 1;
    const next = this.#ready.take(isLast ? (group) => this.#lastWorker.isFor(group) : undefined);
    if (!next) return undefined;
    const [key, { reasons, priority, since }] = next;
    this.#running.set(key, undefined);
    this.#lastWorker.begins(key);
    const now = this.options.clock.monotonic();
    this.options.telemetry?.taken(now - (since ?? now));
    return { key, reasons, priority };
  }
}

function waitingFor(reason: string, { reasons, priority = priorities.related }: Partial<Unfinished> = {}): Waiting {
  return { reasons: (reasons ? new Reasons().addAll(reasons) : new Reasons()).add(reason), priority };
}

/** Both reasons, and the more urgent priority. */
function merge(into: Waiting, from: Waiting): void {
  into.reasons.addAll(from.reasons);
  into.priority = Math.min(into.priority, from.priority) as Priority;
  if (from.isDue) into.isDue = true;
}
