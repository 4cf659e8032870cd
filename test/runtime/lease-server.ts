import {
  AlreadyExistsError,
  ConflictError,
  ForbiddenError,
  NotFoundError,
  TransportError,
} from '../../src/client/api-error.js';
import type { CallOptions, WatchEvent } from '../../src/client/cluster.js';
import { type Clock, sleep } from '../../src/kube/clock.js';
import type { KubeObject, Manifest } from '../../src/kube/manifest.js';
import type { LeaseClient } from '../../src/runtime/lease/lease-lock.js';

/** What a Lease says. */
export interface LeaseSpec {
  readonly holderIdentity: string;
  readonly leaseTransitions: number;
  readonly acquireTime: string;
  readonly renewTime: string;
}

/** The one Lease of a cluster, under optimistic concurrency. */
export class LeaseServer {
  #lease: KubeObject | undefined;
  #version = 0;
  readonly #watchers = new Set<(event: WatchEvent) => void>();

  get spec(): LeaseSpec | undefined {
    return (this.#lease as { spec?: LeaseSpec } | undefined)?.spec;
  }

  /** How many watch it now. */
  get watches(): number {
    return this.#watchers.size;
  }

  /** Writes as an administrator, or another controller, does. */
  edit(spec: object): void {
    const metadata = { name: 'kilter', namespace: 'system', uid: 'lease', ...this.#lease?.metadata };
    this.#store({
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      ...this.#lease,
      metadata,
      spec: { ...this.spec, ...spec },
    });
  }

  remove(): void {
    const object = this.#lease;
    this.#lease = undefined;
    if (object) for (const tell of this.#watchers) tell({ type: 'DELETED', object });
  }

  /** The connection of one process, with faults of its own. */
  connect(clock: Clock): LeaseConnection {
    return new LeaseConnection(clock, {
      get: async () => {
        if (!this.#lease) throw new NotFoundError('no such Lease');
        return this.#lease;
      },
      create: async (_, manifest) => {
        if (this.#lease) throw new AlreadyExistsError('the Lease exists');
        return this.#store(manifest);
      },
      update: async (_, object) => {
        if (object.metadata.resourceVersion !== this.#lease?.metadata.resourceVersion) {
          throw new ConflictError('the Lease has moved on');
        }
        return this.#store(object);
      },
      watch: (_, { signal }) => this.#watch(signal),
    });
  }

  async *#watch(signal: AbortSignal | undefined): AsyncGenerator<WatchEvent> {
    const ready: WatchEvent[] = this.#lease ? [{ type: 'ADDED', object: this.#lease }] : [];
    let wake = () => {};
    const tell = (event: WatchEvent) => {
      ready.push(event);
      wake();
    };
    const leave = () => wake();
    signal?.addEventListener('abort', leave);
    this.#watchers.add(tell);
    try {
      for (;;) {
        signal?.throwIfAborted();
        const next = ready.shift();
        if (next) yield next;
        else await new Promise<void>((resolve) => (wake = resolve));
      }
    } finally {
      this.#watchers.delete(tell);
      signal?.removeEventListener('abort', leave);
    }
  }

  #store(manifest: Manifest): KubeObject {
    const metadata = { uid: 'lease', ...manifest.metadata, resourceVersion: String(++this.#version) };
    const type = this.#lease ? 'MODIFIED' : 'ADDED';
    this.#lease = { ...manifest, metadata };
    for (const tell of this.#watchers) tell({ type, object: this.#lease });
    return this.#lease;
  }
}

/** Calls that take their time, or get no answer at all. */
class LeaseConnection implements LeaseClient {
  /** Before a call reaches the server. */
  requestMilliseconds = 0;
  /** After a call reached the server. */
  answerMilliseconds = 0;
  /** Of so many calls that come first neither these nor their answers pass, as on connections to a server that hangs. */
  hanging = 0;
  /** Whether nothing reaches the server. */
  isCut = false;
  /** Whether the Lease may be watched, and what is watched arrives. */
  isWatched = true;
  /** Runs when the next update has been asked for and before it reaches the server. */
  beforeUpdate: (() => void) | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly server: LeaseClient,
  ) {}

  watch: LeaseClient['watch'] = (resource, options) => this.#events(this.server.watch(resource, options));

  async *#events(events: AsyncIterable<WatchEvent>): AsyncGenerator<WatchEvent> {
    if (!this.isWatched) throw new ForbiddenError('leases watch failed');
    for await (const event of events) if (!this.isCut) yield event;
  }

  get: LeaseClient['get'] = (resource, target, options) =>
    this.#call(options, () => this.server.get(resource, target, options));

  create: LeaseClient['create'] = (resource, manifest, options) =>
    this.#call(options, () => this.server.create(resource, manifest, options));

  update: LeaseClient['update'] = (resource, object, options) =>
    this.#call(options, () => {
      const before = this.beforeUpdate;
      this.beforeUpdate = undefined;
      before?.();
      return this.server.update(resource, object, options);
    });

  async #call<T>({ signal, timeoutSeconds = 60 }: CallOptions = {}, run: () => Promise<T>): Promise<T> {
    const late = new AbortController();
    const cancel = this.clock.after(timeoutSeconds * 1000, () => late.abort(new TransportError('no answer in time')));
    const either = signal ? AbortSignal.any([signal, late.signal]) : late.signal;
    try {
      const wait = async (milliseconds: number) => milliseconds > 0 && sleep(this.clock, milliseconds, either);
      const hangs = this.isCut || this.hanging > 0;
      if (this.hanging > 0) this.hanging--;
      await wait(hangs ? 3_600_000 : this.requestMilliseconds);
      const result = await run();
      await wait(this.answerMilliseconds);
      either.throwIfAborted();
      return result;
    } finally {
      cancel();
    }
  }
}
