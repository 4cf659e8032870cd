import { OperatorError } from '../kube/errors.js';
import type { ClusterConfig } from './cluster-config.js';
import { type Fields, fieldsOf, text } from './kubeconfig-files.js';

/** What a kubeconfig's user may say of it. */
export const impersonationFields = ['as', 'as-uid', 'as-groups', 'as-user-extra'] as const;

/** What a header's name may consist of: https://datatracker.ietf.org/doc/html/rfc9110#name-tokens. `%` escapes. */
const isLegal = /[a-z0-9!#$&'*+.^_`|~-]/;

/**
 * Whom a kubeconfig's user acts as, as headers.
 * https://kubernetes.io/docs/reference/access-authn-authz/authentication/#user-impersonation
 *
 * Throws `OperatorError` when these are not what they must be: acting with the rights of the user, whom somebody meant to
 * confine, would be worse.
 */
export function impersonationOf(user: Fields, subject: string): Required<ClusterConfig>['headers'] {
  const refused = (problem: string) =>
    new OperatorError(`credentials of ${subject} failed: ${problem}`, { hint: 'mend this user of the kubeconfig' });
  const one = (field: string) => {
    const value = user[field] ?? '';
    if (typeof value !== 'string') throw refused(`"${field}" is no text`);
    return text(value);
  };
  const many = (value: unknown, field: string) => {
    if (!Array.isArray(value) || value.some((each) => typeof each !== 'string')) {
      throw refused(`"${field}" is no list of texts`);
    }
    return (value as string[]).map(onTheWire);
  };
  const [name, uid] = [one('as'), one('as-uid')];
  const groups = many(user['as-groups'] ?? [], 'as-groups');
  const extra = user['as-user-extra'] ?? {};
  if (typeof extra !== 'object' || Array.isArray(extra)) throw refused('"as-user-extra" is no map');
  const extras = Object.entries(fieldsOf(extra)).map(
    ([key, values]) => [`impersonate-extra-${escaped(key)}`, many(values, `as-user-extra.${key}`)] as const,
  );
  if (name === undefined) {
    if (uid === undefined && groups.length === 0 && extras.length === 0) return {};
    throw refused('it asks for a uid, groups or extra of somebody, and "as" does not say of whom');
  }
  return {
    'impersonate-user': onTheWire(name),
    ...(uid === undefined ? {} : { 'impersonate-uid': onTheWire(uid) }),
    ...(groups.length === 0 ? {} : { 'impersonate-group': groups }),
    ...Object.fromEntries(extras),
  };
}

/** Headers are written byte by byte, and names are UTF-8. */
function onTheWire(value: string): string {
  return Buffer.from(value).toString('latin1');
}

function escaped(key: string): string {
  return [...onTheWire(key.toLowerCase())]
    .map((byte) => (isLegal.test(byte) ? byte : `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`))
    .join('');
}
