import type { CallMatch } from '../../src/testing/call.js';
import type { Taken } from './definitions.js';

/** An object by its kind, as steps name it. */
export interface Named {
  readonly kind: string;
  /** Absent for a Namespace, which is in none. */
  readonly namespace?: string;
  readonly name: string;
}

/** What somebody else does to the cluster. `at` is in seconds. What the server refuses is left undone. */
export type WorkloadStep = { readonly at: number } & (
  | { readonly do: 'apply'; readonly object: Named; readonly body: Readonly<Record<string, unknown>> }
  | { readonly do: 'patch'; readonly object: Named; readonly body: object; readonly subresource?: 'status' }
  /** A PUT of little more than nothing, as by somebody who knows only his own fields. */
  | { readonly do: 'replace'; readonly object: Named; readonly body: Readonly<Record<string, unknown>> }
  | { readonly do: 'delete'; readonly object: Named }
  /** The definition of Sites takes less from now on, or all again. */
  | { readonly do: 'redefine'; readonly taken: Taken }
  /** A kind is defined from now on, or is no more, and its objects go with it. */
  | { readonly do: 'serve'; readonly kind: 'Gem'; readonly isServed: boolean }
  /** What etcd has is kept aside, or is from now on what it was then. */
  | { readonly do: 'backup' }
  | { readonly do: 'restore' }
  /** A replica goes on as another version of the operators, whose children differ; the last that comes to `one` is the one that stays. */
  | { readonly do: 'upgrade'; readonly to: 0 | 1; readonly edition: Edition; readonly how: 'kill' | 'stop' }
);

/** A version of the operators. What they compose differs, but for the third, which is the first again. */
export type Edition = 'first' | 'second' | 'third';

/** A step of which it is not said yet when it is done. */
export type UntimedStep = WorkloadStep extends infer S ? (S extends unknown ? Omit<S, 'at'> : never) : never;

/** What goes wrong, and whom it befalls: the first replica or the second. With `for`, it ends after so many seconds. */
export type FaultStep = { readonly at: number; readonly to: 0 | 1; readonly for?: number } & (
  | { readonly fault: 'crash'; readonly when: 'before' | 'after'; readonly match: CallMatch }
  | {
      readonly fault: 'refuse';
      readonly match: CallMatch;
      readonly code: number;
      readonly retryAfter?: number;
      readonly times: number;
    }
  | { readonly fault: 'lose'; readonly when: 'before' | 'after'; readonly match: CallMatch; readonly times: number }
  | { readonly fault: 'delay'; readonly match: CallMatch; readonly seconds: number; readonly times: number }
  /** Somebody else changes a child just before or just after a write to it reaches the server. */
  | { readonly fault: 'race'; readonly when: 'before' | 'after'; readonly match: CallMatch; readonly times: number }
  | { readonly fault: 'hold' | 'lag' | 'break' | 'silence'; readonly kind: string }
  /** To it the server knows the kind no more. */
  | { readonly fault: 'unserve'; readonly kind: string }
  | SickStep
  /** All that it sends is lost, and its watches are silent. */
  | { readonly fault: 'partition' }
  | { readonly fault: 'slow'; readonly milliseconds: number; readonly seed: number; readonly kind?: string }
  | { readonly fault: 'kill' | 'stop' | 'lose-lease' }
  /** Somebody gives the Lease to another, or deletes it, whoever has it. */
  | { readonly fault: 'take-lease' | 'delete-lease' }
  | { readonly fault: 'pause'; readonly first: 'timers' | 'answers' }
  /** The whole world loses time, as a machine that is suspended. */
  | { readonly fault: 'leap'; readonly seconds: number }
  | { readonly fault: 'wall'; readonly seconds: number }
  /** The clocks of its machine run so many times as fast as those of others. */
  | { readonly fault: 'rate'; readonly rate: number }
  | { readonly fault: 'compact' }
  /** The service outside the cluster, for whoever asks it. */
  | { readonly fault: 'service'; readonly how: ServiceFault }
);

/**
 * Of two API servers one hears nothing from etcd, answers so to calls after so many seconds, and tells no watch of anything new; or hears of
 * everything so many seconds late; or it hangs, and says nothing to anybody.
 */
export type SickStep = Chances &
  (
    | { readonly fault: 'cut-off'; readonly code: 500 | 504; readonly after: number }
    | { readonly fault: 'behind'; readonly seconds: number }
    /** Of a hundred calls that were given up by then it does so many, once it goes on. */
    | { readonly fault: 'hang'; readonly late: number }
  );

/** Of a hundred watches that are open, and of a hundred connections that are made later, how many lead to a server that is not well. */
export interface Chances {
  readonly seed: number;
  readonly open: number;
  readonly later: number;
  /** No kind is led there more than once later, since whoever always is has no chance. */
  readonly isOnce?: boolean;
}

/** When all else is over, one of two API servers hears nothing from etcd, and things are changed. */
export type Deafness = Omit<Chances, 'isOnce'>;

/** It answers 500, or nothing, or does what it is asked and answers 502, or has lost all that it had. */
export type ServiceFault = 'fail' | 'hang' | 'lose' | 'forget';

/** A history that is to be: the same schedule gives the same one, to the last uid. */
export interface Schedule {
  /** Of uids, jitter and latencies. */
  readonly seed: number;
  readonly replicas: 1 | 2;
  /** With Memcached, and the cluster's own controllers for its Pods. */
  readonly pods: boolean;
  /** With Tours, which have children in other namespaces. Absent where there are none. */
  readonly tours?: boolean;
  /** With Trips, which have something outside the cluster, and Depots, whose children stay or are taken over. */
  readonly extras?: boolean;
  /** With Vaults, whose own field says what becomes of their children. */
  readonly vaults?: boolean;
  /** With Reviews, which read what is shared with them in other namespaces, and have a child of a kind that comes and goes. */
  readonly reviews?: boolean;
  /** The second edition of the operators is called something else, too; the third is called as the first, and knows of it. */
  readonly renamed?: boolean;
  /** How many custom resources of a kind another version changes at once. Absent: all. */
  readonly rolloutLimit?: number;
  /** Absent: there is one API server in the end. */
  readonly deafness?: Deafness;
  /** How long a replica that died is gone. */
  readonly restartSeconds: number;
  readonly workload: readonly WorkloadStep[];
  readonly faults: readonly FaultStep[];
}

/** When the last step is over. */
export function endOf({ workload, faults }: Pick<Schedule, 'workload' | 'faults'>): number {
  return Math.max(0, ...workload.map(({ at }) => at), ...faults.map((fault) => fault.at + (fault.for ?? 0)));
}
