import type { Clock, Random } from '../kube/clock.js';
import { BackOffs } from './back-offs.js';
import type { QueueTelemetry } from './telemetry.js';

/** What goes first when workers are busy. */
export const priorities = { changed: 0, related: 1, resync: 2 } as const;
export type Priority = (typeof priorities)[keyof typeof priorities];

export interface Work {
  readonly key: string;
  /** Why, each once, in the order in which it was asked for. */
  readonly reasons: readonly string[];
}

export interface WorkQueueOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** Keys of one group wait for each other; groups take turns. Default: all keys are one group. */
  readonly groupOf?: (key: string) => string;
  readonly telemetry?: QueueTelemetry;
}

interface Waiting {
  readonly reasons: Set<string>;
  priority: Priority;
  /** Since when it is ready; absent before. */
  since?: number;
}

/**
 * Keys that need work, each at most once.
 *
 * **Guarantees.** A key is worked on by one worker at a time. Added while it waits, it waits once; added while it is
 * worked on, it is worked on once more. Of several deadlines for a key the earliest counts. Higher priorities go first,
 * and within one the groups take turns, so that a thousand keys of one namespace do not hold up the one of another.
 */
export class WorkQueue {
  /** By priority, then by group, each in order of arrival. */
  readonly #ready: Map<string, Map<string, Waiting>>[] = [new Map(), new Map(), new Map()];
  readonly #running = new Map<string, Waiting | undefined>();
  readonly #deadlines = new Map<string, { readonly at: number; cancel(): void; readonly waiting: Waiting }>();
  /** Until when keys are held. */
  readonly #holds = new Map<string, number>();
  readonly #failures: BackOffs;
  readonly #looks: BackOffs;
  readonly #takers: ((work: Work) => void)[] = [];
  #lastDoneAt: number;

  constructor(private readonly options: WorkQueueOptions) {
    this.#lastDoneAt = options.clock.monotonic();
    const growing = { firstSeconds: 0.005, jitter: 0.1, random: options.random };
    this.#failures = new BackOffs({ ...growing, mostSeconds: 1000 });
    this.#looks = new BackOffs({ ...growing, mostSeconds: 10 });
  }

  /** How many keys are ready and wait for a worker. */
  get depth(): number {
    const sizes = this.#ready.flatMap((groups) => [...groups.values()].map((keys) => keys.size));
    return sizes.reduce((sum, size) => sum + size, 0);
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
  *upcoming(): Generator<string> {
    for (const groups of this.#ready) for (const keys of groups.values()) yield* keys.keys();
  }

  add(
    key: string,
    reason: string,
    {
      afterMilliseconds = 0,
      priority = priorities.related,
    }: { readonly afterMilliseconds?: number; readonly priority?: Priority } = {},
  ): void {
    const waiting = { reasons: new Set([reason]), priority };
    if (afterMilliseconds > 0) this.#addLater(key, waiting, afterMilliseconds);
    else this.#addNow(key, waiting);
  }

  /** Adds a key that failed, after a wait that doubles with each failure: 5 ms to 1,000 s. */
  retry(key: string, reason: string): void {
    this.options.telemetry?.retried();
    this.add(key, reason, { afterMilliseconds: this.#failures.next(key) });
  }

  /**
   * Adds a key for which what is known was not enough, after a wait that doubles each time: 5 ms to 10 s. Watches bring the
   * rest, so that it says nothing of how often the next failure should be tried again.
   */
  lookAgain(key: string, reason: string): void {
    this.add(key, reason, { afterMilliseconds: this.#looks.next(key) });
  }

  /** Adds a key that is not to be worked on before then, whatever is added meanwhile. */
  hold(key: string, reason: string, milliseconds: number): void {
    const now = this.options.clock.monotonic();
    for (const [old, until] of this.#holds) if (until <= now) this.#holds.delete(old);
    this.#holds.set(key, now + milliseconds);
    this.#addNow(key, { reasons: new Set([reason]), priority: priorities.related });
  }

  /** The key is well: its next failure waits the shortest time again. */
  forget(key: string): void {
    this.#failures.forget(key);
    this.#looks.forget(key);
  }

  /** The key is gone: nothing is to be done for it any more. Who asked to wait did not mean it less for that: a hold stays. */
  drop(key: string): void {
    this.forget(key);
    this.#deadlines.get(key)?.cancel();
    this.#deadlines.delete(key);
  }

  /** Forgets all keys: nobody takes any more, and no timer is left behind. */
  close(): void {
    for (const { cancel } of this.#deadlines.values()) cancel();
    this.#deadlines.clear();
    for (const groups of this.#ready) groups.clear();
  }

  /** The next key, once there is one. Rejects when `signal` aborts. Whoever takes a key says `done`. */
  take(signal: AbortSignal): Promise<Work> {
    if (signal.aborted) return Promise.reject(signal.reason);
    const next = this.#next();
    if (next) return Promise.resolve(next);
    return new Promise((resolve, reject) => {
      const abort = () => {
        const index = this.#takers.indexOf(taker);
        if (index >= 0) this.#takers.splice(index, 1);
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

  /** Work on `key` has ended. What was added meanwhile is ready now. */
  done(key: string): void {
    const again = this.#running.get(key);
    this.#running.delete(key);
    this.#lastDoneAt = this.options.clock.monotonic();
    if (again) this.#addNow(key, again);
  }

  #addNow(key: string, waiting: Waiting): void {
    const held = (this.#holds.get(key) ?? 0) - this.options.clock.monotonic();
    if (held > 0) {
      this.#addLater(key, waiting, held);
      return;
    }
    this.#holds.delete(key);
    const deadline = this.#deadlines.get(key);
    if (deadline) {
      // Now is earlier than any deadline, and its reasons are served by the same run.
      deadline.cancel();
      this.#deadlines.delete(key);
      for (const reason of deadline.waiting.reasons) waiting.reasons.add(reason);
    }
    if (this.#running.has(key)) {
      this.#running.set(key, merged(this.#running.get(key), waiting));
      return;
    }
    const group = this.options.groupOf?.(key) ?? '';
    const before = this.#ready.map((groups) => groups.get(group)?.get(key)).find((found) => found !== undefined);
    const now = merged(before, waiting);
    if (!before) this.options.telemetry?.added();
    now.since = before?.since ?? this.options.clock.monotonic();
    // In its place it stays, unless it has become more urgent.
    if (before && before.priority !== now.priority) this.#removeReady(key, group, before.priority);
    const groups = this.#ready[now.priority] as Map<string, Map<string, Waiting>>;
    const keys = groups.get(group) ?? new Map<string, Waiting>();
    groups.set(group, keys.set(key, now));
    this.#serve();
  }

  #addLater(key: string, waiting: Waiting, milliseconds: number): void {
    const at = this.options.clock.monotonic() + milliseconds;
    const before = this.#deadlines.get(key);
    const all = merged(before?.waiting, waiting);
    if (before && before.at <= at) {
      this.#deadlines.set(key, { ...before, waiting: all });
      return;
    }
    before?.cancel();
    const cancel = this.options.clock.after(milliseconds, () => {
      const due = this.#deadlines.get(key);
      this.#deadlines.delete(key);
      if (due) this.#addNow(key, due.waiting);
    });
    this.#deadlines.set(key, { at, cancel, waiting: all });
  }

  #removeReady(key: string, group: string, priority: Priority): void {
    const groups = this.#ready[priority];
    const keys = groups?.get(group);
    keys?.delete(key);
    if (keys?.size === 0) groups?.delete(group);
  }

  #serve(): void {
    while (this.#takers.length > 0) {
      const work = this.#next();
      if (!work) return;
      this.#takers.shift()?.(work);
    }
  }

  #next(): Work | undefined {
    for (const groups of this.#ready) {
      const first = groups.entries().next();
      if (first.done) continue;
      const [group, keys] = first.value;
      const [key, waiting] = keys.entries().next().value as [string, Waiting];
      keys.delete(key);
      // To the end of the line: the next key comes from another group, if there is one.
      groups.delete(group);
      if (keys.size > 0) groups.set(group, keys);
      this.#running.set(key, undefined);
      const now = this.options.clock.monotonic();
      this.options.telemetry?.taken(now - (waiting.since ?? now));
      return { key, reasons: [...waiting.reasons] };
    }
    return undefined;
  }
}

/** Both reasons, and the more urgent priority. A key that waits keeps its place by the older entry's. */
function merged(before: Waiting | undefined, now: Waiting): Waiting {
  if (!before) return now;
  return {
    reasons: new Set([...before.reasons, ...now.reasons]),
    priority: Math.min(before.priority, now.priority) as Priority,
  };
}
