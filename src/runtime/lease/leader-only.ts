import type { CallOptions, Cluster } from '../../client/cluster.js';
import { DeadlineError } from '../../client/deadline-error.js';

/** Who may write, and for how long still: a `LeaderElection`. */
export interface Leadership {
  /** Milliseconds until the last moment at which a write may be under way; none, or less, for whoever may not write. */
  readonly left: number;
  /** That moment, on the monotonic clock; the past for whoever may not write. */
  readonly until: number;
  /** How long a call takes of late. */
  readonly callMilliseconds: number;
  /** Resolves when there is time again. Rejects when there will be none, since another leads or nobody renews the Lease. */
  renewed(): Promise<void>;
}

const lateHint =
  'the timings of the Lease leave a write no more: see which admission webhook is slow, or raise --leader-elect-lease-duration and --leader-elect-renew-deadline';

/**
 * `cluster` for one of several replicas: what it writes, it writes while it leads.
 *
 * **Guarantees.** Whether the Lease is held is looked up on the clock before each write, and each write has to end in the
 * time that is left. Where none is left, or less than a call takes, a write waits for the next renewal, or for the end of
 * hope. No timer has to run first, so that a process that was stopped for long and goes on writes nothing, whatever it
 * wakes up to. Reads are free.
 */
export function leaderOnly(cluster: Cluster, leadership: Leadership): Cluster {
  const whileLeading = async <O extends CallOptions, T>(options: O, write: (options: O) => Promise<T>): Promise<T> => {
    // Once, since there is never more than just after a renewal. No two calls take as long.
    if (leadership.left < leadership.callMilliseconds * 1.25) await leadership.renewed().catch(() => {});
    while (leadership.left <= 0) await leadership.renewed();
    const { timeoutSeconds = Number.POSITIVE_INFINITY } = options;
    // Beside how long that is: the process may be stopped before the call begins to count.
    const { until } = leadership;
    const leftSeconds = leadership.left / 1000;
    if (timeoutSeconds <= leftSeconds) return write({ ...options, until });
    return write({ ...options, timeoutSeconds: leftSeconds, until }).catch((error: unknown) => {
      if (!(error instanceof DeadlineError)) throw error;
      const { message, status, hint = lateHint } = error;
      throw new DeadlineError(message, { status, hint, cause: error });
    });
  };
  return {
    get: (kind, target, options) => cluster.get(kind, target, options),
    list: (kind, options) => cluster.list(kind, options),
    watch: (kind, options) => cluster.watch(kind, options),
    create: (kind, manifest, given) => whileLeading(given, (options) => cluster.create(kind, manifest, options)),
    update: (kind, object, given) => whileLeading(given, (options) => cluster.update(kind, object, options)),
    apply: (kind, manifest, given) => whileLeading(given, (options) => cluster.apply(kind, manifest, options)),
    patch: (kind, target, patch, given) =>
      whileLeading(given, (options) => cluster.patch(kind, target, patch, options)),
    delete: (kind, target, given = {}) => whileLeading(given, (options) => cluster.delete(kind, target, options)),
  };
}
