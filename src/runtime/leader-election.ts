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
 * for the length of the lease by our own monotonic clock. `lost` is called at the latest when our last renewal is
 * `renewSeconds` old, which is before anybody else can lead.
 *
 * https://kubernetes.io/docs/concepts/architecture/leases/
 */
export class LeaderElection {
  #leads = false;
  #observed: { readonly record: string; readonly at: number } | undefined;

  constructor(private readonly options: LeaderElectionOptions) {}

  get leads(): boolean {
    return this.#leads;
  }

  /** Resolves when we lead. Rejects when `signal` aborts first. */
  async acquire(signal: AbortSignal): Promise<void> {
    const { log, clock, random } = this.options;
    let wasTold = false;
    for (;;) {
      signal.throwIfAborted();
      const holder = await this.#try(signal).catch((error: Error) => {
        log.warn('Failed to acquire the Lease', { error: error.message });
        return undefined;
      });
      if (holder === this.options.identity) {
        this.#leads = true;
        log.info('Became leader', { lease: this.options.id, identity: this.options.identity });
        return;
      }
      if (holder !== undefined && !wasTold) {
        log.info('Waiting to become leader', { lease: this.options.id, holder });
        wasTold = true;
      }
      await sleep(clock, retrySeconds * 1000 * (1 + random() * 0.2), signal);
    }
  }

  /** Renews until `signal` aborts. Calls `lost` once, when we must not write any longer. */
  async renew(signal: AbortSignal, lost: (error: Error) => void): Promise<void> {
    const { clock, log } = this.options;
    let renewedAt = clock.monotonic();
    const fail = (error: Error) => {
      this.#leads = false;
      log.error('Lost the Lease', { error: error.message });
      lost(error);
    };
    while (!signal.aborted) {
      await sleep(clock, retrySeconds * 1000, signal).catch(() => {});
      if (signal.aborted) return;
      const left = renewSeconds * 1000 - (clock.monotonic() - renewedAt);
      if (left <= 0) return fail(new Error(`it was not renewed for ${renewSeconds} s`));
      const asked = clock.monotonic();
      try {
        const holder = await this.#try(signal, left / 1000);
        if (holder !== this.options.identity) return fail(new Error(`"${holder}" holds it`));
        // A lease is as old as the moment before it was asked for.
        renewedAt = asked;
      } catch (error) {
        if (!signal.aborted) log.warn('Failed to renew the Lease', { error: (error as Error).message });
      }
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

  /** One try to take or to keep the Lease. Resolves with whoever holds it now. */
  async #try(signal: AbortSignal, timeoutSeconds = renewSeconds): Promise<string> {
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
    try {
      await cluster.update(leases, { ...lease, spec: next } as KubeObject, write);
      return identity;
    } catch (error) {
      if (!(error instanceof ConflictError)) throw error;
      return specOf(await cluster.get(leases, this.#target, call)).holderIdentity ?? '';
    }
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
