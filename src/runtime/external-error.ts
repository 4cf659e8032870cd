import { OperatorError } from '../kube/errors.js';

/** Something outside the cluster is not as it should be. */
export class ExternalError extends OperatorError {
  override readonly name = 'ExternalError';

  constructor(
    message: string,
    /** When to try again; never, as long as the spec is the same, where its author says that there is no use in it. */
    readonly retryMilliseconds: number | undefined,
    options: ErrorOptions & { readonly hint?: string | undefined },
  ) {
    super(message, options);
  }
}

/** What an author's code left behind outside of a call, and nobody handled. It happened once, and is told once. */
export class StrayError extends ExternalError {}
