import { RetryAfterError, TransportError } from '../client/api-error.js';
import type { CallOptions, Cluster } from '../client/cluster.js';
import type { Clock } from '../kube/clock.js';
import { OperatorError } from '../kube/errors.js';

/** So many seconds of a round may go by in calls that fail. */
const lostSeconds = 60;

/** A round came to its end because the API server did not answer. The next one goes on where it was. */
export class RoundTimeoutError extends OperatorError {
  override readonly name = 'RoundTimeoutError';

  constructor(seconds: number, first: Error | undefined) {
    super(`given up after ${seconds} s in calls that failed${first ? `; the first: ${first.message}` : ''}`, {
      hint: 'it is tried again by itself; if it lasts, see what keeps the API server or its webhooks from answering',
    });
  }
}

/** The limit of one round. */
export interface RoundLimit {
  /** For calls that the round need not make: aborts when it has lost too much time, and when the process ends. */
  readonly signal: AbortSignal;
  /** The round has ended, and no timer is left. */
  end(): void;
}

interface Round {
  /** Until when it may go on, in monotonic milliseconds, unless a call succeeds. */
  until: number;
  /** What failed first, of what may have taken its time. */
  first?: Error;
}

/**
 * Frees workers of custom resources for which nobody answers, as where a webhook of their namespace hangs: each of their
 * children would hold a worker for as long as a call may take.
 *
 * **Guarantees.** What succeeds costs a round none of its time, so that however many children are all made in one. Only the
 * time that is lost is limited. A round that is given up has a call under way at most, of which it is not known whether it
 * was carried out: the next round sees that, as after any answer that was lost.
 *
 * **Assumes** that what a round calls, it calls one after the other, with the round's signal.
 */
export class RoundLimits {
  /** The cluster by whose answers rounds go on. */
  readonly cluster: Cluster;
  readonly #rounds = new Map<AbortSignal, Round>();

  constructor(
    cluster: Cluster,
    private readonly clock: Clock,
    private readonly seconds = lostSeconds,
  ) {
    this.cluster = {
      get: (kind, target, options) => this.#timed(options, () => cluster.get(kind, target, options)),
      list: (kind, options) => this.#timed(options, () => cluster.list(kind, options)),
      watch: (kind, options) => cluster.watch(kind, options),
      create: (kind, manifest, options) => this.#timed(options, () => cluster.create(kind, manifest, options)),
      update: (kind, object, options) => this.#timed(options, () => cluster.update(kind, object, options)),
      apply: (kind, manifest, options) => this.#timed(options, () => cluster.apply(kind, manifest, options)),
      patch: (kind, target, patch, options) => this.#timed(options, () => cluster.patch(kind, target, patch, options)),
      delete: (kind, target, options) => this.#timed(options, () => cluster.delete(kind, target, options)),
    };
  }

  begin(outer: AbortSignal): RoundLimit {
    const { clock, seconds } = this;
    const stop = new AbortController();
    const round: Round = { until: clock.monotonic() + seconds * 1000 };
    this.#rounds.set(stop.signal, round);
    const abort = () => stop.abort(outer.reason);
    if (outer.aborted) abort();
    outer.addEventListener('abort', abort, { once: true });
    let cancel = () => {};
    const look = () => {
      const left = round.until - clock.monotonic();
      if (left <= 0) stop.abort(new RoundTimeoutError(seconds, round.first));
      else cancel = clock.after(left, look);
    };
    look();
    return {
      signal: stop.signal,
      end: () => {
        cancel();
        outer.removeEventListener('abort', abort);
        this.#rounds.delete(stop.signal);
      },
    };
  }

  async #timed<T>(options: CallOptions | undefined, call: () => Promise<T>): Promise<T> {
    const round = options?.signal && this.#rounds.get(options.signal);
    if (!round) return call();
    const began = this.clock.monotonic();
    try {
      const answer = await call();
      round.until += this.clock.monotonic() - began;
      return answer;
    } catch (error) {
      // What the server refuses costs no time.
      if (error instanceof TransportError || error instanceof RetryAfterError) round.first ??= error;
      throw error;
    }
  }
}
