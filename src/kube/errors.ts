/**
 * Errors a person can act on.
 *
 * The message says what failed and on which object. The hint, when there is one, says what to
 * try next. `cause` keeps the original error, never pasted into the message.
 *
 * An author's code throws it to choose the words: message and hint are shown in the condition `Ready`, an event and the log.
 * What `compose` throws is not tried again until something changes, since it is pure; what an external throws is, after a
 * growing wait.
 */
export class OperatorError extends Error {
  override readonly name: string = 'OperatorError';
  /** What a person can do about it, as an imperative without a full stop. Shown after the message. */
  readonly hint: string | undefined;

  constructor(message: string, { hint, ...options }: ErrorOptions & { hint?: string | undefined } = {}) {
    super(message, options);
    this.hint = hint;
  }
}

/**
 * Says that trying again cannot help, since somebody has to change the custom resource first: for an author's code to throw.
 * The condition `Stalled` is true then, and nothing is tried again before something changes, but what is `external` at its next
 * `pollSeconds`.
 */
export class TerminalError extends OperatorError {
  override readonly name: string = 'TerminalError';
}

/** A definition in an author's code cannot work, found where it is defined. */
export class DefinitionError extends TerminalError {
  override readonly name: string = 'DefinitionError';
}

/** What was thrown, as an error: JavaScript throws anything, also errors whose message is no text. */
export function asError(thrown: unknown): Error {
  if (!(thrown instanceof Error)) return new Error(textOf(thrown));
  const message: unknown = thrown.message;
  return typeof message === 'string' ? thrown : new Error(textOf(message), { cause: thrown });
}

/**
 * What was thrown, in words. The error of a host none of whose addresses can be reached says nothing itself; the errors of the
 * addresses do. These are sorted, since a name server gives addresses in another order each time.
 */
export function causeText(thrown: unknown): string {
  const { message, errors } = (thrown ?? {}) as { readonly message?: unknown; readonly errors?: unknown };
  if (message === '' && Array.isArray(errors)) return [...new Set(errors.map(causeText))].sort().join(', ');
  return typeof message === 'string' ? message : asError(thrown).message;
}

function textOf(value: unknown): string {
  try {
    return String(value);
  } catch {
    return 'what was thrown cannot be shown';
  }
}
