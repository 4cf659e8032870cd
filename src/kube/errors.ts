/**
 * Errors a person can act on.
 *
 * The message says what failed and on which object. The hint, when there is one, says what to
 * try next. `cause` keeps the original error, never pasted into the message.
 */
export class OperatorError extends Error {
  override readonly name: string = 'OperatorError';
  readonly hint: string | undefined;

  constructor(message: string, { hint, ...options }: ErrorOptions & { hint?: string | undefined } = {}) {
    super(message, options);
    this.hint = hint;
  }
}

/** Trying again cannot help: someone must change the resource first. Not retried, shown as `Stalled`. */
export class TerminalError extends OperatorError {
  override readonly name: string = 'TerminalError';
}

/** A definition in an author's code cannot work, found where it is defined. */
export class DefinitionError extends TerminalError {
  override readonly name: string = 'DefinitionError';
}

/** What was thrown, as an error: JavaScript throws anything. */
export const asError = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)));
