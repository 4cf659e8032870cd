/** Longer than most files: one protocol, whose rules about time mean nothing apart. */
import { AlreadyExistsError, ConflictError, NotFoundError } from '../../client/api-error.js';
import type { Cluster } from '../../client/cluster.js';
import { type Clock, type Random, sleep } from '../../kube/clock.js';
import { asError, OperatorError } from '../../kube/errors.js';
import { callSecondsOf, type LeaseTimings, usualTimings, writeSecondsOf } from '../../kube/lease-timings.js';
import type { KubeObject, Manifest } from '../../kube/manifest.js';
import { type Log, wordsOfError } from '../telemetry/log.js';
import { InterruptiblePause } from './interruptible-pause.js';

export interface LeaderElectionOptions {
  /** A connection of its own, so that no other call delays a renewal. */
  readonly cluster: LeaseClient;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly namespace: string;
  /** The Lease's name. */
  readonly id: string;
  /** Who we are: unique among all who stand for election. A process that has our name is taken for our life before. */
  readonly identity: string;
  /** Default: the usual ones. */
  readonly timings?: LeaseTimings;
}

/** What of a cluster the election needs. A Lease is replaced whole, under the version that was read. */
export type LeaseClient = Pick<Cluster, 'get' | 'create' | 'update' | 'watch'>;

/** The server ends a watch after this long, so that one that died in silence is not for ever. */
const watchSeconds = 300;

const notHeld = 'the Lease is not held any more';

const leases = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', plural: 'leases', namespaced: true };

interface Waiting {
  go(): void;
  stop(error: Error): void;
}

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
 * for the length of the lease by our own monotonic clock. `lost` is called at the latest when our last renewal was answered
 * `renewSeconds` ago, or asked for `leaseSeconds` ago. Nobody else can write before we have stopped to, as long as no
 * machine's clock runs more than twice as fast as another's: writes wait for the next renewal when the last was asked for
 * `writeSecondsOf` ago. What a network holds back and delivers after that, no client can take back; only the server could
 * refuse it, and it has no fence.
 *
 * A Lease that has our name and that we did not take is that of our life before, as of a container that was started again:
 * who does not lead takes it at once. Who leads has lost it then, to a process that has the same name.
 *
 * The Lease is watched, so that a change of it is acted on at once: a standby leads as soon as the Lease is given back or
 * has expired, and a leader whose Lease was taken by force stops. Watching only makes it fast: what the Lease says is read
 * before it is acted on, and where no watch is allowed, or it is silent, it is read every few seconds all the same.
 *
 * https://kubernetes.io/docs/concepts/architecture/leases/
 */
export class LeaderElection {
  #leads = false;
  /** When the last renewal that succeeded was asked for: from then on others may count the lease's time. */
  #renewedAt = 0;
  /** When we lead no more, unless we renew. */
  #until = 0;
  #callMilliseconds = 0;
  #observed: { readonly record: string; readonly expires: number } | undefined;
  /** True from when we first asked for the Lease: the answer may be lost, and the Lease ours. */
  #mayHold = false;
  /** What a Lease says that we took, or tried to take, and by which we know it from one that another of our name took. */
  #taken: Pick<LeaseSpec, 'acquireTime' | 'leaseTransitions'> | undefined;
  /** The Lease as we wrote it last, if nothing was heard of it since: it is renewed without a look, as client-go does. */
  #mine: KubeObject | undefined;
  /** Between two looks at the Lease; cut short when the watch told something that the next look has to see. */
  readonly #pause: InterruptiblePause;
  /** Writes that wait for the next renewal. */
  readonly #waiting = new Set<Waiting>();
  #isRenewing = false;
  readonly #lost = new AbortController();

  readonly #timings: LeaseTimings;
  /** Seconds. A call that gets no answer leaves time for another. */
  readonly #mostOfCall: number;

  constructor(private readonly options: LeaderElectionOptions) {
    this.#timings = options.timings ?? usualTimings;
    this.#mostOfCall = callSecondsOf(this.#timings);
    this.#pause = new InterruptiblePause(options.clock);
  }

  /** True from when we were elected until the time of the last renewal is over. */
  get leads(): boolean {
    return this.#leads && this.#left > 0;
  }

  /** Milliseconds for which we may still write; 0 for whoever does not lead. Looked up on the clock, so never late. */
  get left(): number {
    if (!this.#leads) return 0;
    return Math.max(0, this.#renewedAt + writeSecondsOf(this.#timings) * 1000 - this.options.clock.monotonic());
  }

  /** How long the last renewal took. */
  get callMilliseconds(): number {
    return this.#callMilliseconds;
  }

  /** Aborts at once when we must not write any longer, since another may lead. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /** Milliseconds until we lead no more, unless we renew. */
  get #left(): number {
    return this.#until - this.options.clock.monotonic();
  }

  /** Resolves when the Lease is renewed. Rejects when it is lost, or given up, before. */
  async renewed(): Promise<void> {
    if (!this.#isRenewing) throw new Error(notHeld);
    await new Promise<void>((go, stop) => {
      this.#waiting.add({ go, stop });
    });
  }

  /** Resolves when we lead. Rejects when `signal` aborts first. */
  async acquire(signal: AbortSignal): Promise<void> {
    const { log, clock, random } = this.options;
    let wasTold = false;
    void this.#follow(signal);
    for (;;) {
      signal.throwIfAborted();
      const holder = await this.#try(signal).catch((error: Error) => {
        if (!signal.aborted) log.warn('Failed to acquire the Lease', wordsOfError(error));
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
      // Not a moment later than its holder's time is over; each standby a little apart from the others.
      const free = (this.#observed?.expires ?? Number.POSITIVE_INFINITY) - clock.monotonic();
      const milliseconds = this.#timings.retrySeconds * 1000 * (1 + random() * 0.2);
      await this.#pause.wait(free > 0 ? Math.min(milliseconds, free + 100 * random()) : milliseconds, signal);
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
      log.error('Lost the Lease', wordsOfError(error));
      this.#lost.abort(error);
      lost(error);
      over.abort(error);
    };
    let failure: Error | undefined;
    const notRenewed = () => fail(notRenewedError(this.#timings.renewSeconds, failure));
    // No answer that is slow in coming may hold up the end.
    let disarm = clock.after(this.#left, notRenewed);
    this.#isRenewing = true;
    let last = this.#renewedAt;
    try {
      while (!either.aborted) {
        // Counted from when the last was asked for, so that slow answers cost no time, or failed; never two at once.
        const due = last + this.#timings.retrySeconds * 1000;
        await this.#pause.wait(Math.max(0, due - clock.monotonic()), either).catch(() => {});
        // A process that was stopped for long may wake up here before its timers do.
        if (this.#left <= 0) notRenewed();
        if (either.aborted) return;
        last = clock.monotonic();
        try {
          const holder = await this.#try(either, Math.min(this.#mostOfCall, this.#left / 1000));
          if (holder !== identity) fail(new Error(`"${holder}" holds it`));
          else this.#letGo(({ go }) => go());
          failure = undefined;
          disarm();
          disarm = clock.after(this.#left, notRenewed);
        } catch (error) {
          last = clock.monotonic();
          failure = asError(error);
          if (error instanceof NamesakeError) fail(error);
          else if (!either.aborted) log.warn('Failed to renew the Lease', wordsOfError(error));
        }
      }
    } finally {
      disarm();
      this.#isRenewing = false;
      this.#letGo(({ stop }) => stop(new Error(notHeld)));
    }
  }

  #letGo(tell: (waiting: Waiting) => void): void {
    for (const each of this.#waiting) tell(each);
    this.#waiting.clear();
  }

  /** Gives the Lease back, so that a standby need not wait for it to expire. */
  async release(): Promise<void> {
    this.#leads = false;
    if (!this.#mayHold) return;
    this.#mayHold = false;
    const { log, id } = this.options;
    try {
      const giveBack = () => this.#giveBack();
      // Somebody only touched it.
      const isReleased = await giveBack().catch((error: unknown) => {
        if (error instanceof ConflictError) return giveBack();
        throw error;
      });
      if (isReleased) log.info('Released the Lease', { lease: id });
    } catch (error) {
      log.warn('Failed to release the Lease', wordsOfError(error));
    }
  }

  /** False when it is another's by now. */
  async #giveBack(): Promise<boolean> {
    const { cluster } = this.options;
    const lease = await cluster.get(leases, this.#target, { timeoutSeconds: 1 });
    if (!this.#isOurs(specOf(lease))) return false;
    const spec = { ...specOf(lease), holderIdentity: '', leaseDurationSeconds: 1, renewTime: this.#now() };
    const write = { fieldManager: 'kilter-lease', timeoutSeconds: 1 };
    await cluster.update(leases, { ...lease, spec } as KubeObject, write);
    return true;
  }

  /** One try to take or to keep the Lease. Resolves with whoever holds it now; with us only when we just wrote it. */
  async #try(signal: AbortSignal, timeoutSeconds = this.#mostOfCall): Promise<string> {
    const { cluster, identity, clock } = this.options;
    const call = { signal, timeoutSeconds };
    const write = { ...call, fieldManager: 'kilter-lease' };
    const mine = (leaseTransitions: number, acquireTime = this.#now()): LeaseSpec => {
      this.#taken = { acquireTime, leaseTransitions };
      return {
        holderIdentity: identity,
        leaseDurationSeconds: this.#timings.leaseSeconds,
        ...this.#taken,
        renewTime: this.#now(),
      };
    };

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
        spec: mine(0),
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
    if (holder !== '' && holder !== identity && !isExpired) return holder;

    const isOurs = this.#isOurs(spec);
    if (this.#leads && holder === identity && !isOurs) throw new NamesakeError(identity);

    const transitions = (spec.leaseTransitions ?? 0) + (isOurs ? 0 : 1);
    const next = mine(transitions, isOurs ? spec.acquireTime : undefined);
    const asked = clock.monotonic();
    this.#mayHold = true;
    try {
      this.#mine = await cluster.update(leases, { ...lease, spec: next } as KubeObject, write);
    } catch (error) {
      if (known && (error instanceof ConflictError || error instanceof NotFoundError)) {
        return this.#try(signal, timeoutSeconds);
      }
      if (!(error instanceof ConflictError)) throw error;
      const { holderIdentity: winner = '' } = specOf(await cluster.get(leases, this.#target, call));
      // Somebody only touched it: it is still to be had, but not by this try.
      if (winner === '' || winner === identity) throw error;
      return winner;
    }
    this.#wasRenewed(asked);
    return identity;
  }

  #isOurs({ holderIdentity, acquireTime, leaseTransitions = 0 }: LeaseSpec): boolean {
    const taken = this.#taken;
    return (
      holderIdentity === this.options.identity &&
      acquireTime === taken?.acquireTime &&
      leaseTransitions === taken?.leaseTransitions
    );
  }

  #wasRenewed(asked: number): void {
    const { renewSeconds, leaseSeconds } = this.#timings;
    const answered = this.options.clock.monotonic();
    this.#renewedAt = asked;
    this.#callMilliseconds = answered - asked;
    this.#until = Math.min(answered + renewSeconds * 1000, asked + leaseSeconds * 1000);
  }

  /** When the Lease, as it was just seen, expires by our own clock: its time begins when a change of it is first seen. */
  #observe(spec: LeaseSpec): number {
    const record = JSON.stringify(spec);
    if (this.#observed?.record !== record) {
      const at = this.options.clock.monotonic();
      this.#observed = { record, expires: at + (spec.leaseDurationSeconds ?? this.#timings.leaseSeconds) * 1000 };
    }
    return this.#observed.expires;
  }

  /** Watches the Lease until `signal` aborts. Never rejects. */
  async #follow(signal: AbortSignal): Promise<void> {
    const { cluster, clock, id, namespace, log } = this.options;
    const selected = { namespace, fieldSelector: `metadata.name=${id}` };
    while (!signal.aborted) {
      try {
        for await (const event of cluster.watch(leases, { ...selected, timeoutSeconds: watchSeconds, signal })) {
          if (event.type === 'BOOKMARK' || event.object.metadata.name !== id) continue;
          const spec = event.type === 'DELETED' ? {} : specOf(event.object);
          this.#observe(spec);
          const { holderIdentity: holder = '' } = spec;
          // A leader looks who took its Lease, and whoever waits for it whether it is free.
          if (this.#leads ? !this.#isOurs(spec) : holder === '') this.#tellNews();
        }
      } catch (error) {
        if (!signal.aborted) log.debug('Failed to watch the Lease', wordsOfError(error));
      }
      await sleep(clock, this.#timings.retrySeconds * 1000, signal).catch(() => {});
    }
  }

  #tellNews(): void {
    this.#mine = undefined;
    this.#pause.interrupt();
  }

  get #target() {
    return { namespace: this.options.namespace, name: this.options.id };
  }

  #now(): string {
    return new Date(this.options.clock.now()).toISOString().replace('Z', '000Z');
  }
}

/** Told by the last line of a process, which many see alone: with what the last try failed by. */
function notRenewedError(seconds: number, failure: Error | undefined): Error {
  const message = `it was not renewed for ${seconds} s`;
  if (!failure) return new Error(message);
  return new OperatorError(`${message}: ${failure.message}`, {
    hint: failure instanceof OperatorError ? failure.hint : undefined,
  });
}

/** The Lease that we had is held by our name, and not by us. */
class NamesakeError extends OperatorError {
  constructor(identity: string) {
    super(`another process that is named "${identity}" holds it`, {
      hint: 'give each replica a POD_NAME of its own, and look for a pod that was deleted by force while its node was away',
    });
  }
}

function specOf(lease: KubeObject): LeaseSpec {
  return ((lease as { spec?: LeaseSpec }).spec ?? {}) as LeaseSpec;
}
