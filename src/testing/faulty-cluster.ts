import type {
  ApplyOptions,
  CallOptions,
  Cluster,
  DeleteOptions,
  ListOptions,
  ObjectList,
  Patch,
  Target,
  WatchEvent,
  WatchOptions,
  WriteOptions,
} from '../client/cluster.js';
import type { ApiResource } from '../kube/api-resource.js';
import { type Clock, sleep } from '../kube/clock.js';
import type { KubeObject, Manifest } from '../kube/manifest.js';
import type { Call } from './call.js';
import { type Faults, lost, refusal } from './faults.js';

export interface FaultyClusterOptions {
  readonly cluster: Cluster;
  readonly faults: Faults;
  readonly clock: Clock;
  /** What a planned crash kills. */
  readonly crash: () => void;
  /** Hears of each call that the server carried out. */
  readonly carriedOut: (call: Call) => void;
}

/** A cluster as a controller meets it on a bad day. */
export class FaultyCluster implements Cluster {
  #isDead = false;
  #fence: Error | undefined;

  constructor(private readonly options: FaultyClusterOptions) {}

  /** From now on there is no answer to anything, as for a process that is no more. */
  die(): void {
    this.#isDead = true;
  }

  /** Refuses writes, as the client does when the Lease is lost. */
  fence(reason: Error | undefined): void {
    this.#fence = reason;
  }

  get(resource: ApiResource, target: Target, options: CallOptions = {}): Promise<KubeObject> {
    return this.#call({ verb: 'get', kind: resource.kind, ...target }, options, (cluster) =>
      cluster.get(resource, target, options),
    );
  }

  list(resource: ApiResource, options: ListOptions = {}): Promise<ObjectList> {
    const resourceVersion = this.options.faults.lagOf(resource.kind);
    const past = resourceVersion === undefined ? {} : ({ resourceVersion, resourceVersionMatch: 'Exact' } as const);
    return this.#call({ verb: 'list', kind: resource.kind }, options, (cluster) =>
      cluster.list(resource, { ...options, ...past }),
    );
  }

  async *watch(resource: ApiResource, options: WatchOptions): AsyncGenerator<WatchEvent> {
    const call: Call = { verb: 'watch', kind: resource.kind };
    // A stream list has to be answered from the past as a list is, so that clients fall back to that.
    if (this.options.faults.lagOf(resource.kind) !== undefined && options.sendInitialEvents) {
      throw refusal(call, 422);
    }
    const events = await this.#call(call, options, async (cluster) => cluster.watch(resource, options));
    for await (const event of this.options.faults.watch(call, events)) {
      if (this.#isDead) await never();
      yield event;
    }
  }

  create(resource: ApiResource, manifest: Manifest, options: WriteOptions): Promise<KubeObject> {
    return this.#call({ verb: 'create', ...about(resource, manifest, options) }, options, (cluster) =>
      cluster.create(resource, manifest, options),
    );
  }

  update(resource: ApiResource, object: KubeObject, options: WriteOptions): Promise<KubeObject> {
    return this.#call({ verb: 'update', ...about(resource, object, options) }, options, (cluster) =>
      cluster.update(resource, object, options),
    );
  }

  apply(resource: ApiResource, manifest: Manifest, options: ApplyOptions): Promise<KubeObject> {
    return this.#call({ verb: 'apply', ...about(resource, manifest, options) }, options, (cluster) =>
      cluster.apply(resource, manifest, options),
    );
  }

  patch(resource: ApiResource, target: Target, patch: Patch, options: WriteOptions): Promise<KubeObject> {
    return this.#call({ verb: 'patch', ...about(resource, { metadata: target }, options) }, options, (cluster) =>
      cluster.patch(resource, target, patch, options),
    );
  }

  delete(resource: ApiResource, target: Target, options: DeleteOptions = {}): Promise<void> {
    return this.#call({ verb: 'delete', ...about(resource, { metadata: target }, {}) }, options, (cluster) =>
      cluster.delete(resource, target, options),
    );
  }

  async #call<T>(call: Call, { signal }: CallOptions, send: (cluster: Cluster) => Promise<T>): Promise<T> {
    if (this.#isDead) return never();
    signal?.throwIfAborted();
    if (this.#fence && !reads.has(call.verb)) throw this.#fence;
    const { cluster, faults, clock, crash, carriedOut } = this.options;
    const fate = faults.next(call);
    const isBefore = (fate?.type === 'lose' || fate?.type === 'crash') && fate.when === 'before';
    if (fate?.type === 'refuse') throw refusal(call, fate.code, fate.retryAfterSeconds);
    if (!isBefore) {
      if (fate?.type === 'delay') await sleep(clock, fate.seconds * 1000, signal);
      if (this.#isDead) return never();
      const answer = await send(cluster);
      carriedOut(call);
      if (fate === undefined || fate.type === 'delay') return this.#isDead ? never() : answer;
    }
    if (fate?.type === 'crash') {
      crash();
      return never();
    }
    throw lost(call);
  }
}

const reads = new Set<Call['verb']>(['get', 'list', 'watch']);

function never<T>(): Promise<T> {
  return new Promise(() => {});
}

function about(
  { kind }: ApiResource,
  { metadata: { name, namespace } }: Pick<Manifest, 'metadata'> | { readonly metadata: Target },
  { subresource }: Pick<WriteOptions, 'subresource'> | Record<string, never>,
): Omit<Call, 'verb'> {
  return {
    kind,
    ...(name === undefined ? {} : { name }),
    ...(namespace === undefined ? {} : { namespace }),
    ...(subresource === undefined ? {} : { subresource }),
  };
}
