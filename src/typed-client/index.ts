/** `kilter/client`: a typed client for custom resources and kinds of `imports/`, in any program. */

export {
  AlreadyExistsError,
  ApiError,
  ConflictError,
  FieldConflict,
  ForbiddenError,
  GoneError,
  InvalidError,
  KindNotServedError,
  NotFoundError,
  RetryAfterError,
  TransportError,
  UnauthorizedError,
} from '../client/api-error.js';
export { OperatorError } from '../kube/errors.js';
export { type ClientOptions, client, type KindChange, type KindClient } from './client.js';
export { type Connection, connect } from './connect.js';
export type { KindClass, ObjectOf, WrittenOf } from './kind-class.js';
export type { KindInformer, Lister, ListerChange } from './kind-informer.js';
export type { Scale, ScaleChange } from './scale.js';
