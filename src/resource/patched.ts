import { JsonPatch } from 'cdk8s';
import { asError, TerminalError } from '../kube/errors.js';
import type { Json } from '../kube/manifest.js';
import { plainData } from './plain-data.js';

/** What cdk8s keeps to itself of a patch. */
interface Operation {
  readonly op: string;
  readonly path: string;
  readonly value?: unknown;
}

/** What patches of `addJsonPatch` make of an object. `TerminalError` for one that does not fit, or that JSON cannot say. */
export function patched(object: Json, patches: readonly JsonPatch[], subject: string): Json {
  return patches.reduce((made, patch) => withPatch(made, patch, subject), object);
}

function withPatch(object: Json, patch: JsonPatch, subject: string): Json {
  const { op, path, value } = (patch as unknown as { readonly operation: Operation }).operation;
  // It is copied as JSON, which makes a text of a date, null of NaN, and nothing of a function.
  plainData({ value }, `${subject}: the patch "${op} ${path}"`);
  try {
    return JsonPatch.apply(object, patch) as Json;
  } catch (cause) {
    // The value may be a secret, and is not told; the first line is what is wrong, and those below it the object.
    const why = asError(cause).message.split('\n', 1)[0]!;
    throw new TerminalError(`${subject} cannot be rendered: the patch "${op} ${path}" does not fit: ${why}`, {
      cause,
      hint: 'what a path leads through has to be there: add that first',
    });
  }
}
