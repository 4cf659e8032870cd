import { asError, OperatorError, TerminalError } from '../kube/errors.js';
import type { KubeObject } from '../kube/manifest.js';
import { refOf, show } from '../kube/object-ref.js';
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
  } catch (thrown) {
    if (thrown instanceof OperatorError) throw thrown;
    const error = asError(thrown);
    const place = placeIn(error.stack ?? '');
    throw new TerminalError(`${called(part, cr)} threw: ${error.message}`, {
      cause: thrown,
      hint: place && `it was thrown at ${place}`,
    });
  }
}

/** The first place in a stack that is of no library, without its folder: `website.ts:12:30`. */
function placeIn(stack: string): string | undefined {
  const lines = stack.split('\n').filter((line) => /^\s+at /.test(line) && !/[( ]node:|\/node_modules\//.test(line));
  return /([^\s()/\\]+:\d+:\d+)\)?$/.exec(lines[0] ?? '')?.[1];
}
