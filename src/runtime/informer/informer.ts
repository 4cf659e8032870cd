/** Longer than most files: one state machine. How lists are read and watches followed, what failed, how new the server is and when it was last there have files of their own. */
import { GoneError, InvalidError, isAnswer, NotFoundError, UnauthorizedError } from '../../client/api-error.js';
import type { Cluster, WatchEvent } from '../../client/cluster.js';
import { type ApiResource, groupResourceOf, versionOf } from '../../kube/api-resource.js';
import type { Clock, Random } from '../../kube/clock.js';
import { asError } from '../../kube/errors.js';
import type { Breather } from '../process/breather.js';
import { BackOff } from '../queue/back-off.js';
import type { Log } from '../telemetry/log.js';
import type { InformerTelemetry } from '../telemetry/telemetry.js';
import { ToldTrouble } from '../telemetry/told-trouble.js';
import { History } from './history.js';
import { ListReader } from './list-reader.js';
import { listSelectionOf } from './list-selection.js';
import { Listeners } from './listeners.js';
import { NewestVersion } from './newest-version.js';
import type { Outage } from './outage.js';
import { Setbacks } from './setbacks.js';
import type { Room, Shelf } from './shelf.js';
import { SignsOfLife } from './signs-of-life.js';
import { SilenceError } from './silence-guard.js';
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
}

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
  /** Between lists that were no good because the next watch said again that their version is gone. */
  readonly #relists: BackOff;
  /** That it is gone, whatever version it is. */
  readonly #toldGone: ToldTrouble;
  readonly #log: Log;
  readonly #absences: BackOff;
  readonly #waiting: (() => void)[] = [];
  readonly #asking: (() => void)[] = [];
  readonly #history: History;
  /** The API server said that the version is gone, and has shown nothing since. */
  #isGone = false;
  #isSynced = false;
  #isServed = true;
  /** How often in a row the server answered that it cannot go on from where the store is. */
  #refusals = 0;

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
    this.#relists = new BackOff(backOff);
    this.#toldGone = new ToldTrouble(clock);
    this.#absences = new BackOff({ ...backOff, mostSeconds: 10 });
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
      isNews: (event) => event.type !== 'BOOKMARK' || this.#isNews(event.resourceVersion),
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
      handle: (event) => this.#handle(event),
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
        else await this.#lists.read(signal);
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
    if (isAnswer(error)) this.#signs.seen();
    // And whoever is known again hears so by the answer to a question: a watch of a quiet kind says nothing for a minute.
    if (!isAnswer(error) || error instanceof UnauthorizedError) this.#history.doubt();
    const { telemetry, resource } = this.options;
    if (error instanceof GoneError) {
      this.#history.trust();
      telemetry?.restarted('gone');
      const level = this.#toldGone.failed(error) ? 'info' : 'debug';
      this.#log[level]('Listing anew, since the watched version is gone');
      this.#history.relist();
      const wait = this.#isGone ? this.#relists.next() : 0;
      this.#isGone = true;
      return wait;
    }
    if (error instanceof SilenceError && this.#history.from !== undefined) {
      telemetry?.restarted('silent');
      this.#afterSilence(error.seconds);
      this.#endedEarly.tell();
      return 0;
    }
    if (this.#history.from === undefined && this.#lists.isNotStreamed(error)) {
      telemetry?.restarted('not-streamed');
      this.#log.debug('The API server does not stream lists, so they are paged');
      return 0;
    }
    this.#failures.tell(asError(error));
    if (error instanceof NotFoundError) {
      telemetry?.restarted('not-served');
      if (this.#isServed)
        this.#log.warn('The API server does not serve this kind; waiting for it', {
          version: versionOf(resource.apiVersion),
        });
      this.#history.relist();
      this.#serves(false);
      return this.#absences.next();
    }
    if (isOfVersion(error) && ++this.#refusals >= mostRefused) this.#history.relist();
    telemetry?.restarted('failed');
    return this.#setbacks.failed(error);
  }

  /**
   * Nothing was heard. The server is asked how new it is, which makes most of them send a bookmark. One before 1.31 it does not, nor
   * one with an etcd that cannot be asked: there only a list of all shows that nothing was missed.
   *
   * https://github.com/kubernetes/enhancements/tree/master/keps/sig-api-machinery/2340-Consistent-reads-from-cache
   */
  #afterSilence(silence: number): void {
    const seconds = this.#signs.silent(silence);
    if (this.#signs.isMute) {
      this.#log.debug('Listing anew, since nothing was heard', { seconds });
      this.#history.trust();
      this.#history.relist();
    } else this.#log.debug('Watching anew, since nothing was heard', { seconds });
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

  #handle(event: WatchEvent): void {
    if (this.#isGone) this.#toldGone.over();
    this.#isGone = false;
    this.#relists.reset();
    if (event.type !== 'BOOKMARK') this.#isAt(event.object.metadata.resourceVersion);
    else this.#isAt(event.resourceVersion, this.#isNews(event.resourceVersion));
    this.options.telemetry?.heard();
    if (event.type === 'BOOKMARK') return;
    const object = event.object;
    this.#tell(event.type === 'DELETED' ? this.store.remove(object) : this.store.put(object));
  }

  async #replace(listed: Shelf, resourceVersion: string, signal: AbortSignal): Promise<void> {
    this.#history.refusePast(resourceVersion);
    if (!this.#isSynced) await this.#fill(listed, signal);
    const { isMute } = this.#signs;
    this.#isAt(resourceVersion);
    if (!this.#isServed) this.#log.info('The API server serves this kind now');
    this.#absences.reset();
    this.options.telemetry?.listed();
    if (this.#isSynced) {
      let changes = 0;
      this.store.replace(
        listed,
        (change) => {
          changes++;
          this.#tell([change]);
        },
        this.#history.isAnother,
      );
      if (isMute && changes > 0) this.#log.warn('The watch had not shown what changed', { changes });
      this.#relisted.tell();
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
    if (isNews) this.#served.tell();
  }

  /** Where nobody has shown anything later, a version that is told again says that nothing has changed. */
  #isNews(bookmark: string): boolean {
    return this.#history.isNews(bookmark) || !this.#history.isOutdone;
  }

  /** The server showed a version: it is alive, and this is where to go on from. */
  #isAt(resourceVersion: string, isNews = true): void {
    this.#history.reached(resourceVersion);
    if (isNews) this.#signs.shown();
    else this.#signs.seen();
    this.#refusals = 0;
    this.#setbacks.over();
  }

  #tell(changes: readonly Change[]): void {
    for (const change of changes) this.#changes.tell(change);
  }
}

/**
 * True of an answer that may be about the very version: not every one that is lost is told by 410, as where etcd has what is of
 * before no more, `etcd event received with PrevKv=nil`. Others say nothing of it: who may not watch, or is to wait.
 */
function isOfVersion(error: unknown): boolean {
  return error instanceof InvalidError || (isAnswer(error) && error.status?.code === 500);
}
