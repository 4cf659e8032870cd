import type { AuthorsFunction } from '../author/stray-owners.js';
import type { Outcome } from '../outcome.js';

/**
 * Follows what the runtime does through time, for whoever collects traces. Where nobody does there is none, and nothing is
 * spent on it.
 *
 * It is told what the log is told: the names of operators, of objects and of functions, and reasons. It never hears a value of
 * an object, nor the words of an error, which may quote one.
 */
export interface Tracing {
  /** Runs a round. What it calls, and what an author's code does in it, is part of it until it ends. */
  round(round: TracedRound, body: () => Promise<Outcome>): Promise<Outcome>;
  /** A function of an author that computes begins. Its end is told to what is returned. */
  computing(what: NamedFunction): (isThrown: boolean) => void;
  /** Runs a function of an author that calls what is outside the cluster. */
  outside<T>(what: NamedFunction, body: () => Promise<T>): Promise<T>;
  /** The trace and the span that are followed right now, as lines of the log have them beside `reconcileID`. */
  ids(): object;
  /** A review begins, by a request with these headers. */
  reviewing(path: string, headers: Headers): TracedReview;
}

export interface TracedRound {
  readonly operator: string;
  /** Of the custom resource. */
  readonly kind: string;
  readonly namespace: string | undefined;
  readonly name: string;
  /** Why it is. */
  readonly reasons: readonly string[];
  /** By which the log tells it. */
  readonly id: string;
}

export type NamedFunction = Omit<AuthorsFunction, 'rejected'>;

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** One review, until it is answered. */
export interface TracedReview {
  /** Runs what is part of it. */
  run<T>(body: () => T): T;
  /** With this HTTP code. */
  ended(code: number): void;
}
