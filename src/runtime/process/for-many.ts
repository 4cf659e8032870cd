import { setMaxListeners } from 'node:events';

/** `signal`, for any number of calls and watches: each listens while it is under way, and Node takes eleven for a leak. */
export function forMany(signal: AbortSignal): AbortSignal {
  setMaxListeners(0, signal);
  return signal;
}
