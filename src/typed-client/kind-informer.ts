import { type Clock, keepAlive, type Random } from '../kube/clock.js';
import type { Selector } from '../runtime/informer/facets.js';
import { Informer, type InformerOptions } from '../runtime/informer/informer.js';
import type { Store } from '../runtime/informer/store.js';
import { forMany } from '../runtime/process/for-many.js';
import { silentLog } from '../runtime/telemetry/log.js';

/** What changed in the store; of an update both sides. */
export type ListerChange<T> =
  | { readonly type: 'added' | 'deleted'; readonly object: T }
  | { readonly type: 'updated'; readonly object: T; readonly before: T };

/** Reads an informer's objects as they were last seen, without a request. They are shared: copy one to change it. */
export class Lister<T> {
  constructor(
    private readonly store: Store,
    private readonly usualNamespace?: string,
  ) {}

  /** The object, or undefined. Without `namespace` it is looked for in that of the informer, or else of the client. */
  get(name: string, namespace = this.usualNamespace): T | undefined {
    return this.store.get(namespace, name) as T | undefined;
  }

  /** Those with all of `labels`, in `namespace` or, without it, in every namespace that is watched. */
  list(selector: Selector = {}): T[] {
    return this.store.list(selector) as unknown as T[];
  }
}

export type KindInformerOptions = Pick<InformerOptions, 'cluster' | 'resource' | 'namespace' | 'labelSelector'> & {
  readonly clock: Clock;
  readonly random: Random;
  /** Where the lister looks for a name alone; nowhere for a kind without namespaces. */
  readonly usualNamespace?: string;
};

/**
 * Keeps the objects of a kind in memory, true to the API server whatever becomes of connections. What a listener throws keeps
 * neither it nor other listeners from going on, and is an uncaught exception of the process, as with an `EventTarget`.
 */
export class KindInformer<T> {
  readonly lister: Lister<T>;
  readonly #informer: Informer;
  readonly #listeners = new Set<(error: Error) => void>();

  constructor({ usualNamespace, ...options }: KindInformerOptions) {
    const failed = (error: Error) => {
      for (const listener of this.#listeners) telling(listener)(error);
    };
    this.#informer = new Informer({ ...options, log: silentLog, failed });
    this.lister = new Lister(this.#informer.store, usualNamespace);
  }

  /** Calls `listener` for each change from now on, until the returned function is called. */
  subscribe(listener: (change: ListerChange<T>) => void): () => void {
    return this.#informer.subscribe(telling((change) => listener(change as unknown as ListerChange<T>)));
  }

  /**
   * Calls `listener` with why the API server cannot be watched, a `ForbiddenError` where it is not allowed, until the returned
   * function is called. It is tried again after each, up to half a minute later.
   */
  onFailure(listener: (error: Error) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Watches until `signal` aborts, and keeps the process alive for so long. Resolves when the first list is complete, for which
   * it waits as long as that takes, also for a right or a kind that is not there yet: `onFailure` tells. Rejects when it is
   * aborted before.
   */
  async start(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const running = this.#informer.run(forMany(signal)).finally(keepAlive());
    const ended = running.then(() => signal.throwIfAborted());
    ended.catch(() => {});
    await Promise.race([this.#informer.synced(), ended]);
  }
}

/** `listener`, of which what it throws is nobody's here. */
function telling<A>(listener: (about: A) => void): (about: A) => void {
  return (about) => {
    try {
      listener(about);
    } catch (error) {
      process.nextTick(() => {
        throw error;
      });
    }
  };
}
