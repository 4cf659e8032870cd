import { OperatorError } from '../kube/errors.js';

/** What a person calls a custom resource, `memcached/cache`, in its parts. Throws `OperatorError` for anything else. */
export function kindAndName(said: string): readonly [kind: string, name: string] {
  const [kind = '', name = '', ...rest] = said.split('/');
  if (kind !== '' && name !== '' && rest.length === 0) return [kind, name];
  throw new OperatorError(`${JSON.stringify(said)} names no custom resource`, { hint: 'write memcached/cache' });
}
