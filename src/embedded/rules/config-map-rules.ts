import type { ConfigMapObject } from '../../../imports/k8s.js';
import type { KubeObject } from '../../kube/manifest.js';
import type { FieldProblem } from '../../schema/field-problem.js';
import { dns1123SubdomainName } from '../../schema/name-formats.js';
import { equal } from '../fields/field-type.js';
import type { Rules } from '../kinds/served-kind.js';
import { isSaidEmpty, sayNoMore } from '../said-more.js';
import { configKey } from './config-key.js';
import { Problems } from './problems.js';

const mebibyte = 1024 * 1024;

/** https://kubernetes.io/docs/concepts/configuration/configmap/ */
export const configMapRules: Rules = {
  // There is always a map of texts.
  default: (object) => sayNoMore(object, 'data'),
  validate: configMapProblems,
  validateUpdate(object, old) {
    const found = new Problems();
    immutableProblems(found, object, old, ['data', 'binaryData']);
    found.add(configMapProblems(object));
    return found.all;
  },
  nameProblems: dns1123SubdomainName,
};

/** An object that says that it is immutable stays so, and keeps what it holds. */
export function immutableProblems(
  found: Problems,
  object: KubeObject,
  old: KubeObject,
  fields: readonly string[],
): void {
  if (old.immutable !== true) return;
  const detail = 'field is immutable when `immutable` is set';
  if (object.immutable !== true) found.forbidden('immutable', detail);
  for (const field of fields) {
    const [now, was] = [object, old].map((each) => (each[field] ?? {}) as Record<string, string>);
    // None is not the same as an empty one, until it is stored.
    const isNew = !equal(now, was) || (isSaidEmpty(object, field) && old[field] === undefined);
    if (isNew) found.forbidden(field, detail);
  }
}

function configMapProblems(object: KubeObject): readonly FieldProblem[] {
  const { data = {}, binaryData = {} } = object as unknown as ConfigMapObject;
  const found = new Problems();
  let size = 0;
  for (const key in data) {
    found.format(`data[${key}]`, key, configKey);
    if (Object.hasOwn(binaryData, key)) {
      found.invalid(`data[${key}]`, key, 'duplicate of key present in binaryData');
    }
    size += Buffer.byteLength(data[key]!);
  }
  for (const key in binaryData) {
    found.format(`binaryData[${key}]`, key, configKey);
    size += Buffer.byteLength(binaryData[key]!, 'base64');
  }
  // The server means the whole object, and has an odd way to say so.
  if (size > mebibyte) found.tooLong('[]', mebibyte);
  return found.all;
}
