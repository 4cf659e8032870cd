/** Longer than most files: each verb of a cluster has its lines. */
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
import { about, within } from './call-of.js';
import type { Fate } from './faults.js';
import type { PlannedFaults } from './planned-faults.js';
import { lost, refusal, unanswered, unserved } from './refusal.js';

/** A call that gets no answer for so long has failed, as with the client over HTTP. */
const defaultTimeoutSeconds = 30;

export interface FaultyClusterOptions {
  readonly cluster: Cluster;
  readonly faults: PlannedFaults;
  /** The time of the process that calls. */
  readonly clock: Clock;
  /** The time of the world: what is on its way arrives, whatever becomes of its sender. */
  readonly network: Clock;
  /** What a planned crash kills. */
  readonly crash: () => void;
  /** Hears of each call that the server carried out. */
  readonly carriedOut: (call: Call) => void;
  /** Hears of each call whose sender did not wait for the answer any longer. */
  readonly gaveUp?: (call: Call) => void;
}

/** What became of a call on the side of its sender. */
interface Sent {
  isGivenUp: boolean;
}

type Send<O, T> = (cluster: Cluster, given: O) => Promise<T>;

/**
 * A cluster as a controller meets it on a bad day.
 *
 * **Guarantees.** A call ends when its `signal` aborts or its time is up, as over HTTP, whatever becomes of what is on its
 * way. A process that is stopped or dead hears nothing.
 */
export class FaultyCluster implements Cluster {
  #isDead = false;
  #fence: Error | undefined;
  /** How writes under way are given up. */
  readonly #underWay = new Set<(reason: Error) => void>();
  /** Resolves when a stopped process goes on. */
  #asleep: Promise<void> | undefined;
  #wake = () => {};

  constructor(private readonly options: FaultyClusterOptions) {}

  /** From now on there is no answer to anything, as for a process that is no more. */
  die(): void {
    this.#isDead = true;
  }

  /** From now on answers and events wait, as for a process that was stopped by SIGSTOP. */
  pause(): void {
    this.#asleep ??= new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  /** What waited comes in. */
  resume(): void {
    this.#asleep = undefined;
    this.#wake();
  }

  /** Resolves once the process is not stopped, and never after its death. */
  async awake(): Promise<void> {
    while (this.#asleep !== undefined) await this.#asleep;
    if (this.#isDead) await never();
  }

  /** Refuses writes and gives up those under way, as the client does when the Lease is lost. */
  fence(reason: Error): void {
    this.#fence = reason;
    for (const giveUp of this.#underWay) giveUp(reason);
  }

  get(resource: ApiResource, target: Target, options: CallOptions = {}): Promise<KubeObject> {
    return this.#call({ verb: 'get', kind: resource.kind, ...target }, options, (cluster, given) =>
      cluster.get(resource, target, given),
    );
  }

  list(resource: ApiResource, options: ListOptions = {}): Promise<ObjectList> {
    // Who asks by one name asks as by `get`, and is answered so.
    const isByName = options.fieldSelector?.startsWith('metadata.name=') ?? false;
    const resourceVersion = isByName ? undefined : this.options.faults.lagOf(resource.kind);
    const past = resourceVersion === undefined ? {} : ({ resourceVersion, resourceVersionMatch: 'Exact' } as const);
    return this.#call({ verb: 'list', ...within(resource, options) }, options, (cluster, given) =>
      cluster.list(resource, { ...given, ...past }),
    );
  }

  async *watch(resource: ApiResource, options: WatchOptions): AsyncGenerator<WatchEvent> {
    const call: Call = { verb: 'watch', ...within(resource, options) };
    // A stream list has to be answered from the past as a list is, so that clients fall back to that.
    if (this.options.faults.lagOf(resource.kind) !== undefined && options.sendInitialEvents) {
      throw refusal(call, 422);
    }
    const { faults, network } = this.options;
    const server = faults.meets(call);
    const events = await this.#call(
      call,
      options,
      async (cluster) => server?.watch(call, cluster, resource, options) ?? cluster.watch(resource, options),
    );
    for await (const event of faults.watch(call, events, options, server)) {
      await sleepFor(network, faults.latencyOf(call, 'event'), options.signal);
      await this.awake();
      options.signal?.throwIfAborted();
      yield event;
    }
  }

  create(resource: ApiResource, manifest: Manifest, options: WriteOptions): Promise<KubeObject> {
    return this.#call({ verb: 'create', ...about(resource, manifest, options) }, options, (cluster, given) =>
      cluster.create(resource, manifest, given),
    );
  }

  update(resource: ApiResource, object: KubeObject, options: WriteOptions): Promise<KubeObject> {
    return this.#call({ verb: 'update', ...about(resource, object, options) }, options, (cluster, given) =>
      cluster.update(resource, object, given),
    );
  }

  apply(resource: ApiResource, manifest: Manifest, options: ApplyOptions): Promise<KubeObject> {
    return this.#call({ verb: 'apply', ...about(resource, manifest, options) }, options, (cluster, given) =>
      cluster.apply(resource, manifest, given),
    );
  }

  patch(resource: ApiResource, target: Target, patch: Patch, options: WriteOptions): Promise<KubeObject> {
    return this.#call({ verb: 'patch', ...about(resource, { metadata: target }, options) }, options, (cluster, given) =>
      cluster.patch(resource, target, patch, given),
    );
  }

  delete(resource: ApiResource, target: Target, options: DeleteOptions = {}): Promise<void> {
    return this.#call({ verb: 'delete', ...about(resource, { metadata: target }, {}) }, options, (cluster, given) =>
      cluster.delete(resource, target, given),
    );
  }

  async #call<O extends CallOptions, T>(call: Call, options: O, send: Send<O, T>): Promise<T> {
    if (this.#isDead) return never();
    options.signal?.throwIfAborted();
    if (this.#fence && !reads.has(call.verb)) throw this.#fence;
    try {
      return await this.#within(call, options, (sent) =>
        this.#carry(call, this.options.faults.next(call), options, sent, send),
      );
    } finally {
      await this.awake();
    }
  }

  /** There and back, with what befalls it on the way. */
  async #carry<O extends CallOptions, T>(
    call: Call,
    fate: Fate | undefined,
    options: O,
    sent: Sent,
    send: Send<O, T>,
  ): Promise<T> {
    const { signal, timeoutSeconds = defaultTimeoutSeconds } = options;
    const { cluster, faults, clock, network, crash, carriedOut } = this.options;
    const end = clock.monotonic() + timeoutSeconds * 1000;
    // What hung reaches the server, whoever has given it up by then.
    const given = fate?.type === 'hang' ? { ...options, signal: undefined } : options;
    const isBefore = (fate?.type === 'lose' || fate?.type === 'crash') && fate.when === 'before';
    if (fate?.type === 'delay') {
      await sleep(clock, fate.seconds * 1000, signal);
      // As over HTTP, the clock is asked before it is sent, whatever a process that was stopped wakes up to.
      if (clock.monotonic() >= end) throw unanswered(call, timeoutSeconds);
      if (this.#fence && !reads.has(call.verb)) throw this.#fence;
    }
    if (!isBefore) {
      await sleepFor(network, faults.latencyOf(call, 'there'));
      if (fate?.type === 'cut-off') await sleepFor(network, fate.afterSeconds * 1000);
      if (fate?.type === 'hang') {
        await fate.over;
        // Nobody hears of it any more, or ever.
        if ((sent.isGivenUp || this.#isDead) && !fate.isLate) throw lost(call);
      }
      const isRefused = fate !== undefined && refused.has(fate.type);
      // What the API server itself refuses is as long on its way back as any other answer, and is lost as easily.
      const [answer] = isRefused ? [] : await Promise.allSettled([send(cluster, given)]);
      if (answer?.status === 'fulfilled') carriedOut(call);
      if (fate?.type !== 'crash') await sleepFor(network, faults.latencyOf(call, 'back'));
      if (answer?.status === 'rejected' && fate?.type !== 'lose' && fate?.type !== 'crash') throw answer.reason;
      if (fate?.type === 'refuse') throw refusal(call, fate.code, fate.retryAfterSeconds);
      if (fate?.type === 'unserve') throw unserved(call);
      if (fate?.type === 'cut-off') throw refusal(call, fate.code);
      if (answer?.status === 'fulfilled' && (fate === undefined || answered.has(fate.type))) return answer.value;
    }
    if (fate?.type === 'crash') {
      crash();
      return never();
    }
    throw lost(call);
  }

  /** `answer`, unless the caller gives up first. */
  async #within<T>(
    call: Call,
    { signal, timeoutSeconds: seconds = defaultTimeoutSeconds }: CallOptions,
    begin: (sent: Sent) => Promise<T>,
  ): Promise<T> {
    const { clock } = this.options;
    const sent: Sent = { isGivenUp: false };
    const answer = begin(sent);
    let giveUp = (_: Error) => {};
    const gaveUp = new Promise<never>((_, reject) => {
      giveUp = (error) => {
        sent.isGivenUp = true;
        this.options.gaveUp?.(call);
        reject(error);
      };
    });
    const abort = () => giveUp(signal?.reason as Error);
    signal?.addEventListener('abort', abort, { once: true });
    const cancel = clock.after(seconds * 1000, () => giveUp(unanswered(call, seconds)));
    if (!reads.has(call.verb)) this.#underWay.add(giveUp);
    try {
      return await Promise.race([answer, gaveUp]);
    } finally {
      cancel();
      this.#underWay.delete(giveUp);
      signal?.removeEventListener('abort', abort);
    }
  }
}

const reads = new Set<Call['verb']>(['get', 'list', 'watch']);
const refused = new Set<Fate['type']>(['refuse', 'unserve', 'cut-off']);
const answered = new Set<Fate['type']>(['delay', 'hang']);

async function sleepFor(clock: Clock, milliseconds: number, signal?: AbortSignal): Promise<void> {
  if (milliseconds > 0) await sleep(clock, milliseconds, signal);
}

function never<T>(): Promise<T> {
  return new Promise(() => {});
}
