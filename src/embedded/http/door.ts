import type { Clock, Random } from '../../kube/clock.js';
import type { Caller, Verbs } from '../api-server.js';
import type { VirtualDesk } from '../auth/virtual-kind.js';
import type { Kinds } from '../kinds/kinds.js';
import type { Query } from './query.js';

/** What stands behind the HTTP door. */
export interface Door {
  readonly verbs: Verbs;
  readonly kinds: Kinds;
  readonly clock: Clock;
  readonly random: Random;
  /** Who may do what, who has which token, and what questions about both are answered from. */
  readonly desk: VirtualDesk;
  /** Told what a handler threw that is no answer: a fault of the server. */
  onFault?(error: unknown): void;
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
  body(): Promise<Buffer>;
  /** Aborts when the caller goes or the server closes. */
  readonly signal: AbortSignal;
}
