import type { Status } from '../../client/api-error.js';
import type { FieldProblem } from '../../schema/field-problem.js';
import { invalid, StatusError } from '../status-error.js';

/** Refusals that only a server on the network has, beside those of `status-error.ts`. */
function refusal(code: number, reason: string, message: string, details?: Status['details']): StatusError {
  return new StatusError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    reason,
    ...(details === undefined ? {} : { details }),
    code,
  } as Status & { readonly code: number });
}

const ofAnswers = ['application/json', 'application/yaml'];
const ofBodies = [...ofAnswers, 'application/vnd.kubernetes.protobuf'];

/** `kind` takes no answer of that form. `offers` are those that it has. */
export function notAcceptable(offers: readonly string[] = ofAnswers): StatusError {
  return refusal(406, 'NotAcceptable', `only the following media types are accepted: ${offers.join(', ')}`);
}

/** Nothing at all of what is accepted is ever answered here. */
export function noRepresentation(offers: readonly string[] = ofAnswers): StatusError {
  const message = `406: Not Acceptable\n\nAvailable representations: ${offers.join(', ')}`;
  return refusal(406, 'NotAcceptable', message, {});
}

export function wrongTransform(message: string): StatusError {
  return refusal(406, 'NotAcceptable', message);
}

export function unknownFormat(offers: readonly string[] = ofBodies): StatusError {
  return refusal(
    415,
    'UnsupportedMediaType',
    `the body of the request was in an unknown format - accepted media types include: ${offers.join(', ')}`,
  );
}

/** How custom resources answer a method that they do not know. */
export function notSupported(verb: string, group: string, plural: string): StatusError {
  const message = `${verb} is not supported on resources of kind "${plural}.${group}"`;
  return refusal(405, 'MethodNotAllowed', message, { group, kind: plural });
}

/** Options of a request, such as `CreateOptions`, that cannot be. */
export function invalidOptions(kind: string, problems: readonly FieldProblem[]): StatusError {
  return invalid({ group: 'meta.k8s.io', name: kind }, '', problems);
}
