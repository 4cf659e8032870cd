import type { Cluster, WatchEvent, WatchOptions } from '../client/cluster.js';
import { responseError } from '../client/response-error.js';
import { tooLarge } from '../embedded/verbs/resource-version.js';
import type { ApiResource } from '../kube/api-resource.js';
import { type Clock, sleep } from '../kube/clock.js';
import type { Call } from './call.js';
import type { Fate } from './faults.js';
import { refusal } from './refusal.js';

/** Which connections of a controller lead to the one of two API servers that is not well. */
export interface Connections {
  /**
   * Asked of each watch that is open, then of each that begins, and of the connection for calls with the first of them: one on which
   * something failed is left, and the next call is asked for anew. Default: the watches that are open lead there, and nothing else.
   */
  readonly leads?: (call: Call) => boolean;
}

/** How an API server fails that hears nothing from etcd. */
export interface CutOff extends Connections {
  /** What it answers. Default: 504. */
  readonly code?: 500 | 504;
  /** How long it waits for etcd before. Default: 0. */
  readonly afterSeconds?: number;
}

/** How an API server hangs. */
export interface Hang extends Connections {
  /** Asked of each call whose sender gave up meanwhile: whether it is carried out even so, once the server goes on. Default: it is. */
  readonly isLate?: (call: Call) => boolean;
}

interface Unwell extends CutOff, Hang {
  /** What it has seen by now. */
  readonly version: string;
  /** How far it is behind. Absent: it sees nothing new. */
  readonly lagSeconds?: number;
  /** It answers nothing at all, and takes up again what it was asked. */
  readonly hangs?: boolean;
  readonly network: Clock;
}

/** The events of one watch, as they arrive. */
export interface Passage {
  readonly reader: AsyncIterator<WatchEvent>;
  /** The version that it began at. */
  readonly from: string | undefined;
  /** It begins with a list, which is whole before anything is late. */
  readonly isListing: boolean;
  /** Rejects when there is nothing more to be heard. */
  readonly reset: Promise<never>;
  /** Resolves when nothing else keeps an event back. */
  comesThrough(): Promise<void>;
}

type Next = IteratorResult<WatchEvent>;

/** What was asked for, and is not told yet. */
interface Ahead {
  readonly ahead: Promise<Next>;
}

/** For so long a server waits to see what etcd has, before it answers a list from etcd, or a stream not at all. */
const mostWaitSeconds = 3;

/**
 * One of two API servers on one etcd, to which connections of a controller may lead: it hears nothing from etcd any more, or hears it
 * late, or hangs. What it does not know it cannot tell; what it knows it tells again and again, unless it hangs.
 *
 * https://github.com/kubernetes/kubernetes/blob/v1.36.3/staging/src/k8s.io/apiserver/pkg/storage/cacher/delegator.go
 */
export class UnwellServer {
  /** By lane, whether its connection leads here. */
  readonly #lanes = new Map<string, boolean>();
  #isOver = false;
  #end = () => {};
  readonly #over: Promise<undefined>;
  #leads: (call: Call) => boolean;

  constructor(private readonly options: Unwell) {
    this.#over = new Promise((resolve) => {
      this.#end = () => resolve(undefined);
    });
    this.#leads = options.leads ?? (({ verb }) => verb === 'watch');
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Whether a watch leads here. */
  leads(watch: Call): boolean {
    return this.#leads(watch);
  }

  /** From now on connections are made. */
  begun(): void {
    if (!this.options.leads) this.#leads = () => false;
  }

  /** From now on it knows all. */
  end(): void {
    this.#isOver = true;
    this.#end();
  }

  /** What becomes of a call that is not a watch, where it leads here and etcd is not to be reached. */
  fateOf(call: Call): Fate | undefined {
    const { lagSeconds, code = 504, afterSeconds = 0, hangs, isLate = () => true } = this.options;
    // A call that hangs has its connection for itself.
    if (hangs) return this.#leads(call) ? { type: 'hang', over: this.#over, isLate: isLate(call) } : undefined;
    if (lagSeconds !== undefined || !this.#isOn(call)) return undefined;
    this.#lanes.delete(laneOf(call));
    return { type: 'cut-off', code, afterSeconds };
  }

  /** How long a list waits here for what is new. */
  waitOf(call: Call): number {
    const { lagSeconds } = this.options;
    return lagSeconds !== undefined && call.verb === 'list' && this.#isOn(call) ? waited(lagSeconds) : 0;
  }

  /** Begins a watch here. */
  async watch(
    call: Call,
    cluster: Cluster,
    resource: ApiResource,
    options: WatchOptions,
  ): Promise<AsyncIterable<WatchEvent>> {
    const { lagSeconds, network, version, code = 504, afterSeconds = 0, hangs } = this.options;
    const begin = () => cluster.watch(resource, options);
    if (hangs) await this.#over;
    if (this.#isOver) return begin();
    if (options.sendInitialEvents) {
      await sleep(network, lagSeconds === undefined ? afterSeconds * 1000 : waited(lagSeconds), options.signal);
      if (lagSeconds === undefined) throw refusal(call, code);
      if (lagSeconds <= mostWaitSeconds) return begin();
      const { status } = tooLarge(Number(version), Number(version));
      throw responseError({ subject: call.kind, verb: call.verb }, status.code, status, undefined);
    }
    const isOfAnyVersion = (options.resourceVersion ?? '') === '' || options.resourceVersion === '0';
    return lagSeconds === undefined && isOfAnyVersion ? this.#pastOf(cluster, resource, options) : begin();
  }

  /**
   * What comes of an open watch, from this event on, until all is well: resolves with what was asked for and is not told yet. What was
   * kept back is lost where the watch ends before.
   */
  async *through(first: WatchEvent, passage: Passage): AsyncGenerator<WatchEvent, Ahead> {
    const { reader, reset, comesThrough } = passage;
    const held: { readonly event: WatchEvent; readonly isDue: Promise<undefined> }[] = [];
    let coming: Promise<Next> = Promise.resolve({ value: first });
    let { isListing } = passage;
    for (;;) {
      const oldest = held[0];
      const next = await Promise.race([coming, oldest?.isDue ?? this.#over, reset]);
      if (next === undefined) {
        if (oldest === undefined) return { ahead: coming };
        held.shift();
        await Promise.race([comesThrough(), reset]);
        yield oldest.event;
        continue;
      }
      if (next.done) return { ahead: coming };
      coming = reader.next();
      // Of what fails while an event is looked at, the next turn hears.
      coming.catch(() => {});
      const event = isListing ? next.value : this.#shown(next.value, passage);
      if (next.value.type === 'BOOKMARK') isListing = false;
      if (event === 'later') held.push({ event: next.value, isDue: this.#due() });
      else if (event !== 'never') {
        await Promise.race([comesThrough(), reset]);
        yield event;
      }
    }
  }

  #shown(event: WatchEvent, { from = '' }: Passage): WatchEvent | 'later' | 'never' {
    const { lagSeconds, version, hangs } = this.options;
    if (lagSeconds !== undefined || hangs || this.#isOver) return 'later';
    if (event.type !== 'BOOKMARK') return isLater(event.object.metadata.resourceVersion, version) ? 'later' : event;
    // One from a version that is still to come hears of no earlier one.
    if (isLater(from, version)) return 'never';
    return isLater(event.resourceVersion, version) ? { ...event, resourceVersion: version } : event;
  }

  #due(): Promise<undefined> {
    const { lagSeconds, network } = this.options;
    if (lagSeconds === undefined) return this.#over;
    return Promise.race([this.#over, sleep(network, lagSeconds * 1000).then(() => undefined)]);
  }

  /** A watch of no version begins with what there is as far as it knows. */
  async *#pastOf(cluster: Cluster, resource: ApiResource, options: WatchOptions): AsyncGenerator<WatchEvent> {
    const { timeoutSeconds: _, partly, allowWatchBookmarks, sendInitialEvents, ...selection } = options;
    const { version: resourceVersion } = this.options;
    const past = await cluster.list(resource, { ...selection, resourceVersion, resourceVersionMatch: 'Exact' });
    for (const object of past.items) yield { type: 'ADDED', object };
    yield* cluster.watch(resource, { ...options, resourceVersion });
  }

  #isOn(call: Call): boolean {
    const lane = laneOf(call);
    const isHere = this.#lanes.get(lane) ?? this.#leads(call);
    this.#lanes.set(lane, isHere);
    return isHere;
  }
}

/** The Lease has a connection of its own. */
function laneOf({ kind }: Call): string {
  return kind === 'Lease' ? 'lease' : 'calls';
}

function waited(lagSeconds: number): number {
  return Math.min(lagSeconds, mostWaitSeconds) * 1000;
}

function isLater(one: string, other: string): boolean {
  return Number(one) > Number(other);
}
