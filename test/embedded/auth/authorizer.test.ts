import { describe, expect, it } from '@jest/globals';
import type { Caller } from '../../../src/embedded/api-server.js';
import type { Action } from '../../../src/embedded/auth/policy-rule.js';
import type { KubeObject, Manifest } from '../../../src/kube/manifest.js';
import { TestDesk } from './desk.js';

const rbac = 'rbac.authorization.k8s.io';
const ann: Caller = { name: 'ann', groups: ['dev', 'system:authenticated'] };
const getPods: Action = { verb: 'get', group: '', version: 'v1', resource: 'pods', namespace: 'a' };

const role = (kind: string, name: string, rules: readonly object[], namespace?: string): Manifest => ({
  apiVersion: `${rbac}/v1`,
  kind,
  metadata: { name, ...(namespace ? { namespace } : {}) },
  rules,
});
const binding = (
  kind: string,
  name: string,
  to: string,
  subjects: readonly object[],
  namespace?: string,
): Manifest => ({
  apiVersion: `${rbac}/v1`,
  kind,
  metadata: { name, ...(namespace ? { namespace } : {}) },
  roleRef: { apiGroup: rbac, kind: to.split('/')[0], name: to.split('/')[1] },
  subjects,
});
const reading = [{ verbs: ['get'], apiGroups: [''], resources: ['pods'] }];
const user = (name: string) => ({ kind: 'User', name });

describe('the authorizer', () => {
  it('follows the store', () => {
    const desk = new TestDesk();
    const may = () => desk.authorizer.decide(ann, getPods).allowed;
    const seen: boolean[] = [may()];
    const stored: KubeObject[] = [];
    const put = (manifest: Manifest) => {
      stored.push(desk.put(manifest));
      seen.push(may());
    };
    put(binding('RoleBinding', 'b', 'Role/r', [user('ann')], 'a'));
    put(role('Role', 'r', reading, 'a'));
    put(binding('RoleBinding', 'b', 'Role/r', [user('bob')], 'a'));
    put(binding('RoleBinding', 'b', 'Role/r', [user('bob'), { kind: 'Group', name: 'dev' }], 'a'));
    put(role('Role', 'r', [], 'a'));
    put(role('Role', 'r', reading, 'a'));
    desk.store.remove(`roles.${rbac}`, stored.at(-1)!);
    seen.push(may());
    expect(seen).toEqual([false, false, true, false, true, false, true, false]);
  });

  it('takes over what is in the store already, and stops when closed', () => {
    const desk = new TestDesk();
    desk.put(role('ClusterRole', 'r', reading));
    desk.put(binding('ClusterRoleBinding', 'b', 'ClusterRole/r', [user('ann')]));
    const late = desk.another();
    expect(late.decide(ann, getPods).allowed).toBe(true);
    late.close();
    desk.put(role('ClusterRole', 'r', []));
    expect(late.decide(ann, getPods).allowed).toBe(true);
    expect(desk.authorizer.decide(ann, getPods).allowed).toBe(false);
  });

  it.each<[string, readonly Manifest[], string]>([
    [
      'a ClusterRoleBinding',
      [binding('ClusterRoleBinding', 'b', 'ClusterRole/r', [{ kind: 'Group', name: 'dev' }, user('ann')])],
      'RBAC: allowed by ClusterRoleBinding "b" of ClusterRole "r" to Group "dev"',
    ],
    [
      'a RoleBinding',
      [binding('RoleBinding', 'b', 'ClusterRole/r', [user('bob'), user('ann')], 'a')],
      'RBAC: allowed by RoleBinding "b/a" of ClusterRole "r" to User "ann"',
    ],
    ['a RoleBinding elsewhere', [binding('RoleBinding', 'b', 'ClusterRole/r', [user('ann')], 'b')], ''],
    [
      'a missing role',
      [
        binding('RoleBinding', 'b', 'Role/r', [user('ann')], 'a'),
        binding('ClusterRoleBinding', 'c', 'ClusterRole/x', [user('ann')]),
      ],
      'RBAC: [clusterrole.rbac.authorization.k8s.io "x" not found, role.rbac.authorization.k8s.io "r" not found]',
    ],
  ])('gives the reason: %s', (_, bindings, reason) => {
    const desk = new TestDesk();
    desk.put(role('ClusterRole', 'r', reading));
    for (const each of bindings) desk.put(each);
    expect(desk.authorizer.decide(ann, getPods).reason).toBe(reason);
  });

  it('takes a ServiceAccount of a RoleBinding without a namespace for one of its own', () => {
    const desk = new TestDesk();
    desk.put(role('ClusterRole', 'r', reading));
    desk.put(binding('RoleBinding', 'b', 'ClusterRole/r', [{ kind: 'ServiceAccount', name: 'sa' }], 'a'));
    const account = (namespace: string): Caller => ({ name: `system:serviceaccount:${namespace}:sa`, groups: [] });
    expect(desk.authorizer.decide(account('a'), getPods)).toEqual({
      allowed: true,
      reason: 'RBAC: allowed by RoleBinding "b/a" of ClusterRole "r" to ServiceAccount "sa/a"',
    });
    expect(desk.authorizer.decide(account('b'), getPods).allowed).toBe(false);
  });

  it('takes hostile names for names', () => {
    const desk = new TestDesk();
    for (const name of ['__proto__', 'constructor']) {
      expect(desk.authorizer.decide({ name, groups: [name] }, { ...getPods, namespace: name }).allowed).toBe(false);
    }
  });

  it('lets system:masters do everything', () => {
    const caller = { name: 'root', groups: ['system:masters'] };
    expect(new TestDesk().authorizer.decide(caller, { verb: 'any', path: '/any' })).toEqual({
      allowed: true,
      reason: '',
    });
  });

  it.each<[Action, string]>([
    [
      { verb: 'list', group: 'apps', version: 'v1', resource: 'deployments', namespace: 'default' },
      'deployments.apps is forbidden: User "ann" cannot list resource "deployments" in API group "apps" in the namespace "default"',
    ],
    [
      { verb: 'list', group: 'apps', version: 'v1', resource: 'deployments' },
      'deployments.apps is forbidden: User "ann" cannot list resource "deployments" in API group "apps" at the cluster scope',
    ],
    [
      { verb: 'update', group: '', version: 'v1', resource: 'pods', subresource: 'status', name: 'x', namespace: 'a' },
      'pods "x" is forbidden: User "ann" cannot update resource "pods/status" in API group "" in the namespace "a"',
    ],
    [{ verb: 'get', path: '/metrics' }, 'forbidden: User "ann" cannot get path "/metrics"'],
    [{ verb: 'get', path: '/<b>' }, 'forbidden: User "ann" cannot get path "/&lt;b&gt;"'],
  ])('refuses %j in the words of the server', (action, message) => {
    expect(() => new TestDesk().authorizer.authorize(ann, action)).toThrow(
      expect.objectContaining({ status: expect.objectContaining({ code: 403, reason: 'Forbidden', message }) }),
    );
  });
});
