/** How long a Lease is good for, and how hard its holder tries to keep it. Seconds. */
export interface LeaseTimings {
  /** Others wait for so long after its last change. Whole seconds, as the Lease says it. */
  readonly leaseSeconds: number;
  /** Whoever could not renew it for so long has lost it. */
  readonly renewSeconds: number;
  /** From one renewal to the next, and from one try to take it to the next. */
  readonly retrySeconds: number;
}

/** The usual timings: https://pkg.go.dev/k8s.io/client-go/tools/leaderelection */
export const usualTimings: LeaseTimings = { leaseSeconds: 15, renewSeconds: 10, retrySeconds: 2 };

const leastStandstillSeconds = 1.4;
/** An `int32` in the Lease. */
const longestLeaseSeconds = 2 ** 31 - 1;

/**
 * No write is under way for longer than this after the last renewal was asked for, 7 s by the usual timings: not half the
 * lease, so that a standby whose clock runs twice as fast as ours cannot lead before, and short of where the Lease is lost.
 */
export function writeSecondsOf({ leaseSeconds, renewSeconds }: LeaseTimings): number {
  return Math.min((leaseSeconds * 7) / 15, renewSeconds * 0.7);
}

/**
 * Of one call for the Lease, so that one that gets no answer leaves time for another. 5.5 s by the usual timings: where no
 * call takes longer, the Lease is kept. Seconds.
 */
export function callSecondsOf({ renewSeconds, retrySeconds }: LeaseTimings): number {
  return Math.min(renewSeconds * 0.55, renewSeconds * 0.95 - retrySeconds * 2);
}

/**
 * What an author's code may take, the second try of one that was stopped included: it begins up to `retrySeconds` after the
 * last renewal, and leaves a second for the next. 7 s by the usual timings. While it runs nothing is renewed.
 */
export function standstillSecondsOf({ renewSeconds, retrySeconds }: LeaseTimings): number {
  return renewSeconds - retrySeconds - 1;
}

/** A call for the Lease is asked so many times at once, where no answer comes, each time on a connection of its own. */
export const leaseCalls = 3;

/** Why nobody could hold a Lease by such timings; undefined where one can. */
export function refusalOfTimings(timings: LeaseTimings): string | undefined {
  const { leaseSeconds, renewSeconds, retrySeconds } = timings;
  const why = faultOf(timings);
  // Those that nobody gave have a say as well.
  return why && `${why} (a duration of ${leaseSeconds}s, a deadline of ${renewSeconds}s, a period of ${retrySeconds}s)`;
}

function faultOf({ leaseSeconds, renewSeconds, retrySeconds }: LeaseTimings): string | undefined {
  if (!Number.isInteger(leaseSeconds)) return 'a Lease is good for whole seconds';
  if (leaseSeconds > longestLeaseSeconds) return `a Lease is good for ${longestLeaseSeconds}s at most`;
  if (renewSeconds >= leaseSeconds) return 'the Lease has to be renewed before it is over for others';
  if (retrySeconds * 2.5 > renewSeconds) return 'there has to be time for two tries to renew the Lease';
  return standstillSecondsOf({ leaseSeconds, renewSeconds, retrySeconds }) < leastStandstillSeconds
    ? "there has to be time for an author's code between two renewals of the Lease"
    : undefined;
}
