import type { WatchEvent, WatchOptions } from '../client/cluster.js';
import type { Clock } from '../kube/clock.js';
import { Balancer } from './balancer.js';
import { type Call, type CallMatch, kindName, matches, showMatch } from './call.js';
import type { CallObserver, Fate, Faults, Leg, Refusal } from './faults.js';
import { lost } from './refusal.js';
import { type Connections, type CutOff, type Hang, UnwellServer } from './unwell-server.js';

interface Planned {
  readonly match: CallMatch;
  readonly fate: Fate;
  left: number;
}

/** How what a watch says is kept from its reader. */
interface Held {
  /** Absent: every kind. */
  readonly kind?: string;
  readonly waiting: (() => void)[];
}

/** Faults, and what becomes by them of each call that is made and each event that arrives. */
export class PlannedFaults implements Faults {
  #planned: Planned[] = [];
  readonly #held = new Set<Held>();
  readonly #watches = new Map<AbortController, Call>();
  readonly #balancer = new Balancer();
  readonly #silent = new WeakSet<AbortController>();
  readonly #partitions = new Set<object>();
  readonly #lags = new Set<{ readonly kind: string; readonly version: string }>();
  /** Of kinds that are not served, what becomes of each call. */
  readonly #unserved = new Set<{ readonly kind: string }>();
  readonly #observers = new Set<CallObserver>();
  readonly #slow = new Set<{ readonly latency: (call: Call, leg: Leg) => number }>();

  constructor(
    private readonly now: () => string,
    private readonly network: Clock,
  ) {}

  refuse(match: CallMatch, { code, retryAfterSeconds, times = 1 }: Refusal): void {
    const after = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
    this.#plan(match, { type: 'refuse', code, ...after }, times);
  }

  loseAnswer(match: CallMatch, times = 1): void {
    this.#plan(match, { type: 'lose', when: 'after' }, times);
  }

  loseCall(match: CallMatch, times = 1): void {
    this.#plan(match, { type: 'lose', when: 'before' }, times);
  }

  delay(match: CallMatch, seconds: number, times = 1): void {
    this.#plan(match, { type: 'delay', seconds }, times);
  }

  crashBefore(match: CallMatch): void {
    this.#plan(match, { type: 'crash', when: 'before' }, 1);
  }

  crashAfter(match: CallMatch): void {
    this.#plan(match, { type: 'crash', when: 'after' }, 1);
  }

  holdWatch(kind: string | { readonly kind: string }): () => void {
    return this.#hold({ kind: kindName(kind), waiting: [] });
  }

  partition(): () => void {
    const partition = {};
    this.#partitions.add(partition);
    const letGo = this.#hold({ waiting: [] });
    return () => {
      this.#partitions.delete(partition);
      letGo();
    };
  }

  breakWatch(kind: string | { readonly kind: string }): void {
    const name = kindName(kind);
    for (const [controller, watched] of this.#watches) if (watched.kind === name) controller.abort();
  }

  silenceWatch(kind: string | { readonly kind: string }): void {
    const name = kindName(kind);
    for (const [controller, watched] of this.#watches) if (watched.kind === name) this.#silent.add(controller);
  }

  goBack(kind: string | { readonly kind: string }): () => void {
    const lag = { kind: kindName(kind), version: this.now() };
    this.#lags.add(lag);
    return () => this.#lags.delete(lag);
  }

  unserve(kind: string | { readonly kind: string }): () => void {
    const absence = { kind: kindName(kind) };
    this.#unserved.add(absence);
    this.breakWatch(absence.kind);
    return () => this.#unserved.delete(absence);
  }

  cutOffServer(how: CutOff = {}): () => void {
    return this.#sicken(new UnwellServer({ ...how, version: this.now(), network: this.network }));
  }

  lagServer(lagSeconds: number, connections: Connections = {}): () => void {
    return this.#sicken(new UnwellServer({ ...connections, lagSeconds, version: this.now(), network: this.network }));
  }

  hangServer(how: Hang = {}): () => void {
    return this.#sicken(new UnwellServer({ ...how, hangs: true, version: this.now(), network: this.network }));
  }

  slowDown(latency: (call: Call, leg: Leg) => number): () => void {
    const stretch = { latency };
    this.#slow.add(stretch);
    return () => this.#slow.delete(stretch);
  }

  observe(observer: CallObserver): () => void {
    this.#observers.add(observer);
    return () => this.#observers.delete(observer);
  }

  clear(): void {
    this.#planned = [];
    this.#lags.clear();
    this.#unserved.clear();
    this.#slow.clear();
    this.#partitions.clear();
    for (const held of [...this.#held]) this.#release(held);
    this.#balancer.clear();
  }

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
    // Of several that overlap the last.
    const latency = [...this.#slow].at(-1)?.latency(call, leg) ?? 0;
    return leg === 'there' ? latency + this.#balancer.waitOf(call) : latency;
  }

  /** The version in the past at which a kind is shown, if it is. */
  lagOf(kind: string): string | undefined {
    // Of several that overlap the last.
    return [...this.#lags].findLast((lag) => lag.kind === kind)?.version;
  }

  /** The API server that a watch meets which is about to begin; undefined of the one that is well. */
  meets(watch: Call): UnwellServer | undefined {
    return this.#balancer.meets(watch);
  }

  /** The events of a watch, as far as they come through. What is held keeps no reader who gives up. */
  async *watch(
    call: Call,
    events: AsyncIterable<WatchEvent>,
    { signal, resourceVersion: from, sendInitialEvents = false }: WatchOptions = {},
    server?: UnwellServer,
  ): AsyncGenerator<WatchEvent> {
    const broken = new AbortController();
    this.#watches.set(broken, call);
    this.#balancer.opened(broken, server);
    let giveUp = () => {};
    const reset = new Promise<never>((_, reject) => {
      broken.signal.addEventListener('abort', () => reject(lost(call)), { once: true });
      giveUp = () => reject(signal?.reason as Error);
    });
    reset.catch(() => {});
    signal?.addEventListener('abort', giveUp, { once: true });
    const reader = events[Symbol.asyncIterator]();
    const comesThrough = () => (this.#silent.has(broken) ? reset : this.#released(call.kind));
    let ahead: Promise<IteratorResult<WatchEvent>> | undefined;
    try {
      for (;;) {
        const next = await Promise.race([ahead ?? reader.next(), reset]);
        ahead = undefined;
        if (this.#silent.has(broken)) await reset;
        if (next.done) return;
        const unwell = this.#balancer.serverOf(broken);
        if (unwell) {
          const passage = { reader, from, isListing: unwell === server && sendInitialEvents, reset, comesThrough };
          ({ ahead } = yield* unwell.through(next.value, passage));
          continue;
        }
        await Promise.race([this.#released(call.kind), reset]);
        yield next.value;
      }
    } finally {
      this.#watches.delete(broken);
      this.#balancer.closed(broken);
      signal?.removeEventListener('abort', giveUp);
      void reader.return?.();
    }
  }

  #fateOf(call: Call): Fate | undefined {
    if (this.#partitions.size > 0) return { type: 'lose', when: 'before' };
    for (const { kind } of this.#unserved) if (kind === call.kind) return { type: 'unserve' };
    const planned = this.#planned.find(({ match }) => matches(match, call));
    if (!planned) return this.#balancer.fateOf(call);
    planned.left -= 1;
    if (planned.left === 0) this.#planned = this.#planned.filter((each) => each !== planned);
    return planned.fate;
  }

  #sicken(server: UnwellServer): () => void {
    return this.#balancer.add(server, this.#watches);
  }

  #hold(held: Held): () => void {
    this.#held.add(held);
    return () => this.#release(held);
  }

  #plan(match: CallMatch, fate: Fate, times: number): void {
    if (times >= 1) this.#planned.push({ match, fate, left: times });
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
