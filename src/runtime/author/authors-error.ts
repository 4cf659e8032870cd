import { asError, OperatorError, seemly, stackOf, TerminalError } from '../../kube/errors.js';
import type { KubeObject } from '../../kube/manifest.js';
import { refOf, show } from '../../kube/object-ref.js';
import type { Part } from './known-code.js';

/** An author's function and what it was called for, in words for people: `compose of Website/default/blog`. */
export function called(part: Part, cr: KubeObject): string {
  return `${part} of ${show(refOf(cr))}`;
}

/**
 * Runs an author's function. What it throws is thrown as an error that says which function, for which custom resource, and
 * where. Those that are written to be read alone, kilter's own and an author's `TerminalError`, stay as they are.
 */
export function namingErrors<T>(part: Part, cr: KubeObject, body: () => T): T {
  try {
    return body();
  } catch (caught) {
    const thrown = seemly(caught);
    if (thrown instanceof OperatorError) throw thrown;
    const { message } = asError(thrown);
    // What is no error was thrown nowhere that anybody could tell.
    const place = thrown instanceof Error ? placeOf({ message, stack: stackOf(thrown) }) : undefined;
    throw new TerminalError(`${called(part, cr)} threw: ${message}`, {
      cause: thrown,
      hint: place && `it was thrown at ${place}`,
    });
  }
}

/** Where the engine itself, and not an author's `throw`, says that something cannot be done: `undefined` has no fields. */
export function placeOfMistake(thrown: unknown): string | undefined {
  const isMistake = mistakes.some((mistake) => thrown instanceof mistake);
  // What `fetch` throws of the network is a TypeError, too, and says in its cause what happened.
  if (!isMistake || (thrown as Error).cause !== undefined) return undefined;
  const { message } = thrown as Error;
  return placeOf({ message, stack: stackOf(thrown as Error) });
}

/** Where the function was called that `callee` was called by, as far as that is an author's. */
export function placeOfCaller(callee: (...given: never[]) => unknown): string | undefined {
  const here: { stack?: string } = {};
  Error.captureStackTrace(here, callee);
  return placeOf({ message: '', stack: here.stack });
}

const mistakes = [TypeError, ReferenceError, RangeError, SyntaxError];

/** No call of a stack is longer: what is are the words of the error, and to look through them takes its square of time. */
const longestCall = 1000;

/** The first place in the stack of an error that is of no library, without its folder: `website.ts:12:30`. */
function placeOf({ message, stack }: { readonly message: string; readonly stack?: unknown }): string | undefined {
  if (typeof stack !== 'string') return undefined;
  // The words come first, and may look like a call: they quote what somebody wrote.
  const from = stack.indexOf(message);
  const calls = stack.slice(from < 0 ? 0 : from + message.length).split('\n');
  for (const call of calls) {
    if (call.length > longestCall || !isOwn(call)) continue;
    // What JavaScript itself does, such as `at Array.sort (<anonymous>)`, and what is a text to it, is nowhere: whoever called it comes next.
    const place = /([^\s()/\\<>]+:\d+:\d+)\)?$/.exec(call)?.[1];
    if (place !== undefined) return place;
  }
  return undefined;
}

function isOwn(call: string): boolean {
  return /^\s+at /.test(call) && !/[( ]node:|\/node_modules\//.test(call);
}
