/** `kilter/client`: a typed client for custom resources and kinds of `imports/`, in any program. */

export type { ApiError } from '../client/api-error.js';
export {
  AlreadyExistsError,
  ConflictError,
  FieldConflict,
  ForbiddenError,
  InvalidError,
  KindNotServedError,
  NotFoundError,
} from '../client/api-error.js';
export { type ClientOptions, client, type KindChange, type KindClient } from './client.js';
export { type Connection, connect } from './connect.js';
export type { KindClass, ObjectOf, WrittenOf } from './kind-class.js';
export type { KindInformer, Lister, ListerChange } from './kind-informer.js';
