import type { Clock, Random } from '../../kube/clock.js';
import type { Json } from '../../kube/manifest.js';
import type { Caller, Verbs } from '../api-server.js';
import type { Kinds } from '../kinds/kinds.js';
import type { Query } from './query.js';

/** What stands behind the HTTP door. */
export interface Door {
  readonly verbs: Verbs;
  readonly kinds: Kinds;
  readonly clock: Clock;
  readonly random: Random;
  /** Who sends this `Authorization` header. Throws a `StatusError` (401) for credentials that nobody has. */
  authenticate(authorization: string | undefined): Caller;
  /** Whether the caller may use a path that belongs to no kind. Default: everybody may. */
  mayUse?(caller: Caller, verb: string, path: string): boolean;
  /** Kinds that are answered and never kept, such as `SelfSubjectAccessReview`. */
  readonly questions?: readonly Question[];
  /** The OpenAPI schemas of the built-in types of a version, by name, with all that they refer to. */
  schemasOf?(group: string, version: string): Readonly<Record<string, object>>;
  /** Told what a handler threw that is no answer: a fault of the server. */
  onFault?(error: unknown): void;
}

/** A kind of which objects are only ever created, and answered at once. */
export interface Question {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly singular: string;
  readonly namespaced: boolean;
  /** For one that is asked of an object: `token` of `serviceaccounts`, in the version that serves these. */
  readonly subresource?: { readonly of: { readonly group: string; readonly version: string }; readonly name: string };
  ask(body: { readonly [field: string]: Json }, about: AskedBy): object;
}

export interface AskedBy {
  readonly caller: Caller;
  readonly namespace?: string;
  readonly name?: string;
}

/** A request, as far as its head has come. */
export interface Asked {
  readonly method: string;
  /** Decoded, without the query. */
  readonly path: string;
  readonly query: Query;
  readonly caller: Caller;
  readonly accept: string | undefined;
  readonly contentType: string | undefined;
  readonly userAgent: string | undefined;
  /** Reads the rest. */
  body(): Promise<string>;
  /** Aborts when the caller goes or the server closes. */
  readonly signal: AbortSignal;
}
