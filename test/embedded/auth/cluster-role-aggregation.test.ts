import { describe, expect, it } from '@jest/globals';
import { aggregatedRules } from '../../../src/embedded/auth/cluster-role-aggregation.js';
import { defaultRoles } from '../../../src/embedded/auth/default-roles.js';
import type { KubeObject } from '../../../src/kube/manifest.js';
import { eventually } from '../../cluster/eventually.js';
import { onRealCluster } from '../../cluster/on-real-cluster.js';
import { AskServer } from '../ask-server.js';

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
