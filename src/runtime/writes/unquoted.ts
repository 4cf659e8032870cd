import { ConflictError, InvalidError } from '../../client/api-error.js';
import { type ObjectRef, show } from '../../kube/object-ref.js';

/**
 * `error` without the API server's words, which quote values of what they refuse: of each cause only the field and the reason
 * are left. What is no refusal of an object's fields stays as it is.
 *
 * It is of the same class, and has the same code and reason, by which is decided what comes next.
 */
export function unquoted(error: unknown, ref: ObjectRef, verb: string): unknown {
  const Refusal = [InvalidError, ConflictError].find((each) => error instanceof each);
  if (!Refusal) return error;
  const { status = {} } = error as InvalidError;
  const { message: _, details = {}, ...rest } = status;
  const causes = (details.causes ?? []).map(({ reason, field }) => ({
    ...(reason === undefined ? {} : { reason }),
    ...(field === undefined ? {} : { field }),
  }));
  if (Refusal === ConflictError && causes.length === 0) return error;
  const said = [...new Set(causes.map(({ field = 'a field', reason = 'refused' }) => `${field} (${reason})`))];
  const why =
    said.length > 0 ? said.join(', ') : "the API server's words are not shown, for the child has sensitive fields";
  // Without the original as its cause, which has the words.
  return new Refusal(`${show(ref)} ${verb} failed: ${why}`, {
    status: { ...rest, details: { ...details, causes } },
  });
}
