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
 * `pollSeconds`. One of `remove` is tried again after a growing wait, as any other, since a deletion waits for it.
 */
export class TerminalError extends OperatorError {
  override readonly name: string = 'TerminalError';
}

/** A definition in an author's code cannot work, found where it is defined. */
export class DefinitionError extends TerminalError {
  override readonly name: string = 'DefinitionError';
}

/** What is told of an error, and by what it is known. */
const looks = ['name', 'message', 'hint', 'cause', 'errors', 'code'] as const;

/**
 * What was thrown, or an error in its place where whoever looks at it throws as well, as at a proxy, or by a getter: to tell of such
 * a failure would be the next one, and end whoever tells it.
 */
export function seemly(thrown: unknown): unknown {
  if ((typeof thrown !== 'object' && typeof thrown !== 'function') || thrown === null) return thrown;
  try {
    for (const look of looks) void (thrown as Readonly<Record<string, unknown>>)[look];
    void (thrown instanceof Error);
    return thrown;
  } catch {
    return new Error(unshown);
  }
}

/** What was thrown, as an error: JavaScript throws anything, also errors whose message is no text. */
export function asError(thrown: unknown): Error {
  const seen = seemly(thrown);
  if (!(seen instanceof Error)) return new Error(textOf(seen));
  const message: unknown = seen.message;
  return typeof message === 'string' ? seen : new Error(textOf(message), { cause: seen });
}

/**
 * What was thrown, in words. The error of a host none of whose addresses can be reached says nothing itself; the errors of the
 * addresses do. These are sorted, since a name server gives addresses in another order each time.
 */
export function causeText(thrown: unknown): string {
  return wordsOf(thrown, []);
}

/** One that is among its own errors, which are `above` it, has nothing more to say. */
function wordsOf(thrown: unknown, above: readonly unknown[]): string {
  const seen = seemly(thrown);
  const { message, errors } = (seen ?? {}) as { readonly message?: unknown; readonly errors?: unknown };
  if (message === '' && Array.isArray(errors) && !above.includes(thrown)) {
    const all = (errors as readonly unknown[]).map((each) => wordsOf(each, [...above, thrown]));
    return [...new Set(all)].sort().join(', ');
  }
  return typeof message === 'string' ? message : asError(seen).message;
}

/** Not looked at with all else: to be put into words it takes longer than the error itself. */
export function stackOf(error: Error): string | undefined {
  try {
    const stack: unknown = error.stack;
    return typeof stack === 'string' ? stack : undefined;
  } catch {
    return undefined;
  }
}

const unshown = 'what was thrown cannot be shown';

function textOf(value: unknown): string {
  try {
    return String(value);
  } catch {
    return unshown;
  }
}
