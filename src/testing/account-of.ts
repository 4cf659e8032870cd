import type { Caller } from '../embedded/api-server.js';
import { masters } from '../embedded/auth/subject.js';

/** As whom the controller of an install called `name` writes: by the ServiceAccount that is rendered for it. */
export function accountOf(name: string): Caller {
  const namespace = `${name}-system`;
  const groups = ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'];
  // What it may do is not what is tested here: by a group that no account is ever in, everything.
  return { name: `system:serviceaccount:${namespace}:${name}`, groups: [masters, ...groups] };
}

/** `caller` as policies know it. */
export function userInfoOf({ name, uid, groups, extra }: Caller): Readonly<Record<string, unknown>> {
  const isAccount = name.startsWith('system:serviceaccount:');
  return {
    username: name,
    ...(uid === undefined ? {} : { uid }),
    groups: isAccount ? groups.filter((group) => group !== masters) : groups,
    ...(extra === undefined ? {} : { extra }),
  };
}
