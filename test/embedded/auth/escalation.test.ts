import { describe, expect, it } from '@jest/globals';
import type { Caller } from '../../../src/embedded/api-server.js';
import { refuseEscalation } from '../../../src/embedded/auth/escalation.js';
import type { KubeObject, Manifest } from '../../../src/kube/manifest.js';
import { TestDesk } from './desk.js';

const rbac = 'rbac.authorization.k8s.io';
const roles = `roles.${rbac}`;
const ann: Caller = { name: 'ann', groups: ['dev'] };

const role = (rules: readonly object[], metadata: object = {}): KubeObject =>
  ({
    apiVersion: `${rbac}/v1`,
    kind: 'Role',
    metadata: { name: 'r', namespace: 'a', uid: 'u', resourceVersion: '1', ...metadata },
    rules,
  }) as KubeObject;
const secrets = { verbs: ['get', 'list'], apiGroups: [''], resources: ['secrets'] };
const refusal = `roles.${rbac} "r" is forbidden: user "ann" (groups=["dev"]) is attempting to grant RBAC permissions not currently held:
{APIGroups:[""], Resources:["secrets"], Verbs:["get" "list"]}`;

/** A desk where ann may do what `rules` say, in the namespace `a`. */
function deskWith(...rules: readonly object[]): TestDesk {
  const desk = new TestDesk();
  const metadata = { name: 'held', namespace: 'a' };
  desk.put({ apiVersion: `${rbac}/v1`, kind: 'Role', metadata, rules });
  const subjects = [{ kind: 'User', name: 'ann' }];
  const roleRef = { apiGroup: rbac, kind: 'Role', name: 'held' };
  desk.put({ apiVersion: `${rbac}/v1`, kind: 'RoleBinding', metadata, roleRef, subjects } as Manifest);
  return desk;
}

function judge(desk: TestDesk, object: KubeObject, old?: KubeObject, caller = ann): string {
  try {
    refuseEscalation(roles, caller, object, old, desk.authorizer);
    return 'allowed';
  } catch (error) {
    return (error as Error).message;
  }
}

describe('who writes a Role', () => {
  it('may not allow more than they may do', () => {
    expect(judge(deskWith(), role([secrets]))).toBe(refusal);
    expect(judge(deskWith(secrets), role([secrets]))).toBe('allowed');
    expect(judge(deskWith({ ...secrets, verbs: ['get'] }, { ...secrets, verbs: ['list'] }), role([secrets]))).toBe(
      'allowed',
    );
  });

  it('is told of bindings without a role', () => {
    const desk = deskWith();
    desk.store.remove(roles, desk.store.get(roles, 'a', 'held')!);
    const problem = 'role.rbac.authorization.k8s.io "held" not found';
    expect(judge(desk, role([secrets]))).toBe(`${refusal}; resolution errors: [${problem}]`);
  });

  it('may with the verb escalate, of this Role where it exists', () => {
    const escalate = { verbs: ['escalate'], apiGroups: [rbac], resources: ['roles'] };
    expect(judge(deskWith(escalate), role([secrets]))).toBe('allowed');
    const byName = deskWith({ ...escalate, resourceNames: ['r'] });
    expect(judge(byName, role([secrets]))).toBe(refusal);
    expect(judge(byName, role([secrets]), role([]))).toBe('allowed');
  });

  it('may do what the garbage collector does', () => {
    const old = role([secrets], { finalizers: ['a/b'] });
    const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'c', uid: 'c' };
    expect(judge(deskWith(), role([secrets], { ownerReferences: [owner] }), old)).toBe('allowed');
    expect(judge(deskWith(), role([secrets], { labels: { a: 'b' } }), old)).toBe(refusal);
  });

  it('may all as one of system:masters', () => {
    expect(judge(deskWith(), role([secrets]), undefined, { name: 'root', groups: ['system:masters'] })).toBe('allowed');
  });
});

it('is no matter of other kinds', () => {
  const object = { ...role([secrets]), kind: 'ConfigMap' };
  expect(() => refuseEscalation('configmaps', ann, object, undefined, deskWith().authorizer)).not.toThrow();
});
