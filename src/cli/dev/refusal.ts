import { fileURLToPath } from 'node:url';
import { packageFolder } from '../package-folder.js';

/** More say less. */
const mostFrames = 5;
/** Where this package was compiled to: its sources may be those of an author, in its own repository. */
const own = fileURLToPath(new URL('build/', packageFolder().folder));

/**
 * What was thrown while an author's module was loaded, for that author: the message, and where in the author's sources it
 * came from.
 *
 * Goes by shapes and names: the author's copy of kilter may be another than this one.
 */
export function refusalOf(error: unknown): { readonly message: string; readonly hint?: string } {
  if (typeof error !== 'object' || error === null || !('message' in error)) {
    return { message: `it threw ${JSON.stringify(error)}, which is no Error` };
  }
  const { name, message, hint, stack, cause } = error as Partial<Error> & { readonly hint?: unknown };
  // The importer that Node names is the bundle, which no author knows.
  const missing = /^Cannot find package '([^']+)' imported from /.exec(message ?? '')?.[1];
  if (missing !== undefined) {
    return { message: `Cannot find package '${missing}'`, hint: `npm install ${missing}, or mend its import` };
  }
  // Those of kilter are written to be read alone.
  const words = 'hint' in error ? message : `${name}: ${message}`;
  const because = cause instanceof Error ? [`cause: ${cause.message}`] : [];
  const text = [words, ...because, ...framesOf(stack ?? '')].join('\n');
  return { message: text, ...(typeof hint === 'string' ? { hint } : {}) };
}

/** The lines of a stack that name the author's sources. */
function framesOf(stack: string): readonly string[] {
  const isForeign = (line: string) => /[( ]node:|\/node_modules\//.test(line) || line.includes(own);
  return stack
    .split('\n')
    .filter((line) => /^\s+at .*:\d+:\d+\)?$/.test(line) && !isForeign(line))
    .slice(0, mostFrames)
    .map((line) => line.replace(/file:\/\/\S+(?=:\d+:\d+)/, (url) => fileURLToPath(url)));
}
