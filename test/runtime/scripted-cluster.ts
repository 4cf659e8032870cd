import { TransportError } from '../../src/client/api-error.js';
import type { Cluster, ListOptions, ObjectList, WatchEvent, WatchOptions } from '../../src/client/cluster.js';
import type { ApiResource } from '../../src/kube/api-resource.js';
import type { KubeObject } from '../../src/kube/manifest.js';

/** One watch as the server sees it. */
export class Stream {
  readonly #ready: (WatchEvent | Error | 'end')[] = [];
  #wake = () => {};
  isOpen = true;

  constructor(readonly options: WatchOptions) {}

  send(...events: readonly WatchEvent[]): void {
    this.#push(...events);
  }

  /** The server closes it, as it does every few minutes. */
  end(): void {
    this.#push('end');
  }

  /** It breaks, or says ERROR. */
  fail(error: Error): void {
    this.#push(error);
  }

  async *events(): AsyncGenerator<WatchEvent> {
    const { signal } = this.options;
    // As the client tells of it: in words of its own.
    const abort = () => this.fail(new TransportError(`watch failed: ${String(signal?.reason)}`));
    if (signal?.aborted) abort();
    signal?.addEventListener('abort', abort, { once: true });
    try {
      for (;;) {
        const next = this.#ready.shift();
        if (next === 'end') return;
        if (next instanceof Error) throw next;
        if (next) yield next;
        else await new Promise<void>((resolve) => (this.#wake = resolve));
      }
    } finally {
      this.isOpen = false;
      signal?.removeEventListener('abort', abort);
    }
  }

  #push(...items: readonly (WatchEvent | Error | 'end')[]): void {
    this.#ready.push(...items);
    this.#wake();
  }
}

/**
 * A cluster whose answers to lists and watches a test gives, one by one. A call for which no answer was scripted is
 * answered well: a watch stays open, and a list is empty.
 */
export class ScriptedCluster implements Pick<Cluster, 'list' | 'watch'> {
  /** What was asked, in order: `stream`, `list`, `list of one`, `list from <token>`, `watch from <version>`. */
  readonly asked: string[] = [];
  /** The name of the one that was asked for last. */
  named: string | undefined;
  readonly streams: Stream[] = [];
  readonly #refusals: Error[] = [];
  readonly #lists: (ObjectList | Error)[] = [];

  /** Answers the next calls, of whatever kind, with these errors. */
  refuse(...errors: readonly Error[]): void {
    this.#refusals.push(...errors);
  }

  /** From now on nothing is refused that was to be. */
  answerAll(): void {
    this.#refusals.length = 0;
  }

  /** Answers the next lists that are not refused with these, in turn. */
  answer(...lists: readonly (ObjectList | Error)[]): void {
    this.#lists.push(...lists);
  }

  /** The latest watch. */
  get stream(): Stream {
    const last = this.streams.at(-1);
    if (!last) throw new Error('nothing was watched yet');
    return last;
  }

  /** One that nobody scripted is empty, and as new as anything that was shown. */
  async list(_: ApiResource, options: ListOptions = {}): Promise<ObjectList> {
    this.named = /^metadata\.name=(.*)/.exec(options.fieldSelector ?? '')?.[1] ?? this.named;
    const selected = options.fieldSelector === undefined ? 'list' : 'list of one';
    this.asked.push(options.continue === undefined ? selected : `list from ${options.continue}`);
    const refusal = this.#refusals.shift();
    if (refusal) throw refusal;
    const answer = this.#lists.shift() ?? { items: [], resourceVersion: '1000000' };
    if (answer instanceof Error) throw answer;
    return answer;
  }

  async *watch(_: ApiResource, options: WatchOptions): AsyncGenerator<WatchEvent> {
    this.asked.push(options.sendInitialEvents ? 'stream' : `watch from ${options.resourceVersion}`);
    const refusal = this.#refusals.shift();
    if (refusal) throw refusal;
    const stream = new Stream(options);
    this.streams.push(stream);
    yield* stream.events();
  }
}

export const added = (object: KubeObject): WatchEvent => ({ type: 'ADDED', object });
export const modified = (object: KubeObject): WatchEvent => ({ type: 'MODIFIED', object });
export const deleted = (object: KubeObject): WatchEvent => ({ type: 'DELETED', object });
export const bookmark = (resourceVersion: string, initialEventsEnd = false): WatchEvent => ({
  type: 'BOOKMARK',
  resourceVersion,
  initialEventsEnd,
});
