import type { Json } from '../../kube/manifest.js';
import { isMap } from '../../kube/plain-map.js';
import { badRequest } from '../status-error.js';
import { type Head, headOf, nullVersion, unrecognized } from '../verbs/body-head.js';

/** A built-in object may leave out what it is, for its address says it; a custom one may not. */
export function checkHead(body: Json, expected: Head, isLenient: boolean, text = JSON.stringify(body)): void {
  const head = headOf(body ?? {});
  if (typeof head === 'string') throw unrecognized(expected, text, head);
  const { group, version, kind } = head;
  if (kind === '') {
    const missing = `Object 'Kind' is missing in '${text}'`;
    if (!isLenient) throw unrecognized(expected, text, missing);
    const shown = JSON.stringify(group === '' && version === '' ? expected.version : version);
    throw badRequest(`${expected.kind} in version ${shown} cannot be handled as a ${expected.kind}: ${missing}`);
  }
  if (isMap(body) && body['apiVersion'] === null) {
    throw badRequest(`${kind} in version "" cannot be handled as a ${expected.kind}: ${nullVersion}`);
  }
}
