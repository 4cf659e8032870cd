import { AlreadyExistsError, ConflictError, NotFoundError } from '../../client/api-error.js';
import type { CallOptions, Cluster } from '../../client/cluster.js';
import { type Clock, sleep } from '../../kube/clock.js';
import { OperatorError } from '../../kube/errors.js';
import type { LeaseTimings } from '../../kube/lease-timings.js';
import type { KubeObject, Manifest } from '../../kube/manifest.js';
import { type Log, wordsOfError } from '../telemetry/log.js';

/** What of a cluster the election needs. A Lease is replaced whole, under the version that was read. */
export type LeaseClient = Pick<Cluster, 'get' | 'create' | 'update' | 'watch'>;

export interface LeaseLockOptions {
  readonly cluster: LeaseClient;
  readonly clock: Clock;
  readonly log: Log;
  readonly namespace: string;
  readonly name: string;
  /** Who we are. */
  readonly identity: string;
  readonly timings: LeaseTimings;
  /** True while we lead by the Lease: then it can be lost to one of our name. */
  readonly leads: () => boolean;
}

/** Who holds the Lease, and when we asked to write it, on the monotonic clock: only where it is ours by a write that was answered. */
export interface Taken {
  readonly holder: string;
  readonly askedAt?: number;
}

/** The server ends a watch after this long, so that one that died in silence is not for ever. */
const watchSeconds = 300;

const leases = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', plural: 'leases', namespaced: true };

interface LeaseSpec {
  readonly holderIdentity?: string;
  readonly leaseDurationSeconds?: number;
  readonly acquireTime?: string;
  readonly renewTime?: string;
  readonly leaseTransitions?: number;
}

/** A Lease, as it is read, written and watched by one who may come to hold it. */
export class LeaseLock {
  #observed: { readonly record: string; readonly expiresAt: number } | undefined;
  /** True from when we first asked for the Lease: the answer may be lost, and the Lease ours. */
  #mayHold = false;
  /** What a Lease says that we took, or tried to take, and by which we know it from one that another of our name took. */
  #taken: Pick<LeaseSpec, 'acquireTime' | 'leaseTransitions'> | undefined;
  /** The Lease as we wrote it last, if nothing was heard of it since: it is renewed without a look, as client-go does. */
  #mine: KubeObject | undefined;

  constructor(private readonly options: LeaseLockOptions) {}

  /** When the Lease, as it was last seen, expires by our own monotonic clock; never, where none was seen. */
  get expiresAt(): number {
    return this.#observed?.expiresAt ?? Number.POSITIVE_INFINITY;
  }

  /** One try to take or to keep the Lease. Throws `NamesakeError` where another process of our name has what we led by. */
  async take(call: Required<Pick<CallOptions, 'signal' | 'timeoutSeconds'>>): Promise<Taken> {
    const { cluster, identity, clock, leads } = this.options;
    const write = { ...call, fieldManager: 'kilter-lease' };
    const known = this.#mine;
    this.#mine = undefined;
    let lease: KubeObject;
    try {
      lease = known ?? (await cluster.get(leases, this.#target, call));
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
      const manifest: Manifest = {
        apiVersion: leases.apiVersion,
        kind: leases.kind,
        metadata: this.#target,
        spec: this.#ours(0),
      };
      this.#mayHold = true;
      await cluster.create(leases, manifest, write).catch((cause: unknown) => {
        if (!(cause instanceof AlreadyExistsError)) throw cause;
        this.#taken = undefined;
      });
      lease = await cluster.get(leases, this.#target, call);
    }

    const spec = specOf(lease);
    const holder = spec.holderIdentity ?? '';
    const isExpired = this.#observe(spec) <= clock.monotonic();
    if (holder !== '' && holder !== identity && !isExpired) return { holder };

    const isOurs = this.#isOurs(spec);
    if (leads() && holder === identity && !isOurs) throw new NamesakeError(identity);

    const transitions = (spec.leaseTransitions ?? 0) + (isOurs ? 0 : 1);
    const next = this.#ours(transitions, isOurs ? spec.acquireTime : undefined);
    const askedAt = clock.monotonic();
    this.#mayHold = true;
    try {
      this.#mine = await cluster.update(leases, { ...lease, spec: next } as KubeObject, write);
    } catch (error) {
      if (known && (error instanceof ConflictError || error instanceof NotFoundError)) return this.take(call);
      if (!(error instanceof ConflictError)) throw error;
      const { holderIdentity: winner = '' } = specOf(await cluster.get(leases, this.#target, call));
      // Somebody only touched it: it is still to be had, but not by this try.
      if (winner === '' || winner === identity) throw error;
      return { holder: winner };
    }
    return { holder: identity, askedAt };
  }

  /** Gives the Lease back, for a second. False where it is another's by now, or was never asked for. */
  async giveBack(): Promise<boolean> {
    if (!this.#mayHold) return false;
    this.#mayHold = false;
    return this.#writeBack().catch((error: unknown) => {
      // Somebody only touched it.
      if (error instanceof ConflictError) return this.#writeBack();
      throw error;
    });
  }

  async #writeBack(): Promise<boolean> {
    const { cluster } = this.options;
    const lease = await cluster.get(leases, this.#target, { timeoutSeconds: 1 });
    if (!this.#isOurs(specOf(lease))) return false;
    const spec = { ...specOf(lease), holderIdentity: '', leaseDurationSeconds: 1, renewTime: this.#now() };
    const write = { fieldManager: 'kilter-lease', timeoutSeconds: 1 };
    await cluster.update(leases, { ...lease, spec } as KubeObject, write);
    return true;
  }

  /** Watches the Lease until `signal` aborts, and tells of what should be acted on at once. Never rejects. */
  async follow(signal: AbortSignal, tellNews: () => void): Promise<void> {
    const { cluster, clock, name, namespace, log, timings } = this.options;
    const selected = { namespace, fieldSelector: `metadata.name=${name}` };
    while (!signal.aborted) {
      try {
        for await (const event of cluster.watch(leases, { ...selected, timeoutSeconds: watchSeconds, signal })) {
          if (event.type === 'BOOKMARK' || event.object.metadata.name !== name) continue;
          const spec = event.type === 'DELETED' ? {} : specOf(event.object);
          this.#observe(spec);
          const { holderIdentity: holder = '' } = spec;
          // A leader looks who took its Lease, and whoever waits for it whether it is free.
          if (this.options.leads() ? !this.#isOurs(spec) : holder === '') {
            this.#mine = undefined;
            tellNews();
          }
        }
      } catch (error) {
        if (!signal.aborted) log.debug('Failed to watch the Lease', wordsOfError(error));
      }
      await sleep(clock, timings.retrySeconds * 1000, signal).catch(() => {});
    }
  }

  /** What a Lease says that is ours from now on. */
  #ours(leaseTransitions: number, acquireTime = this.#now()): LeaseSpec {
    const { identity, timings } = this.options;
    this.#taken = { acquireTime, leaseTransitions };
    return {
      holderIdentity: identity,
      leaseDurationSeconds: timings.leaseSeconds,
      ...this.#taken,
      renewTime: this.#now(),
    };
  }

  #isOurs({ holderIdentity, acquireTime, leaseTransitions = 0 }: LeaseSpec): boolean {
    const taken = this.#taken;
    return (
      holderIdentity === this.options.identity &&
      acquireTime === taken?.acquireTime &&
      leaseTransitions === taken?.leaseTransitions
    );
  }

  /** When the Lease, as it was just seen, expires by our own clock: its time begins when a change of it is first seen. */
  #observe(spec: LeaseSpec): number {
    const record = JSON.stringify(spec);
    if (this.#observed?.record !== record) {
      const at = this.options.clock.monotonic();
      const seconds = spec.leaseDurationSeconds ?? this.options.timings.leaseSeconds;
      this.#observed = { record, expiresAt: at + seconds * 1000 };
    }
    return this.#observed.expiresAt;
  }

  get #target() {
    return { namespace: this.options.namespace, name: this.options.name };
  }

  #now(): string {
    return new Date(this.options.clock.now()).toISOString().replace('Z', '000Z');
  }
}

/** The Lease that we had is held by our name, and not by us. */
export class NamesakeError extends OperatorError {
  constructor(identity: string) {
    super(`another process that is named "${identity}" holds it`, {
      hint: 'give each replica a POD_NAME of its own, and look for a pod that was deleted by force while its node was away',
    });
  }
}

function specOf(lease: KubeObject): LeaseSpec {
  return ((lease as { spec?: LeaseSpec }).spec ?? {}) as LeaseSpec;
}
