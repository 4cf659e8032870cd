import { describe, expect, it } from '@jest/globals';
import { aggregatedRules, ClusterRoleAggregation } from '../../../src/embedded/auth/cluster-role-aggregation.js';
import { defaultRoles } from '../../../src/embedded/auth/default-roles.js';
import { EmbeddedServer } from '../../../src/embedded/embedded-server.js';
import type { Json, KubeObject } from '../../../src/kube/manifest.js';
import { eventually } from '../../cluster/eventually.js';
import { onRealCluster } from '../../cluster/on-real-cluster.js';
import { AskServer } from '../ask-server.js';
import { admin } from './desk.js';

const rbac = 'rbac.authorization.k8s.io';
const pods = { verbs: ['get'], apiGroups: [''], resources: ['pods'] };
const jobs = { verbs: ['get'], apiGroups: ['batch'], resources: ['jobs'] };
const metrics = { verbs: ['get'], nonResourceURLs: ['/metrics'] };

function clusterRole(name: string, labels: Readonly<Record<string, string>>, rules: readonly object[], more = {}) {
  return { apiVersion: `${rbac}/v1`, kind: 'ClusterRole', metadata: { name, labels }, rules, ...more };
}

const sources = [
  clusterRole('b', { to: 'x' }, [jobs, pods]),
  clusterRole('a', { to: 'x' }, [pods, metrics]),
  clusterRole('c', { to: 'y' }, [jobs]),
  clusterRole('d', {}, [{ ...jobs, verbs: ['delete'] }]),
  { ...clusterRole('e', { to: 'x' }, []), rules: null },
];
const gathering = (...selectors: readonly object[]) =>
  clusterRole('all', { to: 'x' }, [jobs], { aggregationRule: { clusterRoleSelectors: selectors } });
const cases: readonly (readonly [string, readonly object[], readonly object[]])[] = [
  ['in the order of names, each rule once', [{ matchLabels: { to: 'x' } }], [pods, metrics, jobs]],
  ['in the order of selectors', [{ matchLabels: { to: 'y' } }, { matchLabels: { to: 'x' } }], [jobs, pods, metrics]],
  ['by expressions', [{ matchExpressions: [{ key: 'to', operator: 'In', values: ['y', 'z'] }] }], [jobs]],
];

describe('an aggregated ClusterRole', () => {
  it.each(cases)('has the rules of those that it selects, %s', (_, selectors, rules) => {
    const role = gathering(...selectors);
    const all = [role, ...sources].sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
    expect(aggregatedRules(role as unknown as KubeObject, all as unknown as KubeObject[])).toEqual(rules);
  });
});

describe('the controller', () => {
  it('keeps aggregated ClusterRoles, and those that gather them, as what they select changes', () => {
    const { verbs, kinds, store } = new EmbeddedServer({ controllers: false });
    const controller = new ClusterRoleAggregation(verbs, kinds, store, admin);
    const waiting = new Set<string>();
    const queue = { add: (key: string) => void waiting.add(key), addAfter: () => undefined };
    store.listen((change) => {
      if (controller.hears.includes(change.resource)) controller.observe(change, queue);
    });
    const settle = () => {
      for (const key of waiting) {
        waiting.delete(key);
        controller.reconcile(key);
      }
    };
    const kind = kinds.resource(rbac, 'v1', 'clusterroles')!;
    const rulesOf = (name: string) => store.get(kind.storage, undefined, name)?.['rules'] ?? [];

    // They are there from the start; here each comes anew, in front of the controller.
    for (const role of defaultRoles().filter((each) => each.kind === 'ClusterRole')) {
      verbs.delete(kind, { name: role.metadata.name }, {}, { caller: admin });
      verbs.create(kind, undefined, role as unknown as Json, { caller: admin, fieldManager: 'test' });
    }
    settle();
    const whole = { view: rulesOf('view'), edit: rulesOf('edit'), admin: rulesOf('admin') };
    expect(Object.values(whole).map((rules) => (rules as readonly object[]).length)).toEqual([12, 27, 29]);
    expect(store.get(kind.storage, undefined, 'view')?.metadata.managedFields).toContainEqual(
      expect.objectContaining({ manager: 'clusterrole-aggregation-controller', operation: 'Apply' }),
    );

    const mine = clusterRole('mine', { [`${rbac}/aggregate-to-view`]: 'true' }, [metrics]);
    verbs.create(kind, undefined, mine as unknown as Json, { caller: admin, fieldManager: 'test' });
    settle();
    for (const name of ['view', 'edit', 'admin']) expect(rulesOf(name)).toContainEqual(metrics);

    verbs.delete(kind, { name: 'mine' }, {}, { caller: admin });
    settle();
    expect({ view: rulesOf('view'), edit: rulesOf('edit'), admin: rulesOf('admin') }).toEqual(whole);

    const before = store.revision;
    for (const name of ['view', 'edit', 'admin', 'mine', 'cluster-admin']) controller.reconcile(name);
    expect(store.revision).toBe(before);
  });
});

onRealCluster('the real controller', { controllerManager: true }, (plane) => {
  it('gives view, edit and admin the rules that we give them', async () => {
    const server = new AskServer(plane());
    try {
      const all = defaultRoles()
        .filter(({ kind }) => kind === 'ClusterRole')
        .sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1)) as unknown as KubeObject[];
      // In the order in which they build on one another.
      for (const name of ['view', 'edit', 'admin']) {
        const index = all.findIndex(({ metadata }) => metadata.name === name);
        all[index] = { ...all[index]!, rules: aggregatedRules(all[index]!, all) };
        await eventually(async () => {
          const { body } = await server.ask('GET', `/apis/${rbac}/v1/clusterroles/${name}`);
          expect(body['rules']).toEqual(all[index]!['rules']);
        });
      }
    } finally {
      await server.close();
    }
  });
});
