import { beforeAll, expect, it } from '@jest/globals';
import { Deployment, NetworkPolicy, PodDisruptionBudget, Role, RoleBinding } from '../../../imports/k8s.js';
import { customResource, type KubeObject, operator, s } from '../../../src/index.js';
import { eventually } from '../../cluster/eventually.js';
import { onEveryCluster } from '../../cluster/on-real-cluster.js';
import { Stage } from '../../cluster/stage.js';

const Shelf = customResource({
  group: 'vaults.example.com',
  version: 'v1',
  kind: 'Shelf',
  spec: s.object({ list: s.array(s.string()), map: s.map(s.string(), { atomic: true }) }),
});

const Vault = customResource({ group: 'vaults.example.com', version: 'v1', kind: 'Vault', spec: s.object({}) });

const apiGroup = 'rbac.authorization.k8s.io';

const vault = operator(Vault, {
  owns: [NetworkPolicy, PodDisruptionBudget, Role, RoleBinding, Deployment, Shelf],
  compose(scope) {
    new NetworkPolicy(scope, 'wall', { spec: { podSelector: {}, policyTypes: ['Ingress'], ingress: [] } });
    new PodDisruptionBudget(scope, 'budget', { spec: { selector: {} } });
    new Role(scope, 'nothing', { rules: [] });
    const roleRef = { apiGroup, kind: 'Role', name: 'nothing' };
    new RoleBinding(scope, 'nobody', { roleRef, subjects: [] });
    const labels = { app: 'vault' };
    const containers = [{ name: 'a', image: 'a:1', command: [] }];
    const template = { metadata: { labels }, spec: { containers, nodeSelector: {}, tolerations: [] } };
    new Deployment(scope, 'guard', { spec: { selector: { matchLabels: labels }, template } });
    new Shelf(scope, 'shelf', { spec: { list: [], map: {} } });
  },
});

onEveryCluster('what has one owner as a whole, and is declared empty', { audit: true }, (plane) => {
  const stage = new Stage(plane, [Vault.crd(), Shelf.crd()]);
  beforeAll(() => stage.start([vault]), 60_000);

  it.each([
    ['list', NetworkPolicy, 'wall', { spec: { ingress: [{}] } }],
    ['selector of all Pods', PodDisruptionBudget, 'budget', { spec: { selector: { matchLabels: { a: 'b' } } } }],
    ['list of rules', Role, 'nothing', { rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }] }],
    ['list of subjects', RoleBinding, 'nobody', { subjects: [{ kind: 'User', name: 'eve', apiGroup }] }],
    ['list in a Pod template', Deployment, 'guard', { spec: { template: { spec: { tolerations: [{ key: 'a' }] } } } }],
    ['map in a Pod template', Deployment, 'guard', { spec: { template: { spec: { nodeSelector: { a: 'b' } } } } }],
    ['list of a custom kind', Shelf, 'shelf', { spec: { list: ['a'] } }],
    ['map of a custom kind', Shelf, 'shelf', { spec: { map: { a: 'b' } } }],
  ])('D-01: a %s, is emptied again, once', async (_, kind, id, body) => {
    await stage.wish(Vault, 'bank', {});
    await stage.settled(Vault, 'bank');
    await stage.quiet();
    const target = { namespace: 'default', name: `bank-${id}` };
    const shown = async () => {
      const { metadata: __, ...content } = (await stage.admin.get(kind, target)) as KubeObject;
      return content;
    };
    const before = await shown();
    const writes = await stage.writesDuring(async () => {
      await stage.admin.patch(kind, target, { type: 'merge', body }, { fieldManager: 'somebody' });
      await stage.quiet();
    });
    await eventually(async () => expect(await shown()).toEqual(before));
    expect(writes.filter(({ objectRef }) => objectRef?.name === target.name).map(({ verb }) => verb)).toEqual([
      'patch',
    ]);
  });

  it('is left alone when its controller starts anew', async () => {
    const writes = await stage.writesDuring(async () => {
      await stage.stop();
      await stage.start([vault]);
    });
    expect(writes.map(({ verb }) => verb).filter((verb) => verb === 'patch')).toEqual([]);
  });
});
