/** Longer than most files: what others ask of an informer, and what its parts tell each other, is one list. */
import type { Cluster, WatchEvent } from '../../client/cluster.js';
import { type ApiResource, groupResourceOf } from '../../kube/api-resource.js';
import type { Clock, Random } from '../../kube/clock.js';
import type { Breather } from '../process/breather.js';
import type { Log } from '../telemetry/log.js';
import type { InformerTelemetry } from '../telemetry/telemetry.js';
import type { Hangs } from './hangs.js';
import { History } from './history.js';
import { ListReader } from './list-reader.js';
import { listSelectionOf } from './list-selection.js';
import { Listeners } from './listeners.js';
import { NewestVersion } from './newest-version.js';
import type { Outage } from './outage.js';
import { Presence } from './presence.js';
import { Recovery } from './recovery.js';
import { Setbacks } from './setbacks.js';
import type { Room, Shelf } from './shelf.js';
import { SignsOfLife } from './signs-of-life.js';
import { type Change, Store } from './store.js';
import { WatchFollower } from './watch-follower.js';
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
  readonly telemetry?: InformerTelemetry;
  /** Hears why it cannot list or watch, each time before it tries again. */
  readonly failed?: (error: Error) => void;
  /** How many objects are at hand, and not packed. Default: of a shelf. */
  readonly room?: Room | undefined;
  /** Gives everything else its turn while a store is filled. Default: it is filled in one go. */
  readonly breather?: Pick<Breather, 'turn'> | undefined;
  /** What the informers of one API server have in common. Default: this one waits by itself. */
  readonly outage?: Outage | undefined;
  /** The same. Default: nothing is known of others. */
  readonly newest?: NewestVersion | undefined;
  /** Where one answers nothing, watches may lead there as well. Default: nothing is known of it. */
  readonly hangs?: Hangs | undefined;
}

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
  readonly #changes: Listeners<[Change]>;
  readonly #relisted: Listeners;
  readonly #served: Listeners;
  readonly #historyLost: Listeners;
  readonly #endedEarly: Listeners;
  readonly #failures: Listeners<[Error]>;
  readonly #setbacks: Setbacks;
  readonly #signs: SignsOfLife;
  readonly #watches: WatchFollower;
  readonly #lists: ListReader;
  readonly #log: Log;
  readonly #history: History;
  readonly #presence: Presence;
  readonly #recovery: Recovery;

  constructor(private readonly options: InformerOptions) {
    const { cluster, resource, clock, random, room, outage } = options;
    this.store = new Store(room);
    const log = options.log.child({ resource: groupResourceOf(resource), namespace: options.namespace });
    this.#log = log;
    this.#changes = new Listeners(log);
    this.#relisted = new Listeners(log);
    this.#served = new Listeners(log);
    this.#historyLost = new Listeners(log);
    this.#endedEarly = new Listeners(log);
    this.#failures = new Listeners(log);
    this.#presence = new Presence(this.#served);
    if (options.failed) this.#failures.add(options.failed);
    const selection = listSelectionOf(options);
    this.#history = new History({
      cluster,
      resource,
      selection,
      store: this.store,
      newest: options.newest ?? new NewestVersion(),
    });
    const backOff = { firstSeconds: 0.8, mostSeconds: 30, jitter: 1, random };
    this.#setbacks = new Setbacks({ clock, random, log, backOff, outage });
    this.#signs = new SignsOfLife(clock);
    const watchTime = new WatchTime(random);
    this.#watches = new WatchFollower({
      cluster,
      resource,
      selection,
      clock,
      watchTime,
      signs: this.#signs,
      isNews: (event) => event.type !== 'BOOKMARK' || this.#history.isBookmarkNews(event.resourceVersion),
      isOwed: () => this.#history.isOwed,
      isBehind: (signal) => this.#history.isBehind(signal),
      doubtful: () => this.#history.doubt(),
      endedEarly: () => this.#endedEarly.tell(),
      outlasted: () => this.#setbacks.notInVain(),
    });
    this.#lists = new ListReader({
      cluster,
      resource,
      selection,
      clock,
      log,
      watches: this.#watches,
      watchTime,
      room,
      signs: this.#signs,
      isPast: (resourceVersion) => this.#history.isPast(resourceVersion),
      listed: (listed, resourceVersion, signal) => this.#replace(listed, resourceVersion, signal),
      doubtful: () => this.#history.doubt(),
      handle: (event, isNews) => this.#handle(event, isNews),
    });
    options.hangs?.subscribe((since) => {
      // A list takes as long as it takes.
      if (this.#history.from !== undefined) this.#watches.suspects(since);
    });
    this.#recovery = new Recovery({
      resource,
      clock,
      log,
      telemetry: options.telemetry,
      backOff,
      history: this.#history,
      lists: this.#lists,
      presence: this.#presence,
      setbacks: this.#setbacks,
      signs: this.#signs,
      failures: this.#failures,
      endedEarly: this.#endedEarly,
    });
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
    if (this.#history.isOwed) this.#watches.owes();
  }

  /** The API server has something later of this kind than the store had, as by a conflict. */
  missed(): void {
    this.#history.missed();
    this.#watches.owes();
  }

  /** True once the store has held a complete list. */
  get isSynced(): boolean {
    return this.#presence.isSynced;
  }

  /** False while the API server does not know the kind. */
  get isServed(): boolean {
    return this.#presence.isServed;
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
    return this.#signs.silentMilliseconds;
  }

  /** Milliseconds since the API server last showed how things are, by a list or on the watch; a refusal shows nothing. */
  get staleMilliseconds(): number {
    return this.#signs.staleMilliseconds;
  }

  /** Calls `listener` for each change from now on, until the returned function is called. */
  subscribe(listener: (change: Change) => void): () => void {
    return this.#changes.add(listener);
  }

  /** Calls `listener` when the API server begins or ceases to serve the kind. */
  subscribeServed(listener: () => void): void {
    this.#served.add(listener);
  }

  /**
   * Calls `listener` when the API server is seen to know less than it did: then versions are given out again, and what was
   * learnt by them says nothing any more. The store follows by a list of all that there is.
   */
  onHistoryLost(listener: () => void): void {
    this.#historyLost.add(listener);
  }

  /**
   * Calls `listener` when the API server ends a watch before its time. It does so when it is about to end, and a moment after
   * it was given another definition of the kind: by that alone one who may not read definitions hears of it. A watch that says
   * nothing more may have ended so, too.
   *
   * https://github.com/kubernetes/kubernetes/blob/v1.36.3/staging/src/k8s.io/apiextensions-apiserver/pkg/apiserver/customresource_handler.go
   */
  onEndedEarly(listener: () => void): void {
    this.#endedEarly.add(listener);
  }

  /** Calls `listener` after each list but the first. What came and went between two lists is not among the changes. */
  onRelisted(listener: () => void): void {
    this.#relisted.add(listener);
  }

  /** Resolves once the store has held a complete list. */
  synced(): Promise<void> {
    return this.#presence.synced();
  }

  /** Resolves once the store has held a complete list, or the API server has said that it does not serve the kind. */
  answered(): Promise<void> {
    return this.#presence.answered();
  }

  /** Lists and watches until `signal` aborts. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        if (this.#history.isUncertain) await this.#stir(signal);
        const resourceVersion = this.#history.from;
        if (resourceVersion !== undefined)
          await this.#watches.follow({ resourceVersion }, signal, (event, isNews) => this.#handle(event, isNews));
        else await this.#lists.read(signal);
      } catch (error) {
        if (signal.aborted) return;
        const wait = this.#recovery.after(error);
        if (wait > 0) await this.#setbacks.pause(wait, error, signal).catch(() => {});
      }
    }
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
    this.#historyLost.tell();
  }

  #handle(event: WatchEvent, isNews: boolean): void {
    this.#recovery.watched();
    this.#isAt(event.type === 'BOOKMARK' ? event.resourceVersion : event.object.metadata.resourceVersion, isNews);
    this.options.telemetry?.heard();
    if (event.type === 'BOOKMARK') return;
    const { object } = event;
    this.#tell(event.type === 'DELETED' ? this.store.remove(object) : this.store.put(object));
  }

  async #replace(listed: Shelf, resourceVersion: string, signal: AbortSignal): Promise<void> {
    this.#history.refusePast(resourceVersion);
    const { isSynced } = this.#presence;
    if (!isSynced) await this.#fill(listed, signal);
    const { isMute } = this.#signs;
    this.#isAt(resourceVersion);
    this.#recovery.listed();
    this.options.telemetry?.listed();
    if (isSynced) {
      let changes = 0;
      this.store.replace(
        listed,
        (change) => {
          changes++;
          this.#tell([change]);
        },
        this.#history.isAnother,
      );
      if (isMute && changes > 0) this.#log.warn('The watch had not shown what changed', { missed: changes });
      this.#relisted.tell();
    }
    this.#history.followed();
    this.#presence.listed();
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

  /** The server showed a version: it is alive, and this is where to go on from. */
  #isAt(resourceVersion: string, isNews = true): void {
    this.#history.reached(resourceVersion);
    if (isNews) this.#signs.shown();
    else this.#signs.seen();
    this.#recovery.shown();
  }

  #tell(changes: readonly Change[]): void {
    for (const change of changes) this.#changes.tell(change);
  }
}
