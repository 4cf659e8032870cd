/** Longer than most files: who leads, until when, and who waits for that is one state. */
import type { Clock, Random } from '../../kube/clock.js';
import { asError, OperatorError } from '../../kube/errors.js';
import { callSecondsOf, type LeaseTimings, usualTimings, writeSecondsOf } from '../../kube/lease-timings.js';
import type { Hangs } from '../informer/hangs.js';
import { type Log, wordsOfError } from '../telemetry/log.js';
import { ToldTrouble } from '../telemetry/told-trouble.js';
import { askedAgain } from './asked-again.js';
import { InterruptiblePause } from './interruptible-pause.js';
import { type LeaseClient, LeaseLock, NamesakeError } from './lease-lock.js';

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
  /** Hears of calls that hang. */
  readonly hangs?: Hangs;
}

const notHeld = 'the Lease is not held any more';

interface Waiting {
  go(): void;
  stop(error: Error): void;
}

/**
 * Stands for election by a Lease, of which one process at a time is the holder.
 *
 * **Guarantees.** No clocks are compared between machines: another holder counts as gone when its record did not change
 * for the length of the lease by our own monotonic clock. `lost` is called at the latest when our last renewal was answered
 * `renewSeconds` ago, or asked for `leaseSeconds` ago. Nobody else can write before we have stopped to, as long as no
 * machine's clock runs more than twice as fast as another's: writes wait for the next renewal when the last was asked for
 * `writeSecondsOf` ago. What a network holds back and delivers after that, no client can take back: the server has no fence.
 *
 * A Lease that has our name and that we did not take is that of our life before, as of a container that was started again:
 * who does not lead takes it at once. Who leads has lost it then, to a process that has the same name.
 *
 * The Lease is watched, so that a change of it is acted on at once: a standby leads as soon as the Lease is given back or
 * has expired, and a leader whose Lease was taken by force stops. Watching only makes it fast: what the Lease says is read
 * before it is acted on, and nothing is written until then. Where no watch is allowed, or it is silent, it is read every few
 * seconds all the same. No call for it hangs alone on a connection: see `askedAgain`.
 *
 * https://kubernetes.io/docs/concepts/architecture/leases/
 */
export class LeaderElection {
  readonly #lock: LeaseLock;
  #leads = false;
  /** When the last renewal that succeeded was asked for: from then on others may count the lease's time. */
  #renewedAt = 0;
  /** When we lead no more, unless we renew. */
  #until = 0;
  #callMilliseconds = 0;
  /** True from when the watch told that we have it no more until we were answered that we have. */
  #isDoubted = false;
  /** Between two looks at the Lease; cut short when the watch told something that the next look has to see. */
  readonly #pause: InterruptiblePause;
  /** Writes that wait for the next renewal. */
  readonly #waiting = new Set<Waiting>();
  #isRenewing = false;
  #isFollowing = false;
  readonly #lost = new AbortController();
  readonly #timings: LeaseTimings;
  /** Seconds. A call that gets no answer leaves time for another. */
  readonly #mostOfCall: number;

  constructor(private readonly options: LeaderElectionOptions) {
    this.#timings = options.timings ?? usualTimings;
    this.#mostOfCall = callSecondsOf(this.#timings);
    this.#pause = new InterruptiblePause(options.clock);
    const own = { name: options.id, timings: this.#timings, leads: () => this.#leads };
    const cluster = askedAgain(options.cluster, options.clock, (since) => options.hangs?.seen(since));
    this.#lock = new LeaseLock({ ...options, ...own, cluster });
  }

  /** True from when we were elected until the time of the last renewal is over. */
  get leads(): boolean {
    return this.#leads && this.#left > 0;
  }

  /** Milliseconds for which we may still write; 0 for whoever does not lead. Looked up on the clock, so never late. */
  get left(): number {
    return Math.max(0, this.until - this.options.clock.monotonic());
  }

  /** When that is over, on the monotonic clock; the past for whoever does not lead, or may not. */
  get until(): number {
    if (!this.#leads || this.#isDoubted) return Number.NEGATIVE_INFINITY;
    return this.#renewedAt + writeSecondsOf(this.#timings) * 1000;
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

  /**
   * Watches the Lease from now on until `signal` aborts, and writes nothing: how long nobody renews it counts before we stand for
   * election, so that who takes long to begin need not wait once more for what its leader left behind when it died.
   */
  follow(signal: AbortSignal): void {
    if (this.#isFollowing) return;
    this.#isFollowing = true;
    void this.#lock.follow(signal, () => {
      this.#isDoubted = true;
      this.#pause.interrupt();
    });
  }

  /** Resolves when we lead. Rejects when `signal` aborts first. */
  async acquire(signal: AbortSignal): Promise<void> {
    const { log, clock, random } = this.options;
    const trouble = new ToldTrouble(clock);
    let wasTold = false;
    this.follow(signal);
    for (;;) {
      signal.throwIfAborted();
      const holder = await this.#try(signal).catch((error: Error) => {
        if (signal.aborted) return undefined;
        if (trouble.failed(error)) log.warn('Failed to acquire the Lease', wordsOfError(error));
        else log.debug('Failed to acquire the Lease again', wordsOfError(error));
        return undefined;
      });
      // Whoever read that it failed is told what came of it.
      if (holder !== undefined && trouble.over() !== undefined) wasTold = false;
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
      const free = this.#lock.expiresAt - clock.monotonic();
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
    const { log, id } = this.options;
    try {
      if (await this.#lock.giveBack()) log.info('Released the Lease', { lease: id });
    } catch (error) {
      log.warn('Failed to release the Lease', wordsOfError(error));
    }
  }

  /** One try to take or to keep the Lease. Resolves with whoever holds it now; with us only when we just wrote it. */
  async #try(signal: AbortSignal, timeoutSeconds = this.#mostOfCall): Promise<string> {
    const { holder, askedAt } = await this.#lock.take({ signal, timeoutSeconds });
    if (askedAt !== undefined) this.#wasRenewed(askedAt);
    return holder;
  }

  #wasRenewed(asked: number): void {
    const { renewSeconds, leaseSeconds } = this.#timings;
    const answered = this.options.clock.monotonic();
    this.#renewedAt = asked;
    this.#isDoubted = false;
    this.#callMilliseconds = answered - asked;
    this.#until = Math.min(answered + renewSeconds * 1000, asked + leaseSeconds * 1000);
  }
}

/** Told by the last line of a process, which many see alone: with what the last try failed by. */
function notRenewedError(seconds: number, failure: Error | undefined): Error {
  const hint = failure instanceof OperatorError ? failure.hint : undefined;
  return new OperatorError(`it was not renewed for ${seconds} s${failure ? `: ${failure.message}` : ''}`, { hint });
}
