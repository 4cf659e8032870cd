import { didNotEnd } from '../author/known-code.js';
import type { Aside } from '../queue/aside.js';
import { queueKey, splitKey } from '../queue/queue-key.js';
import type { WatchedKind } from './watched-kind.js';

export interface BegunNamespacesOptions {
  readonly custom: WatchedKind;
  /** All kinds on which the work depends. */
  readonly looksAt: readonly WatchedKind[];
  /** Hears of each namespace whose stores are filled. */
  readonly filled: (namespace: string | undefined) => void;
  /** Hears of each custom resource that is there when the work begins in its namespace. */
  readonly begin: (key: string) => void;
  /** For what has to wait until there is nothing else. */
  readonly aside: Pick<Aside, 'add'>;
}

/**
 * The namespaces in which an operator works: each from when all stores that tell of it are filled. One that was deleted took
 * the rights on it along, and what is never shown must keep nobody from the work in the others.
 *
 * A namespace is `undefined` here where one watch shows them all.
 *
 * **Assumes** that custom resources depend on nothing in another namespace where each has a watch of its own.
 */
export class BegunNamespaces {
  /** Resolves when the stores of one are filled. */
  readonly any: Promise<void>;
  /** Resolves when those of all are. */
  readonly all: Promise<void>;
  readonly #filled = new Set<string | undefined>();
  /** Of what was there before the work began: whose code did not end the last time. They wait for all others, or some seconds. */
  readonly #suspects = new Set<string>();
  #isWorking = false;

  constructor(private readonly options: BegunNamespacesOptions) {
    const { custom, looksAt, filled } = options;
    const each = custom.namespaces.map(async (namespace) => {
      await Promise.all(looksAt.map((kind) => kind.answered(namespace)));
      this.#filled.add(namespace);
      filled(namespace);
      if (this.#isWorking) this.#begin(custom.keys(namespace));
    });
    this.any = Promise.race(each);
    this.all = Promise.all(each).then(() => {});
    custom.subscribe(({ type, object }) => {
      const key = queueKey(object.metadata.namespace, object.metadata.name);
      if (this.has(key)) return;
      if (type !== 'deleted' && didNotEnd(object)) this.#suspects.add(key);
      else this.#suspects.delete(key);
    });
  }

  /** From now on there is somebody to work, wherever that can be. */
  work(): void {
    this.#isWorking = true;
    this.#begin(this.keys());
  }

  /** True for the key of a custom resource in one of them. */
  has(key: string): boolean {
    return this.#isWorking && (this.#filled.has(undefined) || this.#filled.has(splitKey(key)[0]));
  }

  /** Of all custom resources whose stores are filled. */
  *keys(): Generator<string> {
    for (const namespace of this.#filled) yield* this.options.custom.keys(namespace);
  }

  #begin(keys: Iterable<string>): void {
    const { begin, aside } = this.options;
    const late: string[] = [];
    for (const key of keys) {
      if (this.#suspects.delete(key)) late.push(key);
      else begin(key);
    }
    if (late.length === 0) return;
    // In one queue with the others they would have their turns, as they are of other namespaces, and be most of what is done.
    const beginLate = async () => late.forEach(begin);
    if (!aside.add(beginLate)) void beginLate();
  }
}
