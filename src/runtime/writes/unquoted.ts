import { ConflictError, ForbiddenError, InvalidError } from '../../client/api-error.js';
import { type ObjectRef, show } from '../../kube/object-ref.js';

/** As far as no author of a webhook or a policy has chosen the words. */
const denial =
  /ValidatingAdmissionPolicy '[^']*' with binding '[^']*' denied request|admission webhook "[^"]*" denied the request/;

/**
 * `error` without the API server's words, which quote values of what they refuse: of each cause only the field and the reason
 * are left, and of a webhook or a policy that denies it who that is. What is no refusal of an object's fields stays as it is.
 *
 * It is of the same class, and has the same code and reason, by which is decided what comes next.
 */
export function unquoted(error: unknown, ref: ObjectRef, verb: string): unknown {
  const Refusal = [InvalidError, ConflictError, ForbiddenError].find((each) => error instanceof each);
  if (!Refusal) return error;
  const { status = {} } = error as InvalidError;
  const { message: said = '', details = {}, ...rest } = status;
  const [judge] = denial.exec(said) ?? [];
  if (Refusal === ForbiddenError && judge === undefined) return error;
  const causes = (details.causes ?? []).map(({ reason, field }) => ({
    ...(reason === undefined ? {} : { reason }),
    ...(field === undefined ? {} : { field }),
  }));
  if (Refusal === ConflictError && causes.length === 0) return error;
  const fields = causes.filter(
    ({ field, reason }) => judge === undefined || field !== undefined || reason !== undefined,
  );
  const named = [...new Set(fields.map(({ field = 'a field', reason = 'refused' }) => `${field} (${reason})`))];
  const more =
    named.length > 0 ? named.join(', ') : "the API server's words are not shown, for the child has sensitive fields";
  const why = judge === undefined ? more : `${judge}: ${more}`;
  // Without the original as its cause, which has the words.
  return new Refusal(`${show(ref)} ${verb} failed: ${why}`, {
    status: { ...rest, details: { ...details, causes } },
  });
}
