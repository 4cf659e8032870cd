import { OperatorError } from '../kube/errors.js';

/** https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/status/ */
export interface Status {
  readonly kind?: 'Status';
  readonly status?: string;
  readonly code?: number;
  readonly reason?: string;
  readonly message?: string;
  /** Of a list whose rest is not kept: what to ask for the rest as it is now. */
  readonly metadata?: { readonly continue?: string };
  readonly details?: {
    readonly name?: string;
    readonly group?: string;
    readonly kind?: string;
    readonly uid?: string;
    readonly retryAfterSeconds?: number;
    readonly causes?: readonly { readonly reason?: string; readonly message?: string; readonly field?: string }[];
  };
}

interface ApiErrorOptions extends ErrorOptions {
  readonly hint?: string | undefined;
  readonly status?: Status | undefined;
}

/**
 * A call to the API server failed. The classes below differ by what a caller does about it; `status` is the server's
 * own account. The message never holds a request or a response body, which may carry secrets.
 */
export class ApiError extends OperatorError {
  override readonly name: string = 'ApiError';
  readonly status: Status | undefined;

  constructor(message: string, { status, ...options }: ApiErrorOptions = {}) {
    super(message, options);
    this.status = status;
  }
}

/** False of what broke before the server could say anything. */
export function isAnswer(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status?.code !== undefined;
}

/** True where the server has not heard of a version yet, and has waited for it in vain. */
export function isOfLaterVersion(error: unknown): boolean {
  const { causes = [] } = (isAnswer(error) && error.status?.details) || {};
  return causes.some(({ reason }) => reason === 'ResourceVersionTooLarge');
}

/** Trying again later may help: the connection broke, a deadline passed, or the server answered 5xx. */
export class TransportError extends ApiError {
  override readonly name: string = 'TransportError';
}

/** The server says when to come back: 429, or 503 with `Retry-After`. */
export class RetryAfterError extends ApiError {
  override readonly name: string = 'RetryAfterError';

  constructor(
    message: string,
    readonly retryAfterSeconds: number,
    options?: ApiErrorOptions,
  ) {
    super(message, options);
  }
}

/** The object is not there, or its kind is not served, which is a `KindNotServedError`. */
export class NotFoundError extends ApiError {
  override readonly name: string = 'NotFoundError';
}

/** The API server does not know the kind, or not in this version. Of objects of the kind that says nothing. */
export class KindNotServedError extends NotFoundError {
  override readonly name: string = 'KindNotServedError';
}

/** True when the API server knows the kind, and has no such object. */
export function isGone(error: unknown): error is NotFoundError {
  return error instanceof NotFoundError && !(error instanceof KindNotServedError);
}

/** 409: an object of this name exists already. */
export class AlreadyExistsError extends ApiError {
  override readonly name: string = 'AlreadyExistsError';
}

/** 409: the object has moved on since it was read, or a precondition (uid, resourceVersion) fails. */
export class ConflictError extends ApiError {
  override readonly name: string = 'ConflictError';
}

/** 409 of a server-side apply without force: other managers own fields that differ. */
export class FieldConflict extends ApiError {
  override readonly name: string = 'FieldConflict';

  constructor(
    message: string,
    readonly conflicts: readonly { readonly field: string; readonly manager: string }[],
    options?: ApiErrorOptions,
  ) {
    super(message, options);
  }
}

/** 410: the resourceVersion or the continue token is too old; only a fresh list is sound. */
export class GoneError extends ApiError {
  override readonly name: string = 'GoneError';
}

/** 403: by RBAC, an admission plugin or a quota, and whatever the code an admission policy. The message names verb, resource and namespace. */
export class ForbiddenError extends ApiError {
  override readonly name: string = 'ForbiddenError';
}

/** True when nothing can be made in a namespace any more, since it is being deleted. */
export function isNamespaceEnding(error: unknown): boolean {
  if (!(error instanceof ForbiddenError)) return false;
  return (error.status?.details?.causes ?? []).some(({ reason }) => reason === 'NamespaceTerminating');
}

/** True when the API server has no definition of the kind that holds, or is about to have none: it may be given another. */
export function isUndefined(error: unknown): boolean {
  if (error instanceof KindNotServedError) return true;
  return error instanceof ForbiddenError && /while custom resource definition is terminating$/.test(error.message);
}

/** 401, after credentials were read afresh once. */
export class UnauthorizedError extends ApiError {
  override readonly name: string = 'UnauthorizedError';
}

/**
 * True of a failure by which the server may fail others as well, and that may be over for all of them at once: it was not reached, or
 * asked for patience, or is not well, or does not know who we are, as with a token that has expired.
 */
export function isOfServer(error: unknown): boolean {
  return [TransportError, RetryAfterError, UnauthorizedError].some((type) => error instanceof type);
}

/** 400, 422, 413 and the permanent errors that arrive as 500: the same request will never be accepted. */
export class InvalidError extends ApiError {
  override readonly name: string = 'InvalidError';
}
