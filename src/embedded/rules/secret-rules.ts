import type { SecretObject } from '../../../imports/k8s.js';
import type { KubeObject } from '../../kube/manifest.js';
import type { FieldProblem } from '../../schema/field-problem.js';
import { dns1123SubdomainName } from '../../schema/name-formats.js';
import type { Draft } from '../draft.js';
import type { Rules } from '../kinds/served-kind.js';
import { sayNoMore } from '../said-more.js';
import { configKey } from './config-key.js';
import { immutableProblems } from './config-map-rules.js';
import { jsonMapFault } from './json-map-fault.js';
import { keyPairWarnings } from './key-pair-warnings.js';
import { Problems } from './problems.js';
import type { Unchecked } from './unchecked.js';

type Secret = Unchecked<SecretObject>;

const mebibyte = 1024 * 1024;
const accountName = 'kubernetes.io/service-account.name';

/** https://kubernetes.io/docs/concepts/configuration/secret/ */
export const secretRules: Rules = {
  default: defaultSecret,
  validate: secretProblems,
  validateUpdate(object, old) {
    const found = new Problems();
    if (object.type !== old.type) found.invalid('type', object.type, 'field is immutable');
    immutableProblems(found, object, old, ['data']);
    found.add(secretProblems(object));
    return found.all;
  },
  nameProblems: dns1123SubdomainName,
  warnings(object) {
    const { type, data = {} } = object as unknown as SecretObject;
    return type === 'kubernetes.io/tls' ? keyPairWarnings(data['tls.crt'] ?? '', data['tls.key'] ?? '') : [];
  },
};

/** What is given as text is folded into the data, and never seen again. */
function defaultSecret(object: Draft): void {
  const secret = object as unknown as Secret;
  for (const key in secret.stringData) {
    secret.data ??= {};
    secret.data[key] = Buffer.from(secret.stringData[key] ?? '').toString('base64');
    sayNoMore(secret.data, key);
  }
  delete secret.stringData;
  secret.type ||= 'Opaque';
}

function secretProblems(object: KubeObject): readonly FieldProblem[] {
  const { data = {}, type } = object as unknown as SecretObject;
  const found = new Problems();
  let size = 0;
  for (const key in data) {
    found.format(`data[${key}]`, key, configKey);
    size += Buffer.byteLength(data[key]!, 'base64');
  }
  if (size > mebibyte) found.tooLong('data', mebibyte);

  const has = (key: string) => Object.hasOwn(data, key);
  switch (type) {
    case 'kubernetes.io/service-account-token':
      if (!object.metadata.annotations?.[accountName]) found.required(`metadata.annotations[${accountName}]`);
      break;
    case 'kubernetes.io/dockercfg':
      dockerProblems(found, data, '.dockercfg');
      break;
    case 'kubernetes.io/dockerconfigjson':
      dockerProblems(found, data, '.dockerconfigjson');
      break;
    case 'kubernetes.io/basic-auth':
      // Either may be missing, but not both.
      if (!has('username') && !has('password')) {
        found.required('data[username]');
        found.required('data[password]');
      }
      break;
    case 'kubernetes.io/ssh-auth':
      if (!data['ssh-privatekey']) found.required('data[ssh-privatekey]');
      break;
    case 'kubernetes.io/tls':
      for (const key of ['tls.crt', 'tls.key']) if (!has(key)) found.required(`data[${key}]`);
      break;
    default:
  }
  return found.all;
}

function dockerProblems(found: Problems, data: Readonly<Record<string, string>>, key: string): void {
  const content = Object.hasOwn(data, key) ? data[key] : undefined;
  if (content === undefined) found.required(`data[${key}]`);
  else {
    const fault = jsonMapFault(Buffer.from(content, 'base64').toString());
    if (fault !== undefined) found.invalid(`data[${key}]`, '<secret contents redacted>', fault);
  }
}
