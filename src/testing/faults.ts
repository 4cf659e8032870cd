import type { WatchEvent } from '../client/cluster.js';
import { type Call, type CallMatch, kindName, matches, showMatch } from './call.js';
import { lost } from './refusal.js';

/** What becomes of a call. */
export type Fate =
  | { readonly type: 'refuse'; readonly code: number; readonly retryAfterSeconds?: number }
  /** The server does not know the kind. */
  | { readonly type: 'unserve' }
  /** Never reaches the server, or is carried out and its answer is lost. The caller cannot tell which. */
  | { readonly type: 'lose'; readonly when: 'before' | 'after' }
  | { readonly type: 'delay'; readonly seconds: number }
  /** The controller dies just before the call is sent, or just after the server committed or refused it. */
  | { readonly type: 'crash'; readonly when: 'before' | 'after' };

interface Planned {
  readonly match: CallMatch;
  readonly fate: Fate;
  left: number;
}

/** The error with which the server answers. */
export interface Refusal {
  /** The HTTP status: 409, 410, 429, 500, 503, … */
  readonly code: number;
  /** The header `Retry-After`. Default: none. */
  readonly retryAfterSeconds?: number;
  /** How many calls are answered so. Default: one. */
  readonly times?: number;
}

/** On its way to the server, on its way back, or an event of a watch. */
export type Leg = 'there' | 'back' | 'event';

/** Hears of each call before it is sent, with what is to become of it. */
export type CallObserver = (call: Call, fate: Fate | undefined) => void;

/** How what a watch says is kept from its reader. */
interface Held {
  /** Absent: every kind. */
  readonly kind?: string;
  readonly waiting: (() => void)[];
}

/**
 * What goes wrong between one controller and the API server. A planned fault happens to the next calls that match it, one unless
 * `times` says more, and is then used up; of several that match, the one that was planned first.
 */
export class Faults {
  #planned: Planned[] = [];
  readonly #held = new Set<Held>();
  readonly #watches = new Map<AbortController, string>();
  readonly #silent = new WeakSet<AbortController>();
  readonly #partitions = new Set<object>();
  readonly #lags = new Set<{ readonly kind: string; readonly version: string }>();
  /** Of kinds that are not served, what becomes of each call. */
  readonly #unserved = new Set<{ readonly kind: string }>();
  readonly #observers = new Set<CallObserver>();
  #latency: ((call: Call, leg: Leg) => number) | undefined;

  constructor(private readonly now: () => string) {}

  /** The server answers with an error. */
  refuse(match: CallMatch, { code, retryAfterSeconds, times = 1 }: Refusal): void {
    const after = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
    this.#plan(match, { type: 'refuse', code, ...after }, times);
  }

  /** The answer is lost on its way back: the call was carried out, and the caller does not know. */
  loseAnswer(match: CallMatch, times = 1): void {
    this.#plan(match, { type: 'lose', when: 'after' }, times);
  }

  /** The request is lost on its way: the call was not carried out, and the caller does not know. */
  loseCall(match: CallMatch, times = 1): void {
    this.#plan(match, { type: 'lose', when: 'before' }, times);
  }

  /** The call takes `seconds` longer. */
  delay(match: CallMatch, seconds: number, times = 1): void {
    this.#plan(match, { type: 'delay', seconds }, times);
  }

  /** The controller dies just before such a call is sent. */
  crashBefore(match: CallMatch): void {
    this.#plan(match, { type: 'crash', when: 'before' }, 1);
  }

  /** The controller dies just after the server has committed such a call, or has refused it. */
  crashAfter(match: CallMatch): void {
    this.#plan(match, { type: 'crash', when: 'after' }, 1);
  }

  /** Keeps events of a kind back until the returned function is called. */
  holdWatch(kind: string | { readonly kind: string }): () => void {
    return this.#hold({ kind: kindName(kind), waiting: [] });
  }

  /** Until the returned function is called, no call gets through, and open watches are silent. */
  partition(): () => void {
    const partition = {};
    this.#partitions.add(partition);
    const letGo = this.#hold({ waiting: [] });
    return () => {
      this.#partitions.delete(partition);
      letGo();
    };
  }

  /** Breaks the watches of a kind that are open now; their connection is reset. */
  breakWatch(kind: string | { readonly kind: string }): void {
    const name = kindName(kind);
    for (const [controller, watched] of this.#watches) if (watched === name) controller.abort();
  }

  /** The watches of a kind that are open now say nothing any more, as on a connection that is half open. */
  silenceWatch(kind: string | { readonly kind: string }): void {
    const name = kindName(kind);
    for (const [controller, watched] of this.#watches) if (watched === name) this.#silent.add(controller);
  }

  /** From now until the returned function is called, lists of a kind, but not by one name, show the past as it is at this moment. */
  goBack(kind: string | { readonly kind: string }): () => void {
    const lag = { kind: kindName(kind), version: this.now() };
    this.#lags.add(lag);
    return () => this.#lags.delete(lag);
  }

  /** Until the returned function is called the server does not know a kind: each call is answered 404, and its watches end. */
  unserve(kind: string | { readonly kind: string }): () => void {
    const absence = { kind: kindName(kind) };
    this.#unserved.add(absence);
    this.breakWatch(absence.kind);
    return () => this.#unserved.delete(absence);
  }

  /**
   * From now until the returned function is called, everything takes the milliseconds on its way that `latency` says.
   * What is on its way arrives, even when its sender is dead by then.
   */
  slowDown(latency: (call: Call, leg: Leg) => number): () => void {
    this.#latency = latency;
    return () => {
      if (this.#latency === latency) this.#latency = undefined;
    };
  }

  /** Calls `observer` with every call from now on, until the returned function is called. */
  observe(observer: CallObserver): () => void {
    this.#observers.add(observer);
    return () => this.#observers.delete(observer);
  }

  /** From now on all is well: what was planned befalls nobody, and what is held is let go. */
  clear(): void {
    this.#planned = [];
    this.#lags.clear();
    this.#unserved.clear();
    this.#latency = undefined;
    this.#partitions.clear();
    for (const held of [...this.#held]) this.#release(held);
  }

  /** Faults that were planned and befell nobody yet: a test that planned them in vain tests nothing. */
  get pending(): readonly string[] {
    return this.#planned.map(({ match, fate }) => `${fate.type}: ${showMatch(match)}`);
  }

  /** What becomes of a call that is about to be sent. */
  next(call: Call): Fate | undefined {
    const fate = this.#fateOf(call);
    for (const observer of this.#observers) observer(call, fate);
    return fate;
  }

  /** Milliseconds that a part of a call takes. */
  latencyOf(call: Call, leg: Leg): number {
    return this.#latency?.(call, leg) ?? 0;
  }

  /** The version in the past at which a kind is shown, if it is. */
  lagOf(kind: string): string | undefined {
    // Of several that overlap the last.
    return [...this.#lags].findLast((lag) => lag.kind === kind)?.version;
  }

  /** The events of a watch, as far as they come through. What is held keeps no reader who gives up. */
  async *watch(call: Call, events: AsyncIterable<WatchEvent>, signal?: AbortSignal): AsyncGenerator<WatchEvent> {
    const broken = new AbortController();
    this.#watches.set(broken, call.kind);
    let giveUp = () => {};
    const reset = new Promise<never>((_, reject) => {
      broken.signal.addEventListener('abort', () => reject(lost(call)), { once: true });
      giveUp = () => reject(signal?.reason as Error);
    });
    reset.catch(() => {});
    signal?.addEventListener('abort', giveUp, { once: true });
    const reader = events[Symbol.asyncIterator]();
    try {
      for (;;) {
        const next = await Promise.race([reader.next(), reset]);
        if (this.#silent.has(broken)) await reset;
        if (next.done) return;
        await Promise.race([this.#released(call.kind), reset]);
        yield next.value;
      }
    } finally {
      this.#watches.delete(broken);
      signal?.removeEventListener('abort', giveUp);
      void reader.return?.();
    }
  }

  #fateOf(call: Call): Fate | undefined {
    if (this.#partitions.size > 0) return { type: 'lose', when: 'before' };
    for (const { kind } of this.#unserved) if (kind === call.kind) return { type: 'unserve' };
    const planned = this.#planned.find(({ match }) => matches(match, call));
    if (!planned) return undefined;
    planned.left -= 1;
    if (planned.left === 0) this.#planned = this.#planned.filter((each) => each !== planned);
    return planned.fate;
  }

  #hold(held: Held): () => void {
    this.#held.add(held);
    return () => this.#release(held);
  }

  #plan(match: CallMatch, fate: Fate, times: number): void {
    this.#planned.push({ match, fate, left: times });
  }

  #release(held: Held): void {
    this.#held.delete(held);
    for (const go of held.waiting.splice(0)) go();
  }

  async #released(kind: string): Promise<void> {
    for (;;) {
      const held = [...this.#held].find((each) => each.kind === undefined || each.kind === kind);
      if (!held) return;
      await new Promise<void>((resolve) => held.waiting.push(resolve));
    }
  }
}
