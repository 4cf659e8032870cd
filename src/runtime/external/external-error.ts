import { OperatorError } from '../../kube/errors.js';

/** Something outside the cluster is not as it should be. */
export class ExternalError extends OperatorError {
  override readonly name = 'ExternalError';
  /** True where its author says that somebody has to change something first. */
  readonly isFinal: boolean;

  constructor(
    message: string,
    /** When it is looked at, and tried, again. */
    readonly retryMilliseconds: number,
    { isFinal = false, ...options }: ErrorOptions & { readonly hint?: string | undefined; readonly isFinal?: boolean },
  ) {
    super(message, options);
    this.isFinal = isFinal;
  }
}

/** What an author's code left behind outside of a call, and nobody handled. It happened once, and is told once. */
export class StrayError extends ExternalError {}
