import { TerminalError } from '../kube/errors.js';

/**
 * Throws `TerminalError` for what an author's function returned before all of it has run: a promise, of which nobody wants to know
 * what becomes, or what a generator returns, which has not even begun.
 */
export function refuseUnfinished(returned: unknown, subject: string, hint: string): void {
  if (typeof returned !== 'object' || returned === null) return;
  const { then, next } = returned as { readonly then?: unknown; readonly next?: unknown };
  if (typeof then === 'function') {
    if (returned instanceof Promise) returned.catch(() => {});
    throw new TerminalError(`${subject} is asynchronous`, { hint });
  }
  if (typeof next === 'function') throw new TerminalError(`${subject} is a generator, which nobody runs`, { hint });
}
