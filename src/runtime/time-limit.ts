import { Script } from 'node:vm';
import { OperatorError } from '../kube/errors.js';

/** What an author's code may take for one custom resource in a process of its own. */
export const authorMilliseconds = 5000;

/** Runs `body`, and throws `OperatorError` when it does not end in time; `what` is named in the error. */
export type TimeLimit = <T>(what: string, body: () => T) => T;

/** For where time is not the machine's, and for authors' code that was seen to end. */
export const unlimited: TimeLimit = (_, body) => body();

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
 * **Guarantees.** A process that was itself stopped, or starved of its processor, is not mistaken for code that does not
 * end: what had no time is run again.
 *
 * **Assumes** that `body` is synchronous, and harmless to begin anew.
 */
export function timeLimit(milliseconds: number): TimeLimit {
  return <T>(what: string, body: () => T): T => {
    for (;;) {
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
        if ((user + system) / 1000 < milliseconds / 2) continue;
        throw new OperatorError(`${what} did not end within ${milliseconds / 1000} s`, {
          hint: 'something in its code loops; while it does, nothing else in the controller can run',
        });
      } finally {
        delete held.body;
      }
      return (result as unknown as { readonly value: T }).value;
    }
  };
}
