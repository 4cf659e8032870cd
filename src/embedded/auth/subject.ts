import type { Caller } from '../api-server.js';

/** https://kubernetes.io/docs/reference/access-authn-authz/rbac/#referring-to-subjects */
export interface Subject {
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
}

export const masters = 'system:masters';

export function serviceAccountName(namespace: string, name: string): string {
  return `system:serviceaccount:${namespace}:${name}`;
}

const known = new WeakMap<Caller, readonly string[]>();

/** The subjects that a caller is, as `keyOfSubject` has them. */
export function keysOf(caller: Caller): readonly string[] {
  const made = known.get(caller);
  if (made) return made;
  const keys = [`User ${caller.name}`, ...new Set(caller.groups.map((group) => `Group ${group}`))];
  known.set(caller, keys);
  return keys;
}

/** Undefined for a subject that nobody can be. A ServiceAccount is a user of its own name. */
export function keyOfSubject(subject: Subject, bindingNamespace: string): string | undefined {
  switch (subject.kind) {
    case 'User':
    case 'Group':
      return `${subject.kind} ${subject.name}`;
    case 'ServiceAccount': {
      const namespace = subject.namespace || bindingNamespace;
      return namespace === '' ? undefined : `User ${serviceAccountName(namespace, subject.name)}`;
    }
    default:
      return undefined;
  }
}
