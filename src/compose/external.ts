import type { CustomResource, CustomResourceClass } from '../resource/custom-resource.js';
import type { InputsOf } from './reads.js';

/** What the functions of an external get beside the custom resource: all that they may know of the world. */
export interface ExternalCall<R = object> {
  /**
   * The same for one custom resource whatever happens, and no other's: its uid. A service that is handed it as an idempotency
   * key does once what it is asked twice: https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/
   */
  readonly key: string;
  /**
   * What the `reads` of the operator gave when the round began, as `compose` gets them: a Secret with the custom resource's own
   * account of the service, say. Undefined while it is not there, and for `remove` where it went sooner.
   */
  readonly reads: InputsOf<R>;
  /** HTTP, as in the browser. Ends with `signal`, and with one that is handed to it. Asks nothing when another leads. */
  readonly fetch: typeof globalThis.fetch;
  /** Aborts when the call takes too long, the process ends, or another leads. */
  readonly signal: AbortSignal;
  /** A setting that the operator declares. Throws an error that says which one is missing. */
  setting(name: string): string;
}

/**
 * Something outside the cluster that belongs to a custom resource, such as a booking.
 *
 * The controller calls `observe` and then `ensure` in every round, so that neither may rely on what an earlier one did: a
 * process may end between any two lines. It calls `remove` before the custom resource goes, for which it has a finalizer.
 * What they throw is tried again after a growing wait; a `TerminalError`, which says that somebody has to change something first,
 * when the spec changes, and else as often as it is polled. Where drift is not enforced only `observe` is called.
 */
export interface External<C, State, R = object> {
  /** It is looked at so often, since nobody tells what becomes of it. */
  readonly pollSeconds: number;
  /** What there is, found by `call.key`; undefined if there is nothing. */
  observe(cr: C, call: ExternalCall<R>): Promise<State | undefined>;
  /** Brings `observed` to what is desired, and resolves with what there is then. Where all is well it does nothing. */
  ensure(cr: C, observed: NoInfer<State> | undefined, call: ExternalCall<R>): Promise<NoInfer<State>>;
  /** Removes it. Where there is nothing, there is nothing to do. */
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

/** What there is of each external, by its name; undefined before it could be looked at, and where there is nothing. */
export type States<X> = { readonly [Name in keyof X]: X[Name] | undefined };
