import {
  AlreadyExistsError,
  type ApiError,
  ConflictError,
  ForbiddenError,
  GoneError,
  InvalidError,
  KindNotServedError,
  NotFoundError,
  RetryAfterError,
  TransportError,
  UnauthorizedError,
} from '../client/api-error.js';
import { DeadlineError } from '../client/deadline-error.js';
import { type Call, showCall } from './call.js';

/** The error of a call whose connection broke: nobody knows whether it was carried out. */
export function lost(call: Call): ApiError {
  return new TransportError(`${showCall(call)} failed: connection reset`);
}

export function unanswered(call: Call, seconds: number): ApiError {
  return new DeadlineError(`${showCall(call)} failed: no answer within ${seconds} s`);
}

/** The error of a call about a kind that the server does not know. */
export function unserved(call: Call): ApiError {
  return new KindNotServedError(`${showCall(call)} failed: the server could not find the requested resource`, {
    status: { kind: 'Status', status: 'Failure', code: 404, reason: 'NotFound' },
  });
}

/** The error that a client makes of such an answer. */
export function refusal(call: Call, code: number, retryAfterSeconds?: number): ApiError {
  const message = `${showCall(call)} failed: refused with ${code}`;
  const status = { kind: 'Status', status: 'Failure', code, message } as const;
  if (retryAfterSeconds !== undefined) return new RetryAfterError(message, retryAfterSeconds, { status });
  switch (code) {
    case 401:
      return new UnauthorizedError(message, { status });
    case 403:
      return new ForbiddenError(message, { status });
    case 404:
      return call.verb === 'list' || call.verb === 'watch'
        ? new KindNotServedError(message, { status })
        : new NotFoundError(message, { status });
    case 409:
      return call.verb === 'create'
        ? new AlreadyExistsError(message, { status })
        : new ConflictError(message, { status });
    case 410:
      return new GoneError(message, { status });
    case 429:
      return new RetryAfterError(message, 1, { status });
    case 400:
    case 422:
      return new InvalidError(message, { status });
    default:
      return new TransportError(message, { status });
  }
}
