import type { Clock } from '../kube/clock.js';
import type { Cluster } from './cluster.js';

export interface Pace {
  /** Calls a second in the long run. */
  readonly perSecond: number;
  /** Calls that may be made at once after a rest. */
  readonly burst: number;
  readonly clock: Clock;
}

/**
 * The same cluster, at a fixed rate at most: for administrators who want to be sure. Watches are free.
 *
 * A call that has to wait for its turn rejects when its signal aborts.
 */
export function pacedCluster(cluster: Cluster, pace: Pace): Cluster {
  const turn = turns(pace);
  const inTurn = async <T>(signal: AbortSignal | undefined, call: () => Promise<T>): Promise<T> => {
    await turn(signal);
    return call();
  };
  return {
    get: (kind, target, options) => inTurn(options?.signal, () => cluster.get(kind, target, options)),
    list: (kind, options) => inTurn(options?.signal, () => cluster.list(kind, options)),
    watch: (kind, options) => cluster.watch(kind, options),
    create: (kind, manifest, options) => inTurn(options.signal, () => cluster.create(kind, manifest, options)),
    update: (kind, object, options) => inTurn(options.signal, () => cluster.update(kind, object, options)),
    apply: (kind, manifest, options) => inTurn(options.signal, () => cluster.apply(kind, manifest, options)),
    patch: (kind, target, patch, options) => inTurn(options.signal, () => cluster.patch(kind, target, patch, options)),
    delete: (kind, target, options) => inTurn(options?.signal, () => cluster.delete(kind, target, options)),
  };
}

/**
 * Resolves when it is the caller's turn. Turns come at a steady rate, and what was not used is kept up to the burst. Whoever gives
 * up leaves its turn to the next: else what gives up waiting would make all others wait for longer, and give up in turn.
 */
function turns({ perSecond, burst, clock }: Pace): (signal: AbortSignal | undefined) => Promise<void> {
  const milliseconds = 1000 / perSecond;
  let last = clock.monotonic() - burst * milliseconds;
  const waiting = new Set<() => void>();
  let stop = () => {};
  const serve = (): void => {
    stop();
    const [first] = waiting;
    if (!first) return;
    const now = clock.monotonic();
    last = Math.max(last, now - burst * milliseconds);
    if (last + milliseconds > now) {
      stop = clock.after(Math.ceil(last + milliseconds - now), serve);
      return;
    }
    last += milliseconds;
    waiting.delete(first);
    first();
    serve();
  };
  return (signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const abort = () => {
        waiting.delete(go);
        serve();
        reject(signal?.reason);
      };
      const go = () => {
        signal?.removeEventListener('abort', abort);
        resolve();
      };
      signal?.addEventListener('abort', abort, { once: true });
      waiting.add(go);
      serve();
    });
}
