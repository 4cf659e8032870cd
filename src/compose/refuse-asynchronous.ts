import { TerminalError } from '../kube/errors.js';

/** Throws `TerminalError` for what an author's function returned, if it is a promise: what becomes of that nobody wants to know. */
export function refuseAsynchronous(returned: unknown, subject: string, hint: string): void {
  if (!(returned instanceof Promise)) return;
  returned.catch(() => {});
  throw new TerminalError(`${subject} is asynchronous`, { hint });
}
