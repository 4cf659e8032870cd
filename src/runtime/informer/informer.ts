/** Longer than most files: one state machine. How a watch is followed, what failed, how new the server is, and pages have files of their own. */
import { GoneError, InvalidError, isAnswer, NotFoundError, UnauthorizedError } from '../../client/api-error.js';
import type { Cluster, ListOptions, ObjectList, WatchEvent } from '../../client/cluster.js';
import { PageSize } from '../../client/page-size.js';
import { type ApiResource, groupResourceOf } from '../../kube/api-resource.js';
import type { Clock, Random } from '../../kube/clock.js';
import { asError } from '../../kube/errors.js';
import { firstAbort } from '../../kube/first-abort.js';
import type { KubeObject } from '../../kube/manifest.js';
import type { Breather } from '../process/breather.js';
import { BackOff } from '../queue/back-off.js';
import { type Log, wordsOfError } from '../telemetry/log.js';
import type { InformerTelemetry } from '../telemetry/telemetry.js';
import { History } from './history.js';
import { ListGuard } from './list-guard.js';
import type { Outage } from './outage.js';
import { ExpiredListError, pagedList } from './paged-list.js';
import { Setbacks } from './setbacks.js';
import { type Room, Shelf, shelfKey } from './shelf.js';
import { SilenceError } from './silence-guard.js';
import { type Change, compareVersions, latest, Store } from './store.js';
import { silenceSeconds, WatchFollower } from './watch-follower.js';
import { WatchTime } from './watch-time.js';

export interface InformerOptions {
  readonly cluster: Cluster;
  readonly resource: ApiResource;
  /** Absent: all namespaces. */
  readonly namespace?: string | undefined;
  readonly labelSelector?: string;
  /** Such as `metadata.name=one`, for who may read no other. */
  readonly fieldSelector?: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** What of an object is kept in memory. Default: all of it. */
  readonly keep?: (object: KubeObject) => KubeObject;
  readonly telemetry?: InformerTelemetry;
  /** Hears why it cannot list or watch, each time before it tries again. */
  readonly failed?: (error: Error) => void;
  /** How many objects are at hand, and not packed. Default: of a shelf. */
  readonly room?: Room | undefined;
  /** Gives everything else its turn while a store is filled. Default: it is filled in one go. */
  readonly breather?: Pick<Breather, 'turn'> | undefined;
  /** What the informers of one API server have in common. Default: this one waits by itself. */
  readonly outage?: Outage | undefined;
}

/** How long nothing more may come of a streaming list that is not complete; old servers and some proxies never say that it is. */
const initialSeconds = 60;
/** How often in a row a server may refuse to go on from a version, for which a new list may well be an end. */
const mostRefused = 5;

/**
 * Keeps a store of one kind true to the API server, whatever becomes of connections.
 *
 * **Guarantees.** The store is replaced only by complete lists: one that failed never looks like deletions. A watch
 * resumes where it was; only a version that the server no longer knows, or refuses again and again, leads to a new list. The store never goes back in
 * time, unless the API server itself has, as when its etcd was restored from a backup. A watch is dead unless it shows life,
 * for which a quiet server is asked. Whatever the server answers, it is asked again after a growing wait. Every listener hears
 * every change once, and what one throws is logged and stops nothing.
 *
 * **Assumes** that listeners do not change the objects they are handed.
 */
export class Informer {
  readonly store: Store;
  readonly #listeners = new Set<(change: Change) => void>();
  readonly #relisted = new Set<() => void>();
  readonly #servedListeners = new Set<() => void>();
  readonly #historyListeners = new Set<() => void>();
  readonly #endedListeners = new Set<() => void>();
  readonly #setbacks: Setbacks;
  readonly #watches: WatchFollower;
  /** Between lists that were no good because the next watch said again that their version is gone. */
  readonly #relists: BackOff;
  readonly #log: Log;
  readonly #absences: BackOff;
  readonly #watchTime: WatchTime;
  readonly #waiting: (() => void)[] = [];
  readonly #asking: (() => void)[] = [];
  readonly #history: History;
  #isGone = false;
  /** The last watch said nothing, and nothing has been heard since. */
  #isDoubtful = false;
  #isSynced = false;
  #isServed = true;
  /** How often in a row the server answered that it cannot go on from where the store is. */
  #refusals = 0;
  /** The API server streams lists, as far as is known. */
  #canStream = true;
  /** The next list is asked for in pages. */
  #isPaged = false;
  readonly #pageSize: PageSize;
  #seenAt: number;
  #heardAt: number;

  constructor(private readonly options: InformerOptions) {
    this.store = new Store(options.room);
    const { cluster, resource, clock, random, outage } = options;
    this.#history = new History({ cluster, resource, selection: this.#selection, store: this.store });
    const backOff = { firstSeconds: 0.8, mostSeconds: 30, jitter: 1, random };
    this.#relists = new BackOff(backOff);
    this.#absences = new BackOff({ ...backOff, mostSeconds: 10 });
    this.#watchTime = new WatchTime(random);
    this.#log = options.log.child({ resource: groupResourceOf(resource), namespace: options.namespace });
    this.#setbacks = new Setbacks({ clock, random, log: this.#log, backOff, outage });
    this.#watches = new WatchFollower({
      cluster,
      resource,
      selection: this.#selection,
      clock,
      watchTime: this.#watchTime,
      alive: () => {
        this.#seenAt = clock.monotonic();
      },
      doubtful: () => this.#history.doubt(),
      endedEarly: () => {
        for (const listener of this.#endedListeners) this.#unharmed(listener);
      },
      outlasted: () => this.#setbacks.notInVain(),
    });
    this.#pageSize = new PageSize({
      clock,
      shrank: (limit, error) =>
        this.#log.warn('Listing in smaller pages, since one took too long', { limit, ...wordsOfError(error) }),
    });
    this.#seenAt = clock.monotonic();
    this.#heardAt = this.#seenAt;
  }

  get resource(): ApiResource {
    return this.options.resource;
  }

  /** Undefined: all namespaces. */
  get namespace(): string | undefined {
    return this.options.namespace;
  }

  /** The version that the store is as new as; empty before the first list. */
  get version(): string {
    return this.#history.from ?? '';
  }

  /** How often the store has followed where the API server had lost what it had: versions of before say nothing any more. */
  get histories(): number {
    return this.#history.losses;
  }

  /** A write was answered with this version. */
  wrote(version: string): void {
    this.#history.wrote(version);
  }

  /** True once the store has held a complete list. */
  get isSynced(): boolean {
    return this.#isSynced;
  }

  /** False while the API server does not know the kind. */
  get isServed(): boolean {
    return this.#isServed;
  }

  /** True from when the API server said that we may not look until it shows us something. */
  get isRefused(): boolean {
    return this.#setbacks.isRefused;
  }

  /** What failed last, until the API server shows something again. */
  get trouble(): Error | undefined {
    return this.#setbacks.trouble;
  }

  /** Milliseconds since the API server last gave a sign of life on this watch. */
  get silentMilliseconds(): number {
    return this.options.clock.monotonic() - this.#seenAt;
  }

  /** Milliseconds since the API server last showed how things are, by a list or on the watch; a refusal shows nothing. */
  get staleMilliseconds(): number {
    return this.options.clock.monotonic() - this.#heardAt;
  }

  /** Calls `listener` for each change from now on, until the returned function is called. */
  subscribe(listener: (change: Change) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Calls `listener` when the API server begins or ceases to serve the kind. */
  subscribeServed(listener: () => void): void {
    this.#servedListeners.add(listener);
  }

  /**
   * Calls `listener` when the API server is seen to know less than it did: then versions are given out again, and what was
   * learnt by them says nothing any more. The store follows by a list of all that there is.
   */
  onHistoryLost(listener: () => void): void {
    this.#historyListeners.add(listener);
  }

  /**
   * Calls `listener` when the API server ends a watch before its time. It does so when it is about to end, and a moment after
   * it was given another definition of the kind: by that alone one who may not read definitions hears of it.
   *
   * https://github.com/kubernetes/kubernetes/blob/v1.36.3/staging/src/k8s.io/apiextensions-apiserver/pkg/apiserver/customresource_handler.go
   */
  onEndedEarly(listener: () => void): void {
    this.#endedListeners.add(listener);
  }

  /** Calls `listener` after each list but the first. What came and went between two lists is not among the changes. */
  onRelisted(listener: () => void): void {
    this.#relisted.add(listener);
  }

  /** Resolves once the store has held a complete list. */
  synced(): Promise<void> {
    return this.#isSynced ? Promise.resolve() : new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Resolves once the store has held a complete list, or the API server has said that it does not serve the kind. */
  answered(): Promise<void> {
    return this.#isSynced || !this.#isServed ? Promise.resolve() : new Promise((resolve) => this.#asking.push(resolve));
  }

  /** Lists and watches until `signal` aborts. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        if (this.#history.isUncertain) await this.#stir(signal);
        const resourceVersion = this.#history.from;
        if (resourceVersion !== undefined)
          await this.#watches.follow({ resourceVersion }, signal, (event) => this.#handle(event));
        else if (this.#isPaged) await this.#pageList(signal);
        else await this.#streamList(signal);
      } catch (error) {
        if (signal.aborted) return;
        const wait = this.#afterFailure(error);
        if (wait > 0) await this.#setbacks.pause(wait, error, signal).catch(() => {});
      }
    }
  }

  /** What a failure means for the next step, and how many milliseconds to wait before it. */
  #afterFailure(error: unknown): number {
    // Whatever was answered is a sign of life, a refusal and a 503 as well: a process that starts anew would hear the same.
    if (isAnswer(error)) this.#seenAt = this.options.clock.monotonic();
    // And whoever is known again hears so by the answer to a question: a watch of a quiet kind says nothing for a minute.
    if (!isAnswer(error) || error instanceof UnauthorizedError) this.#history.doubt();
    const { telemetry } = this.options;
    if (error instanceof GoneError) {
      this.#history.trust();
      telemetry?.restarted('gone');
      this.#log.info('Listing anew, since the watched version is gone');
      this.#history.relist();
      const wait = this.#isGone ? this.#relists.next() : 0;
      this.#isGone = true;
      return wait;
    }
    if (error instanceof SilenceError && this.#history.from !== undefined && !this.#isDoubtful) {
      telemetry?.restarted('silent');
      this.#log.debug('Watching anew, since nothing was heard', { seconds: silenceSeconds });
      this.#isDoubtful = true;
      return 0;
    }
    if (error instanceof InvalidError && !this.#isPaged && this.#history.from === undefined) {
      telemetry?.restarted('not-streamed');
      this.#log.debug('The API server does not stream lists, so they are paged');
      this.#canStream = false;
      this.#isPaged = true;
      return 0;
    }
    this.#unharmed(() => this.options.failed?.(asError(error)));
    if (error instanceof NotFoundError) {
      telemetry?.restarted('not-served');
      if (this.#isServed) this.#log.warn('The API server does not serve this kind; waiting for it');
      this.#history.relist();
      this.#serves(false);
      return this.#absences.next();
    }
    if (isOfVersion(error) && ++this.#refusals >= mostRefused) this.#history.relist();
    telemetry?.restarted('failed');
    return this.#setbacks.failed(error);
  }

  /**
   * The content of the store and what comes after, in one stream: https://kep.k8s.io/3157
   *
   * It may take as long as more of it keeps coming: where a list in pages takes longer than the server keeps its snapshot, no other
   * list comes to an end. News comes in the order of versions, so an object of an earlier version than one before is of the list.
   */
  async #streamList(signal: AbortSignal): Promise<void> {
    const { clock, room } = this.options;
    let initial = new Shelf(room);
    let newest = '';
    const guard = new ListGuard({
      clock,
      seconds: initialSeconds,
      slow: (grewAt) => {
        this.#seenAt = grewAt;
      },
      stalled: () => {
        this.#log.warn('The API server has not completed its list, so it is paged', { seconds: initialSeconds });
        this.#isPaged = true;
      },
    });
    const either = firstAbort(signal, guard.signal);
    try {
      await this.#watches.follow(
        { sendInitialEvents: true, resourceVersion: '' },
        either.signal,
        (event) => {
          if (guard.isComplete) return this.#handle(event);
          if (event.type !== 'BOOKMARK') {
            const { resourceVersion } = event.object.metadata;
            if (newest === '' || compareVersions(resourceVersion, newest) < 0) guard.grew();
            newest = latest(newest, resourceVersion);
            if (event.type === 'DELETED') initial.delete(shelfKey(event.object));
            else initial.put(this.#kept(event.object));
          } else if (event.initialEventsEnd) {
            guard.completed(this.#watchTime.spread());
            const listed = initial;
            initial = new Shelf(room);
            return this.#replace(listed, event.resourceVersion, signal);
          }
        },
        () => guard.grew(),
      );
      if (!guard.isComplete) throw new Error('the stream ended before the list was complete');
    } catch (error) {
      if (guard.signal.aborted && !signal.aborted) return;
      // As client-go does: a server cuts off who does not keep up with what changes meanwhile.
      if (guard.isLate) this.#isPaged = true;
      throw error;
    } finally {
      guard.stop();
      either.letGo();
    }
  }

  get #selection(): Pick<ListOptions, 'namespace' | 'labelSelector' | 'fieldSelector'> {
    const { namespace, labelSelector, fieldSelector } = this.options;
    return {
      ...(namespace === undefined ? {} : { namespace }),
      ...(labelSelector === undefined ? {} : { labelSelector }),
      ...(fieldSelector === undefined ? {} : { fieldSelector }),
    };
  }

  async #pageList(signal: AbortSignal): Promise<void> {
    const { cluster, resource, clock, room } = this.options;
    const listed = new Shelf(room);
    const options = { cluster, resource, clock, selection: this.#selection, pageSize: this.#pageSize };
    const take = (page: ObjectList) => {
      // Many pages take long, and each is a sign of life; those of the past are none.
      if (!this.#history.isPast(page.resourceVersion)) this.#seenAt = clock.monotonic();
      for (const object of page.items) listed.put(this.#kept(object));
    };
    const resourceVersion = await pagedList(options, take, signal).catch((error: unknown) => {
      // A stream does not expire.
      if (error instanceof ExpiredListError) this.#isPaged = !this.#canStream;
      throw error;
    });
    await this.#replace(listed, resourceVersion, signal);
  }

  /** Lists anew where the server has not what it had. And to be asked makes it tell how new it is, however quiet the kind is. */
  async #stir(signal: AbortSignal): Promise<void> {
    const resourceVersion = await this.#history.ask(signal);
    this.#setbacks.answered();
    if (resourceVersion !== undefined) this.#loseHistory(resourceVersion);
  }

  #loseHistory(resourceVersion: string): void {
    this.#log.warn('Listing anew, since the API server has not what it had, as after a restore', {
      resourceVersion,
      before: this.#history.newest,
    });
    this.options.telemetry?.restarted('history-lost');
    this.#history.lose();
    for (const listener of this.#historyListeners) listener();
  }

  #handle(event: WatchEvent): void {
    this.#isGone = false;
    this.#relists.reset();
    this.#isAt(event.type === 'BOOKMARK' ? event.resourceVersion : event.object.metadata.resourceVersion);
    this.options.telemetry?.heard();
    if (event.type === 'BOOKMARK') return;
    const object = this.#kept(event.object);
    this.#tell(event.type === 'DELETED' ? this.store.remove(object) : this.store.put(object));
  }

  async #replace(listed: Shelf, resourceVersion: string, signal: AbortSignal): Promise<void> {
    this.#history.refusePast(resourceVersion);
    if (!this.#isSynced) await this.#fill(listed, signal);
    this.#isAt(resourceVersion);
    if (!this.#isServed) this.#log.info('The API server serves this kind now');
    this.#absences.reset();
    this.options.telemetry?.listed();
    if (this.#isSynced) {
      this.store.replace(listed, (change) => this.#tell([change]), this.#history.isAnother);
      for (const listener of this.#relisted) listener();
    }
    this.#history.followed();
    this.#isSynced = true;
    for (const resolve of this.#waiting.splice(0)) resolve();
    this.#serves(true);
  }

  /** The first list, at which nobody looks before it is whole. A hundred thousand objects would be one moment of several seconds. */
  async #fill(listed: Shelf, signal: AbortSignal): Promise<void> {
    for (const changes of this.store.fill(listed)) {
      this.#tell(changes);
      const others = this.options.breather?.turn();
      if (others === undefined) continue;
      await others;
      signal.throwIfAborted();
    }
  }

  #serves(isServed: boolean): void {
    const isNews = this.#isServed !== isServed;
    this.#isServed = isServed;
    for (const resolve of this.#asking.splice(0)) resolve();
    if (isNews) for (const listener of this.#servedListeners) listener();
  }

  /** The server showed a version: it is alive, and this is where to go on from. */
  #isAt(resourceVersion: string): void {
    this.#history.reached(resourceVersion);
    this.#seenAt = this.options.clock.monotonic();
    this.#heardAt = this.#seenAt;
    this.#isDoubtful = false;
    this.#refusals = 0;
    this.#setbacks.over();
  }

  #tell(changes: readonly Change[]): void {
    for (const change of changes) {
      for (const listener of this.#listeners) this.#unharmed(() => listener(change));
    }
  }

  /** Whatever somebody else's code throws. */
  #unharmed(tell: () => void): void {
    try {
      tell();
    } catch (error) {
      this.#log.error('Failed to tell a listener', { error });
    }
  }

  #kept(object: KubeObject): KubeObject {
    return this.options.keep ? this.options.keep(object) : object;
  }
}

/**
 * True of an answer that may be about the very version: not every one that is lost is told by 410, as where etcd has what is of
 * before no more, `etcd event received with PrevKv=nil`. Others say nothing of it: who may not watch, or is to wait.
 */
function isOfVersion(error: unknown): boolean {
  return error instanceof InvalidError || (isAnswer(error) && error.status?.code === 500);
}
