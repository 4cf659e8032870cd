import { RetryAfterError, TransportError } from '../client/api-error.js';
import type { CallOptions, Cluster, Target } from '../client/cluster.js';
import type { ApiResource } from '../kube/api-resource.js';
import type { Clock } from '../kube/clock.js';
import { OperatorError } from '../kube/errors.js';
import { follow } from '../kube/first-abort.js';
import { type ObjectRef, placeOf, show } from '../kube/object-ref.js';

/** So many seconds of a round may go by in calls that fail. */
const lostSeconds = 60;

/** Of those, in writes of one kind in one namespace: then others have their turn. A call takes half a minute at most. */
const lostSecondsOfKind = 20;

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
  /** Does what has limits of its own: however long that takes, and however it ends, the round has as much time after it as before. */
  apart<T>(work: () => Promise<T>): Promise<T>;
  /** The round has ended, and no timer is left. */
  end(): void;
}

/** What one round has of time still. */
interface TimeOfRound {
  /** Until when it may go on, in monotonic milliseconds, unless a call succeeds. */
  until: number;
  /** When the last call that succeeded had ended: the time until then is given back. */
  answeredAt: number;
  /** What failed first, of what may have taken its time. */
  first?: Error;
  /** By kind and namespace, milliseconds that went by in writes that nobody answered. */
  readonly lost: Map<string, number>;
}

/**
 * Frees workers of custom resources for which nobody answers, as where a webhook of their namespace hangs: each of their
 * children would hold a worker for as long as a call may take.
 *
 * **Guarantees.** What succeeds costs a round none of its time, so that any number of children is made in one round. Only lost
 * time is limited, and what hangs for one kind in one namespace leaves time for the others. When a round is given up, one write
 * at most is under way. Whether it was carried out is not known; the next round sees, as after any lost answer.
 *
 * **Assumes** that what a round writes, it writes one after the other, and all that it calls with its own signal.
 */
export class RoundLimits {
  /** The cluster by whose answers rounds go on. */
  readonly cluster: Cluster;
  readonly #rounds = new Map<AbortSignal, TimeOfRound>();

  constructor(
    cluster: Cluster,
    private readonly clock: Clock,
    private readonly seconds = lostSeconds,
  ) {
    this.cluster = {
      get: (kind, target, options) => this.#timed(options, () => cluster.get(kind, target, options)),
      list: (kind, options) => this.#timed(options, () => cluster.list(kind, options)),
      watch: (kind, options) => cluster.watch(kind, options),
      create: (kind, manifest, options) =>
        this.#written(at(kind, manifest.metadata), options, () => cluster.create(kind, manifest, options)),
      update: (kind, object, options) =>
        this.#written(at(kind, object.metadata), options, () => cluster.update(kind, object, options)),
      apply: (kind, manifest, options) =>
        this.#written(at(kind, manifest.metadata), options, () => cluster.apply(kind, manifest, options)),
      patch: (kind, target, patch, options) =>
        this.#written(at(kind, target), options, () => cluster.patch(kind, target, patch, options)),
      delete: (kind, target, options) =>
        this.#written(at(kind, target), options, () => cluster.delete(kind, target, options)),
    };
  }

  begin(outer: AbortSignal): RoundLimit {
    const { clock, seconds } = this;
    const stop = new AbortController();
    const began = clock.monotonic();
    const round: TimeOfRound = { until: began + seconds * 1000, answeredAt: began, lost: new Map() };
    this.#rounds.set(stop.signal, round);
    const letGo = follow(stop, outer);
    let cancel = () => {};
    const look = () => {
      const left = round.until - clock.monotonic();
      if (left <= 0) stop.abort(new RoundTimeoutError(seconds, round.first));
      else cancel = clock.after(left, look);
    };
    look();
    return {
      signal: stop.signal,
      apart: async (work) => {
        const left = round.until - clock.monotonic();
        cancel();
        try {
          return await work();
        } finally {
          round.answeredAt = clock.monotonic();
          round.until = round.answeredAt + left;
          look();
        }
      },
      end: () => {
        cancel();
        letGo();
        this.#rounds.delete(stop.signal);
      },
    };
  }

  /** A webhook that hangs for one kind must not keep the children of other kinds from their turn, round after round. */
  async #written<T>(
    place: Omit<ObjectRef, 'apiVersion'>,
    options: CallOptions | undefined,
    call: () => Promise<T>,
  ): Promise<T> {
    const round = this.#roundOf(options);
    if (!round) return call();
    const { kind, namespace = '' } = place;
    const key = `${kind}/${namespace}`;
    const lost = round.lost.get(key) ?? 0;
    if (lost >= lostSecondsOfKind * 1000) {
      throw new TransportError(
        `${show(place)} was not tried: for ${Math.round(lost / 1000)} s no write of ${kind} was answered`,
      );
    }
    const began = this.clock.monotonic();
    try {
      return await this.#timed(options, call);
    } catch (error) {
      if (error instanceof TransportError) round.lost.set(key, lost + this.clock.monotonic() - began);
      throw error;
    }
  }

  #roundOf(options: CallOptions | undefined): TimeOfRound | undefined {
    return options?.signal && this.#rounds.get(options.signal);
  }

  async #timed<T>(options: CallOptions | undefined, call: () => Promise<T>): Promise<T> {
    const round = this.#roundOf(options);
    if (!round) return call();
    const began = this.clock.monotonic();
    try {
      const answer = await call();
      const now = this.clock.monotonic();
      // Once for all that were under way at the same time.
      round.until += now - Math.max(began, round.answeredAt);
      round.answeredAt = now;
      return answer;
    } catch (error) {
      // What the server refuses costs no time.
      if (error instanceof TransportError || error instanceof RetryAfterError) round.first ??= error;
      throw error;
    }
  }
}

function at({ kind }: ApiResource, target: Target): Omit<ObjectRef, 'apiVersion'> {
  return { kind, ...placeOf(target) };
}
