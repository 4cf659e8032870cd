import { OperatorError } from '../kube/errors.js';
import { type ObjectRef, show } from '../kube/object-ref.js';

/** Of a custom resource that a person has named: mostly it is in another namespace. */
export function notThere(ref: Omit<ObjectRef, 'apiVersion'>, cause?: unknown): OperatorError {
  return new OperatorError(`${show(ref)} is not there, or is being deleted`, {
    cause,
    ...(ref.namespace === undefined
      ? {}
      : { hint: `give its namespace with -n, if that is another than ${ref.namespace}` }),
  });
}
