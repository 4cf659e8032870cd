import type { CustomResource, CustomResourceClass } from '../resource/custom-resource.js';
import type { InputsOf } from './reads.js';

/** What the functions of an external get beside the custom resource: all that they may know of the world. */
export interface ExternalCall<R = object> {
  /**
   * The uid of the custom resource: it never changes, and no other custom resource has it. A service that takes it as an
   * idempotency key does once what it is asked twice:
   * https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/
   */
  readonly key: string;
  /**
   * What the `reads` of the operator gave when the round began, as `compose` gets them: a Secret with the custom resource's own
   * account of the service, say. Undefined while it is not there, and for `remove` where it went sooner.
   */
  readonly reads: InputsOf<R>;
  /**
   * HTTP, as the global `fetch`. A request is aborted when `signal` below aborts, or the one in its own options. It rejects, and
   * sends nothing, once another replica leads.
   */
  readonly fetch: typeof globalThis.fetch;
  /** Aborts when the call took 30 seconds, the process ends, or another replica leads. */
  readonly signal: AbortSignal;
  /** The environment variable `name`, which the operator declares in `settings`. Throws a `TerminalError` that names it where it is not set. */
  setting(name: string): string;
}

/**
 * Something outside the cluster that belongs to a custom resource, such as a booking.
 *
 * The controller calls `observe` and then `ensure` in every round, so that neither may rely on what an earlier one did: a
 * process may end between any two lines. It calls `remove` before the custom resource goes, for which it has a finalizer.
 * What they throw is tried again after a growing wait; a `TerminalError` of the first two, which says that somebody has to change
 * something first, when the spec changes, and else as often as it is polled. Where drift is not enforced only `observe` is called.
 */
export interface External<C, State, R = object> {
  /** Seconds from one look at it to the next while nothing else happens: outside the cluster there is nothing to watch. Above 0. */
  readonly pollSeconds: number;
  /** What there is, found by `call.key`; undefined if there is nothing. */
  observe(cr: C, call: ExternalCall<R>): Promise<State | undefined>;
  /** Makes it what `cr` says, from `observed`, and resolves with what there is then. Where that is so already it does nothing. */
  ensure(cr: C, observed: NoInfer<State> | undefined, call: ExternalCall<R>): Promise<NoInfer<State>>;
  /** Removes it, and resolves when it is gone. Called again until it has resolved, so also where nothing is left to remove. */
  remove(cr: C, call: ExternalCall<R>): Promise<void>;
}

/**
 * An external of a kind, as its author declares it: `ExternalOf<typeof FlightTicket, Booking>`; of an operator that reads
 * something `ExternalOf<typeof FlightTicket, Booking, typeof reads>`.
 */
export type ExternalOf<K, State, R = object> =
  K extends CustomResourceClass<infer _, infer SpecOut, infer Status>
    ? External<CustomResource<SpecOut, Status>, State, R>
    : never;

/** What `observe` or `ensure` gave last of each external, by its name; undefined where there is nothing, or it was not looked at yet. */
export type States<X> = { readonly [Name in keyof X]: X[Name] | undefined };
