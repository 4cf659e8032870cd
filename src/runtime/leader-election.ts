import { AlreadyExistsError, ConflictError, NotFoundError } from '../client/api-error.js';
import type { Cluster } from '../client/cluster.js';
import { type Clock, type Random, sleep } from '../kube/clock.js';
import type { KubeObject, Manifest } from '../kube/manifest.js';
import type { Log } from './log.js';

export interface LeaderElectionOptions {
  /** A connection of its own, so that no other call delays a renewal. */
  readonly cluster: LeaseClient;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly namespace: string;
  /** The Lease's name. */
  readonly id: string;
  /** Who we are: unique among all who stand for election. */
  readonly identity: string;
}

/** What of a cluster the election needs. A Lease is replaced whole, under the version that was read. */
export type LeaseClient = Pick<Cluster, 'get' | 'create' | 'update'>;

/** The usual timings: https://pkg.go.dev/k8s.io/client-go/tools/leaderelection */
const leaseSeconds = 15;
const renewSeconds = 10;
const retrySeconds = 2;
/** A call that gets no answer leaves time for another. */
const callSeconds = renewSeconds / 2;

const leases = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', plural: 'leases', namespaced: true };

interface LeaseSpec {
  readonly holderIdentity?: string;
  readonly leaseDurationSeconds?: number;
  readonly acquireTime?: string;
  readonly renewTime?: string;
  readonly leaseTransitions?: number;
}

/**
 * Stands for election by a Lease, of which one process at a time is the holder.
 *
 * **Guarantees.** No clocks are compared between machines: another holder counts as gone when its record did not change
 * for the length of the lease by our own monotonic clock. `lost` is called at the latest when our last renewal was asked
 * for `renewSeconds` ago, which is before anybody else can lead.
 *
 * https://kubernetes.io/docs/concepts/architecture/leases/
 */
export class LeaderElection {
  #leads = false;
  /** When the last renewal that succeeded was asked for: from then on others may count the lease's time. */
  #renewedAt = 0;
  #observed: { readonly record: string; readonly at: number } | undefined;

  constructor(private readonly options: LeaderElectionOptions) {}

  /** True while we may write. */
  get leads(): boolean {
    return this.left > 0;
  }

  /** Milliseconds for which we may still write; 0 for whoever does not lead. Looked up on the clock, so never late. */
  get left(): number {
    return this.#leads ? Math.max(0, this.#left) : 0;
  }

  /** Milliseconds until we must have stopped writing, unless we renew. */
  get #left(): number {
    return renewSeconds * 1000 - (this.options.clock.monotonic() - this.#renewedAt);
  }

  /** Resolves when we lead. Rejects when `signal` aborts first. */
  async acquire(signal: AbortSignal): Promise<void> {
    const { log, clock, random } = this.options;
    let wasTold = false;
    for (;;) {
      signal.throwIfAborted();
      const holder = await this.#try(signal).catch((error: Error) => {
        if (!signal.aborted) log.warn('Failed to acquire the Lease', { error: error.message });
        return undefined;
      });
      // An answer that took too long is of a lease that is over for us; the next try renews it.
      if (holder === this.options.identity && this.#left > 0) {
        this.#leads = true;
        log.info('Became leader', { lease: this.options.id, identity: this.options.identity });
        return;
      }
      if (holder !== undefined && holder !== this.options.identity && !wasTold) {
        log.info('Waiting to become leader', { lease: this.options.id, holder });
        wasTold = true;
      }
      await sleep(clock, retrySeconds * 1000 * (1 + random() * 0.2), signal);
    }
  }

  /** Renews until `signal` aborts. Calls `lost` once, when we must not write any longer. */
  async renew(signal: AbortSignal, lost: (error: Error) => void): Promise<void> {
    const { clock, log, identity } = this.options;
    const over = new AbortController();
    const either = AbortSignal.any([signal, over.signal]);
    const fail = (error: Error) => {
      if (either.aborted) return;
      this.#leads = false;
      log.error('Lost the Lease', { error: error.message });
      lost(error);
      over.abort(error);
    };
    const notRenewed = () => fail(new Error(`it was not renewed for ${renewSeconds} s`));
    // No answer that is slow in coming may hold up the end.
    let disarm = clock.after(this.#left, notRenewed);
    try {
      while (!either.aborted) {
        await sleep(clock, retrySeconds * 1000, either).catch(() => {});
        // A process that was stopped for long may wake up here before its timers do.
        if (this.#left <= 0) notRenewed();
        if (either.aborted) return;
        try {
          const holder = await this.#try(either, Math.min(callSeconds, this.#left / 1000));
          if (holder !== identity) fail(new Error(`"${holder}" holds it`));
          disarm();
          disarm = clock.after(this.#left, notRenewed);
        } catch (error) {
          if (!either.aborted) log.warn('Failed to renew the Lease', { error: (error as Error).message });
        }
      }
    } finally {
      disarm();
    }
  }

  /** Gives the Lease back, so that a standby need not wait for it to expire. */
  async release(): Promise<void> {
    if (!this.#leads) return;
    this.#leads = false;
    const { cluster, log } = this.options;
    try {
      const lease = await cluster.get(leases, this.#target, { timeoutSeconds: 2 });
      if (specOf(lease).holderIdentity !== this.options.identity) return;
      const spec = { ...specOf(lease), holderIdentity: '', leaseDurationSeconds: 1, renewTime: this.#now() };
      await cluster.update(leases, { ...lease, spec } as KubeObject, {
        fieldManager: 'kilter-lease',
        timeoutSeconds: 2,
      });
      log.info('Released the Lease', { lease: this.options.id });
    } catch (error) {
      log.warn('Failed to release the Lease', { error: (error as Error).message });
    }
  }

  /** One try to take or to keep the Lease. Resolves with whoever holds it now; with us only when we just wrote it. */
  async #try(signal: AbortSignal, timeoutSeconds = callSeconds): Promise<string> {
    const { cluster, identity, clock } = this.options;
    const call = { signal, timeoutSeconds };
    const write = { ...call, fieldManager: 'kilter-lease' };
    const mine = (transitions: number, acquireTime = this.#now()): LeaseSpec => ({
      holderIdentity: identity,
      leaseDurationSeconds: leaseSeconds,
      acquireTime,
      renewTime: this.#now(),
      leaseTransitions: transitions,
    });

    let lease: KubeObject;
    try {
      lease = await cluster.get(leases, this.#target, call);
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
      const manifest: Manifest = {
        apiVersion: leases.apiVersion,
        kind: leases.kind,
        metadata: this.#target,
        spec: mine(0),
      };
      await cluster.create(leases, manifest, write).catch((cause: unknown) => {
        if (!(cause instanceof AlreadyExistsError)) throw cause;
      });
      lease = await cluster.get(leases, this.#target, call);
    }

    const spec = specOf(lease);
    const holder = spec.holderIdentity ?? '';
    const record = JSON.stringify(spec);
    if (this.#observed?.record !== record) this.#observed = { record, at: clock.monotonic() };
    const isExpired = clock.monotonic() - this.#observed.at >= (spec.leaseDurationSeconds ?? leaseSeconds) * 1000;
    if (holder !== '' && holder !== identity && !isExpired) return holder;

    const transitions = (spec.leaseTransitions ?? 0) + (holder === identity ? 0 : 1);
    const next = mine(transitions, holder === identity ? spec.acquireTime : undefined);
    const asked = clock.monotonic();
    try {
      await cluster.update(leases, { ...lease, spec: next } as KubeObject, write);
    } catch (error) {
      if (!(error instanceof ConflictError)) throw error;
      const { holderIdentity: winner = '' } = specOf(await cluster.get(leases, this.#target, call));
      // Somebody only touched it: it is still to be had, but not by this try.
      if (winner === '' || winner === identity) throw error;
      return winner;
    }
    this.#renewedAt = asked;
    return identity;
  }

  get #target() {
    return { namespace: this.options.namespace, name: this.options.id };
  }

  #now(): string {
    return new Date(this.options.clock.now()).toISOString().replace('Z', '000Z');
  }
}

function specOf(lease: KubeObject): LeaseSpec {
  return ((lease as { spec?: LeaseSpec }).spec ?? {}) as LeaseSpec;
}
