import type { ServiceAccountObject } from '../../../imports/k8s.js';
import { dns1123SubdomainName } from '../../schema/name-formats.js';
import type { Draft } from '../draft.js';
import type { Rules } from '../kinds/served-kind.js';
import type { Unchecked } from './unchecked.js';

/** https://kubernetes.io/docs/concepts/security/service-accounts/ */
export const serviceAccountRules: Rules = {
  prepareForCreate: keepNamesOfSecrets,
  prepareForUpdate: keepNamesOfSecrets,
  nameProblems: dns1123SubdomainName,
  warnings({ metadata }, old) {
    const isNew = old?.metadata.annotations?.[mountable] === undefined;
    if (!isNew || metadata.annotations?.[mountable] === undefined) return [];
    return [
      `metadata.annotations[${mountable}]: deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets`,
    ];
  },
};

const mountable = 'kubernetes.io/enforce-mountable-secrets';

/** A secret of an account is of its own namespace and kind, whatever a reference may say. */
function keepNamesOfSecrets(object: Draft): void {
  const account = object as unknown as Unchecked<ServiceAccountObject>;
  if (account.secrets) account.secrets = account.secrets.map(({ name }) => (name ? { name } : {}));
}
