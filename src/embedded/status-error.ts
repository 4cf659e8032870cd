import type { Status } from '../client/api-error.js';
import { type FieldProblem, showProblem } from '../schema/field-problem.js';

/** Which kind or resource an answer is about, as the server names it: `deployments.apps` or `Deployment.apps`. */
export interface About {
  readonly group: string;
  /** The plural name in most answers, the kind in those about invalid fields. */
  readonly name: string;
}

/**
 * A refusal, as the API server puts it: https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/status/
 *
 * Both doors give the caller its `status` and nothing else, so that messages stay the server's own.
 */
export class StatusError extends Error {
  override readonly name = 'StatusError';

  readonly status: Status & { readonly code: number };

  /** What there was to warn of before the refusal, for the `Warning` header. */
  warnings: readonly string[] = [];

  constructor(status: Status & { readonly code: number }) {
    super(status.message ?? status.reason ?? String(status.code));
    this.status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', ...status } as typeof status;
  }
}

export function badRequest(message: string): StatusError {
  return failure(400, 'BadRequest', message);
}

export function unauthorized(): StatusError {
  return failure(401, 'Unauthorized', 'Unauthorized');
}

export function forbidden(about: About, name: string, because: string): StatusError {
  const what = name === '' ? shown(about) : `${shown(about)} ${JSON.stringify(name)}`;
  const details = detailsOf(about, name);
  return failure(403, 'Forbidden', `${what} is forbidden: ${because}`, details);
}

export function notFound(about: About, name: string): StatusError {
  return failure(404, 'NotFound', `${shown(about)} ${JSON.stringify(name)} not found`, detailsOf(about, name));
}

/** For a path that no kind serves. */
export function noSuchPath(): StatusError {
  return failure(404, 'NotFound', 'the server could not find the requested resource', {});
}

export function methodNotAllowed(): StatusError {
  return failure(405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource', {});
}

export function alreadyExists(about: About, name: string): StatusError {
  return failure(
    409,
    'AlreadyExists',
    `${shown(about)} ${JSON.stringify(name)} already exists`,
    detailsOf(about, name),
  );
}

export function conflict(about: About, name: string, because: string): StatusError {
  return failure(
    409,
    'Conflict',
    `Operation cannot be fulfilled on ${shown(about)} ${JSON.stringify(name)}: ${because}`,
    detailsOf(about, name),
  );
}

/** `rest` is what to ask for what is left of a list as it is now. */
export function expired(message: string, rest?: string): StatusError {
  const metadata = rest === undefined ? {} : { metadata: { continue: rest } };
  return new StatusError({ ...metadata, message, reason: 'Expired', code: 410 });
}

/** For a kind of which the server cannot read what there is. */
export function uninitialized(because: string): StatusError {
  return failure(429, 'TooManyRequests', `storage is (re)initializing: ${because}`, { retryAfterSeconds: 1 });
}

export function tooLarge(because: string): StatusError {
  return failure(413, 'RequestEntityTooLarge', `Request entity too large: ${because}`);
}

export function unsupportedMediaType(message: string): StatusError {
  return failure(415, 'UnsupportedMediaType', message, {});
}

/** `about.name` is the kind. */
export function invalid(about: About, name: string, problems: readonly FieldProblem[]): StatusError {
  // What is said twice is said once, and has two causes all the same.
  const shownProblems = [...new Set(problems.map(showProblem))];
  const all = shownProblems.length === 1 ? shownProblems[0] : `[${shownProblems.join(', ')}]`;
  return failure(422, 'Invalid', `${shown(about)} ${JSON.stringify(name)} is invalid: ${all}`, {
    ...detailsOf(about, name),
    causes: problems.map(({ reason, message, path }) => ({ reason, message, field: path })),
  });
}

export function internalError(message: string): StatusError {
  if (!message.startsWith(occurred)) return failure(500, 'InternalError', message);
  return failure(500, 'InternalError', message, { causes: [{ message: message.slice(occurred.length) }] });
}

/** The real server takes for granted what is not so here, panics, and lives on. */
export const panicked = () => internalError('This request caused apiserver to panic. Look in the logs for details.');

const occurred = 'Internal error occurred: ';

/** A failure that the server has no reason for. */
export function unexplained(code: number, message: string): StatusError {
  return new StatusError({ code, message });
}

/** Asked for something that the real server does and this one does not. Never a wrong answer instead. */
export function notEmbedded(what: string): StatusError {
  return failure(501, 'NotImplemented', `${what} is not part of the embedded API server`);
}

function failure(code: number, reason: string, message: string, details?: Status['details']): StatusError {
  return new StatusError({ message, reason, ...(details === undefined ? {} : { details }), code });
}

function detailsOf({ group, name: kind }: About, name: string): NonNullable<Status['details']> {
  return {
    ...(name === '' ? {} : { name }),
    ...(group === '' ? {} : { group }),
    ...(kind === '' ? {} : { kind }),
  };
}

function shown({ group, name }: About): string {
  return group === '' ? name : `${name}.${group}`;
}
