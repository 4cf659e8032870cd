import type { IncomingMessage } from 'node:http';
import type { Caller } from '../api-server.js';
import type { Authorizer } from '../auth/authorizer.js';
import { authenticated } from '../auth/tokens.js';
import type { Attributes } from '../engine.js';
import { badRequest } from '../status-error.js';

type Headers = Readonly<Record<string, readonly string[] | undefined>>;

const extraPrefix = 'impersonate-extra-';
const serviceAccount = /^system:serviceaccount:([^:]+):([^:]+)$/;

/**
 * Who a request is from when it says that it is from somebody else, as `kubectl --as` does. Throws a `StatusError` (403)
 * unless `caller` may impersonate all that is claimed.
 *
 * https://kubernetes.io/docs/reference/access-authn-authz/user-impersonation/
 */
export function impersonated(
  caller: Caller,
  request: Pick<IncomingMessage, 'headers' | 'headersDistinct'>,
  authorizer: Authorizer,
): Caller {
  // Hardly anybody does, and every request is asked.
  if (!Object.keys(request.headers).some((header) => header.startsWith('impersonate-'))) return caller;
  const headers: Headers = request.headersDistinct;
  const [name] = headers['impersonate-user'] ?? [];
  const groups = headers['impersonate-group'] ?? [];
  const [uid] = headers['impersonate-uid'] ?? [];
  const extra = extraOf(headers);
  if (name === undefined || name === '') {
    if (groups.length === 0 && uid === undefined && Object.keys(extra).length === 0) return caller;
    throw badRequest('requested to impersonate groups, a uid or extras without impersonating a user');
  }
  const account = serviceAccount.exec(name);
  const may = (resource: string, value: string, more: Partial<Attributes> = {}) =>
    authorizer.authorize(caller, { verb: 'impersonate', group: '', version: 'v1', resource, name: value, ...more });
  if (account) may('serviceaccounts', account[2] ?? '', { namespace: account[1] ?? '' });
  else may('users', name);
  for (const group of groups) may('groups', group);
  const ofAuthentication = { group: 'authentication.k8s.io' };
  for (const [key, values] of Object.entries(extra)) {
    for (const value of values) may('userextras', value, { ...ofAuthentication, subresource: key });
  }
  if (uid !== undefined) may('uids', uid, ofAuthentication);

  const own = account ? ['system:serviceaccounts', `system:serviceaccounts:${account[1]}`] : [];
  const said = {
    name,
    groups: groups.length > 0 ? groups : own,
    ...(uid === undefined ? {} : { uid }),
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  };
  return name === 'system:anonymous'
    ? { ...said, groups: [...said.groups, 'system:unauthenticated'] }
    : authenticated(said);
}

function extraOf(headers: Headers): Record<string, readonly string[]> {
  const found = Object.entries(headers).flatMap(([header, values = []]) =>
    header.startsWith(extraPrefix) ? [[decoded(header.slice(extraPrefix.length)), values] as const] : [],
  );
  return Object.fromEntries(found);
}

function decoded(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}
