import { GoneError, InvalidError, NotFoundError, RetryAfterError } from '../client/api-error.js';
import type { Cluster, WatchEvent } from '../client/cluster.js';
import { type ApiResource, groupResourceOf } from '../kube/api-resource.js';
import { type Clock, type Random, sleep } from '../kube/clock.js';
import type { KubeObject } from '../kube/manifest.js';
import { BackOff } from './back-off.js';
import type { Log } from './log.js';
import { SilenceGuard } from './silence-guard.js';
import { type Change, compareVersions, latest, Store } from './store.js';

export interface InformerOptions {
  readonly cluster: Cluster;
  readonly resource: ApiResource;
  /** Absent: all namespaces. */
  readonly namespace?: string | undefined;
  readonly labelSelector?: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** What of an object is kept in memory. Default: all of it. */
  readonly keep?: (object: KubeObject) => KubeObject;
}

const pageSize = 500;
/** The server sends a bookmark about once a minute; a stream that shows nothing for longer is dead. */
const silenceSeconds = 90;
/** How long a streaming list may take to say that it is complete. */
const initialSeconds = 60;

/**
 * Keeps a store of one kind true to the API server, whatever becomes of connections.
 *
 * **Guarantees.** The store is replaced only by complete lists: one that failed never looks like deletions. A watch
 * resumes where it was; only a version that the server no longer knows leads to a new list. A watch is dead unless it
 * shows life. Every listener hears every change once, and what one throws is logged and stops nothing.
 *
 * **Assumes** that listeners do not change the objects they are handed.
 */
export class Informer {
  readonly store = new Store();
  readonly #listeners = new Set<(change: Change) => void>();
  readonly #backOff: BackOff;
  readonly #log: Log;
  readonly #waiting: (() => void)[] = [];
  #resourceVersion: string | undefined;
  #isSynced = false;
  #isServed = true;
  #canStream = true;
  #seenAt: number;

  constructor(private readonly options: InformerOptions) {
    this.#backOff = new BackOff({ firstSeconds: 0.8, mostSeconds: 30, jitter: 1, random: options.random });
    this.#log = options.log.child({ resource: groupResourceOf(options.resource) });
    this.#seenAt = options.clock.monotonic();
  }

  get resource(): ApiResource {
    return this.options.resource;
  }

  /** The version that the store is as new as; empty before the first list. */
  get version(): string {
    return this.#resourceVersion ?? '';
  }

  /** True once the store has held a complete list. */
  get isSynced(): boolean {
    return this.#isSynced;
  }

  /** False while the API server does not know the kind. */
  get isServed(): boolean {
    return this.#isServed;
  }

  /** Milliseconds since the API server last gave a sign of life on this watch. */
  get silentMilliseconds(): number {
    return this.options.clock.monotonic() - this.#seenAt;
  }

  /** Calls `listener` for each change from now on, until the returned function is called. */
  subscribe(listener: (change: Change) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Resolves once the store has held a complete list. */
  synced(): Promise<void> {
    return this.#isSynced ? Promise.resolve() : new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Lists and watches until `signal` aborts. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        if (this.#resourceVersion !== undefined) await this.#watch(this.#resourceVersion, signal);
        else if (this.#canStream) await this.#streamList(signal);
        else await this.#pageList(signal);
      } catch (error) {
        if (signal.aborted) return;
        const wait = this.#afterFailure(error);
        await sleep(this.options.clock, wait, signal).catch(() => {});
      }
    }
  }

  /** What a failure means for the next step, and how many milliseconds to wait before it. */
  #afterFailure(error: unknown): number {
    if (error instanceof GoneError) {
      this.#log.info('Listing anew, since the watched version is gone');
      this.#resourceVersion = undefined;
      return 0;
    }
    if (error instanceof InvalidError && this.#canStream && this.#resourceVersion === undefined) {
      this.#log.debug('The API server does not stream lists, so they are paged');
      this.#canStream = false;
      return 0;
    }
    if (error instanceof NotFoundError) {
      if (this.#isServed) this.#log.warn('The API server does not serve this kind; waiting for it');
      this.#isServed = false;
      this.#resourceVersion = undefined;
      return this.#backOff.next();
    }
    this.#log.warn('Failed to watch', { error: (error as Error).message });
    const wait = this.#backOff.next();
    return error instanceof RetryAfterError ? Math.max(wait, error.retryAfterSeconds * 1000) : wait;
  }

  /** The content of the store and what comes after, in one stream: https://kep.k8s.io/3157 */
  async #streamList(signal: AbortSignal): Promise<void> {
    const initial = new Map<string, KubeObject>();
    let complete = false;
    const late = this.options.clock.after(initialSeconds * 1000, () => {
      if (!complete) this.#log.warn('The API server has not completed its list', { seconds: initialSeconds });
    });
    try {
      await this.#follow({ sendInitialEvents: true, resourceVersion: '' }, signal, (event) => {
        if (complete) return this.#handle(event);
        if (event.type !== 'BOOKMARK') {
          const key = `${event.object.metadata.namespace ?? ''}/${event.object.metadata.name}`;
          if (event.type === 'DELETED') initial.delete(key);
          else initial.set(key, this.#kept(event.object));
        } else if (event.initialEventsEnd) {
          complete = true;
          this.#replace([...initial.values()], event.resourceVersion);
          initial.clear();
        }
      });
    } finally {
      late();
    }
  }

  async #pageList(signal: AbortSignal): Promise<void> {
    const { cluster, resource, namespace, labelSelector } = this.options;
    const objects: KubeObject[] = [];
    let next: string | undefined;
    let resourceVersion = '';
    do {
      const page = await cluster.list(resource, {
        limit: pageSize,
        signal,
        ...(namespace === undefined ? {} : { namespace }),
        ...(labelSelector === undefined ? {} : { labelSelector }),
        ...(next === undefined ? {} : { continue: next }),
      });
      objects.push(...page.items.map((object) => this.#kept(object)));
      resourceVersion = page.resourceVersion;
      next = page.continue;
    } while (next !== undefined);
    this.#replace(objects, resourceVersion);
  }

  async #watch(resourceVersion: string, signal: AbortSignal): Promise<void> {
    await this.#follow({ resourceVersion }, signal, (event) => this.#handle(event));
  }

  /** Hands each event to `handle` until the server closes the stream. Throws when it breaks or falls silent. */
  async #follow(
    from: { readonly resourceVersion: string; readonly sendInitialEvents?: boolean },
    signal: AbortSignal,
    handle: (event: WatchEvent) => void,
  ): Promise<void> {
    const { cluster, resource, namespace, labelSelector, clock, random } = this.options;
    const alive = new SilenceGuard(clock, silenceSeconds, signal);
    try {
      const events = cluster.watch(resource, {
        ...from,
        allowWatchBookmarks: true,
        // Spread, so that the watches of a restarted controller do not all end in the same second for ever.
        timeoutSeconds: Math.round(300 * (1 + random())),
        signal: alive.signal,
        ...(namespace === undefined ? {} : { namespace }),
        ...(labelSelector === undefined ? {} : { labelSelector }),
      });
      for await (const event of events) {
        alive.heard();
        this.#seenAt = clock.monotonic();
        this.#backOff.reset();
        handle(event);
      }
    } finally {
      alive.stop();
    }
  }

  #handle(event: WatchEvent): void {
    if (event.type === 'BOOKMARK') {
      this.#resourceVersion = event.resourceVersion;
      return;
    }
    const object = this.#kept(event.object);
    this.#resourceVersion = object.metadata.resourceVersion;
    this.#tell(event.type === 'DELETED' ? this.store.remove(object) : this.store.put(object));
  }

  #replace(objects: readonly KubeObject[], resourceVersion: string): void {
    const newest = this.store.list().reduce((version, { metadata }) => latest(version, metadata.resourceVersion), '');
    if (this.#isSynced && compareVersions(resourceVersion, newest) < 0) {
      // A server that lags behind shows the past: taking it in would undo deletions and bring back what is gone.
      throw new Error(`the list is of version ${resourceVersion}, and version ${newest} was seen already`);
    }
    this.#resourceVersion = resourceVersion;
    this.#seenAt = this.options.clock.monotonic();
    this.#backOff.reset();
    if (!this.#isServed) this.#log.info('The API server serves this kind now');
    this.#isServed = true;
    this.#tell(this.store.replace(objects));
    this.#isSynced = true;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  #tell(changes: readonly Change[]): void {
    for (const change of changes) {
      for (const listener of this.#listeners) {
        try {
          listener(change);
        } catch (error) {
          this.#log.error('A listener failed', { error });
        }
      }
    }
  }

  #kept(object: KubeObject): KubeObject {
    return this.options.keep ? this.options.keep(object) : object;
  }
}
