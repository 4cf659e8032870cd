/**
 * Time, injected: whatever waits or dates takes one of these, so that a test or a simulation owns time.
 *
 * `now` is for dates that people read; `monotonic` is for durations and deadlines, and no clock jump moves it.
 */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Milliseconds since some fixed moment; never goes back. */
  monotonic(): number;
  /** Calls `run` once after `milliseconds`, unless the returned function is called first. Keeps no process alive. */
  after(milliseconds: number, run: () => void): () => void;
}

/** The machine's own time. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(milliseconds, run) {
    // setTimeout wraps round at 2^31 ms, and would fire at once.
    const timer = setTimeout(run, Math.min(milliseconds, 2 ** 31 - 1));
    timer.unref();
    return () => clearTimeout(timer);
  },
};

/**
 * Keeps the process alive until the returned function is called. For whoever waits for time, which keeps nothing alive: where
 * nothing else does, Node ends in the midst of it.
 */
export function keepAlive(): () => void {
  const timer = setInterval(() => {}, 2 ** 31 - 1);
  return () => clearInterval(timer);
}

/** Resolves when the machine's timers and sockets have had their turn. */
export function othersTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Resolves after `milliseconds` of `clock`, or rejects with the reason of `signal` when that aborts first. */
export function sleep(clock: Clock, milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const abort = () => {
      cancel();
      reject(signal?.reason);
    };
    const cancel = clock.after(milliseconds, () => {
      signal?.removeEventListener('abort', abort);
      resolve();
    });
    signal?.addEventListener('abort', abort, { once: true });
  });
}

/** A number in [0, 1), injected for the same reason as time. */
export type Random = () => number;
