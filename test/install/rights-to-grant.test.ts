import { describe, expect, it } from '@jest/globals';
import { App } from 'cdk8s';
import { Namespace, RoleBinding } from '../../imports/k8s.js';
import { customResource, operator, s } from '../../src/index.js';
import { OperatorInstall } from '../../src/install/index.js';
import type { ApiResource } from '../../src/kube/api-resource.js';
import type { Manifest } from '../../src/kube/manifest.js';
import type { PolicyRule } from '../../src/kube/policy-rule.js';
import { startCluster } from '../../src/testing/index.js';

const Team = customResource({
  group: 'teams.example.com',
  version: 'v1',
  kind: 'Team',
  namespaced: false,
  spec: s.object({ admins: s.array(s.string()) }),
});

const team = (rights?: readonly PolicyRule[]) =>
  operator(Team, {
    owns: [Namespace, RoleBinding],
    ...(rights ? { rights } : {}),
    compose(scope, { spec }) {
      const namespace = new Namespace(scope, 'default', {});
      new RoleBinding(scope, 'admins', {
        metadata: { namespace: namespace.name },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'edit' },
        subjects: spec.admins.map((name) => ({ kind: 'User', name })),
      });
    },
  });

/** What becomes of the binding when the account of an install makes it, with the rights that are rendered. */
async function bound(rights?: readonly PolicyRule[]): Promise<Manifest> {
  const cluster = await startCluster();
  try {
    const install = new OperatorInstall(new App(), 'team', { operators: [team(rights)], image: 'team:1' });
    const rendered = install.toJson() as Manifest[];
    for (const manifest of rendered.filter(({ kind }) => /^(Namespace|ClusterRole|ClusterRoleBinding)$/.test(kind))) {
      await cluster.apply(manifest);
    }
    const [, binding] = team().desired({ metadata: { name: 'red' }, spec: { admins: ['jane'] } });
    await cluster.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'red' } });
    const account = cluster.server.cluster({
      name: 'system:serviceaccount:team-system:team',
      groups: ['system:serviceaccounts', 'system:authenticated'],
    });
    return await account.create(RoleBinding as ApiResource, binding!, { fieldManager: 'team' });
  } finally {
    await cluster.stop();
  }
}

describe('an operator that owns RoleBindings', () => {
  it('may bind what its rights let it bind, and nothing else', async () => {
    const bind = (name: string) => ({
      apiGroups: ['rbac.authorization.k8s.io'],
      resources: ['clusterroles'],
      resourceNames: [name],
      verbs: ['bind'],
    });
    await expect(bound([bind('edit')])).resolves.toMatchObject({ metadata: { name: 'red-admins' } });
    await expect(bound([bind('view')])).rejects.toThrow('attempting to grant RBAC permissions not currently held');
    await expect(bound()).rejects.toMatchObject({ hint: expect.stringContaining('"bind"') });
  });

  it.each([
    [[{ apiGroups: [''], resources: ['pods'] }], 'has no verbs'],
    [[{ apiGroups: [''], resources: ['pods'], verbs: [] }], 'has no verbs'],
    [[{ apiGroups: [''], resources: ['pods'], verbs: ['get'], names: ['a'] }], 'has "names", which means nothing'],
    [['bind'], 'is no rule'],
    [{ verbs: ['bind'] }, 'is no rule'],
  ])('is refused the rights %j', (rights, words) => {
    expect(() => team(rights as never)).toThrow(words);
  });
});
