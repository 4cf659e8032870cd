import type { Json } from '../../kube/manifest.js';
import type { JsonMap } from '../../kube/plain-map.js';
import { badRequest, StatusError } from '../status-error.js';
import { goTypeOf, goValue } from './go-value.js';

/** What the server refuses in a strategic merge patch. Most of it comes as a 500 without a reason, as upstream has it. */
export function patchError(message: string): StatusError {
  return refusal(500, message);
}

export function wrongType(expected: Json, received: Json): StatusError {
  return patchError(`expected a ${goTypeOf(expected)}, but received a ${goTypeOf(received)}`);
}

export function noMergeKey(item: JsonMap, mergeKey: string): StatusError {
  return patchError(`map: ${goValue(item)} does not contain declared merge key: ${mergeKey}`);
}

export function unknownDirective(directive: Json, map: JsonMap): StatusError {
  const shown =
    typeof directive === 'string'
      ? directive
      : directive === null
        ? '%!s(<nil>)'
        : `%!s(${goTypeOf(directive)}=${goValue(directive)})`;
  return patchError(`unknown patch type: ${shown} in map: ${goValue(map)}`);
}

export const badFormat = (of: 'primitive list' | 'retainKeys' | 'setElementOrder list') =>
  badRequest(`invalid patch format of ${of}`);

export const listsOfLists = () => refusal(422, 'lists of lists are not supported', 'Invalid');

function refusal(code: number, message: string, reason?: string): StatusError {
  return new StatusError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    ...(reason === undefined ? {} : { reason, details: {} }),
    code,
  } as StatusError['status']);
}
