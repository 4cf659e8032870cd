import { promiseHooks } from 'node:v8';

/** Hears why a promise of an author's code was rejected, which nobody awaits. */
export type Rejected = (reason: unknown) => void;

const owners = new WeakMap<Promise<unknown>, Rejected>();

/**
 * Runs an author's code, and remembers of each promise that is made meanwhile whose it is. Nobody awaits these: compose
 * and status are synchronous. One that is rejected would end the process, or be a riddle in its log.
 */
export function owning<T>(rejected: Rejected, body: () => T): T {
  const stop = promiseHooks.onInit((promise) => owners.set(promise, rejected));
  try {
    return body();
  } finally {
    stop();
  }
}

/**
 * From now on a rejection that nobody handles is told to the one whose promise it was; `fatal` hears of one that is
 * nobody's, which is a mistake of ours.
 */
export function tellRejections(fatal: Rejected): void {
  process.on('unhandledRejection', (reason, promise) => (owners.get(promise) ?? fatal)(reason));
}
