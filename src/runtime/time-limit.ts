import { Script } from 'node:vm';
import { OperatorError } from '../kube/errors.js';

/** What an author's code may take for one custom resource in a process of its own. */
export const authorMilliseconds = 5000;

/** Runs `body`, and throws `TimeLimitError` when it does not end in time; `what` names then what did not. */
export type TimeLimit = <T>(what: () => string, body: () => T) => T;

/** What was to end did not. */
export class TimeLimitError extends OperatorError {
  override readonly name = 'TimeLimitError';

  constructor(what: string, milliseconds: number) {
    super(`${what} did not end within ${milliseconds / 1000} s`, {
      hint: 'something in its code loops; while it does, nothing else in the controller can run',
    });
  }
}

/** Where the script finds what it is to run: of the context that it runs in, which under a test runner is another. */
const held = new Script("globalThis[Symbol.for('kilter.dev/limited')] ??= {}").runInThisContext() as {
  body?: () => void;
};
const script = new Script("globalThis[Symbol.for('kilter.dev/limited')].body()");

/** One that was stopped is begun anew so often; nobody stops a process again and again. */
const mostTries = 3;

/**
 * Ends what an author's code computes after `milliseconds`, whatever it is doing: a loop, a recursion, a regular
 * expression. Everything in this process stands still meanwhile, the Lease included, so that the limit is well below what
 * a Lease lasts.
 *
 * **Guarantees.** A process that was itself stopped is not mistaken for code that does not end: what had next to no
 * processor is run again. A small share of a processor, as a container may have it, is no excuse.
 *
 * **Assumes** that `body` is synchronous, and harmless to begin anew.
 */
export function timeLimit(milliseconds: number): TimeLimit {
  return <T>(what: () => string, body: () => T): T => {
    for (let tries = 1; ; tries++) {
      const before = process.cpuUsage();
      // Through a slot, since what a script returns and throws would else be wrapped once more.
      let result: { readonly value: T } | undefined;
      held.body = () => {
        result = { value: body() };
      };
      try {
        script.runInThisContext({ timeout: milliseconds, displayErrors: false });
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
        const { user, system } = process.cpuUsage(before);
        if (tries < mostTries && (user + system) / 1000 < milliseconds / 20) continue;
        throw new TimeLimitError(what(), milliseconds);
      } finally {
        delete held.body;
      }
      return (result as unknown as { readonly value: T }).value;
    }
  };
}
