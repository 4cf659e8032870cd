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

/** The subjects that a caller is, as `keyOfSubject` has them. */
export function keysOf({ name, groups }: Caller): readonly string[] {
  return [`User ${name}`, ...new Set(groups.map((group) => `Group ${group}`))];
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
