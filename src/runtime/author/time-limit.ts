import { Script } from 'node:vm';
import { OperatorError } from '../../kube/errors.js';
import { type LeaseTimings, standstillSecondsOf, usualTimings } from '../../kube/lease-timings.js';

/** Of its time, what one that was stopped is given when it is begun anew: with both together the Lease is still held. */
const secondTry = 0.4;

/** What an author's code may take for one custom resource in a process of its own: 5 s, or less where a Lease lasts less. */
export function authorMillisecondsOf(timings: LeaseTimings): number {
  const standstillSeconds = Math.min(standstillSecondsOf(timings), standstillSecondsOf(usualTimings));
  return Math.floor((standstillSeconds * 1000) / (1 + secondTry));
}

/**
 * Runs `body`, and throws `TimeLimitError` when it does not end in time; `what` names then what did not. `most` is for what
 * gets less time than others.
 */
export type TimeLimit = <T>(what: () => string, body: () => T, most?: number) => T;

/** What was to end did not. */
export class TimeLimitError extends OperatorError {
  override readonly name = 'TimeLimitError';

  constructor(what: string, milliseconds: number, does: 'loops' | 'waits' = 'loops') {
    super(`${what} did not end within ${milliseconds / 1000} s`, {
      hint: `something in its code ${does}; while it does, nothing else in the controller can run`,
    });
  }

  /** Whether a message, as a condition has it, is one of these. */
  static isSaidIn(message: string | undefined): boolean {
    return message !== undefined && / did not end within [\d.]+ s(;|$)/.test(message);
  }
}

/** Where the script finds what it is to run: of the context that it runs in, which under a test runner is another. */
const held = new Script("globalThis[Symbol.for('kilter.dev/limited')] ??= {}").runInThisContext() as {
  body?: () => void;
};
const script = new Script("globalThis[Symbol.for('kilter.dev/limited')].body()");

/**
 * Ends what an author's code computes after `milliseconds`, whatever it is doing: a loop, a recursion, a regular
 * expression. Everything in this process stands still meanwhile, the Lease included, so that the limit is well below what
 * a Lease lasts.
 *
 * **Guarantees.** A process that was itself stopped is not mistaken for code that does not end: what had next to no
 * processor is run once more, for a shorter time, since it may as well wait for something. A small share of a processor,
 * as a container may have it, is no excuse.
 *
 * **Assumes** that `body` is synchronous, and harmless to begin anew. What it has in `finally` does not run when it is
 * ended.
 */
export function timeLimit(milliseconds: number): TimeLimit {
  return <T>(what: () => string, body: () => T, most = milliseconds): T => {
    for (const left of [most, Math.ceil(most * secondTry)]) {
      const before = process.cpuUsage();
      // Through a slot, since what a script returns and throws would else be wrapped once more.
      let result: { readonly value: T } | undefined;
      held.body = () => {
        result = { value: body() };
      };
      try {
        script.runInThisContext({ timeout: left, displayErrors: false });
        return (result as unknown as { readonly value: T }).value;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
        const { user, system } = process.cpuUsage(before);
        if ((user + system) / 1000 >= left / 20) throw new TimeLimitError(what(), most);
      } finally {
        delete held.body;
      }
    }
    throw new TimeLimitError(what(), most, 'waits');
  };
}
