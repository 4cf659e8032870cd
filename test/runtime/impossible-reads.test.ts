import { afterEach, describe, expect, it } from '@jest/globals';
import { ClusterRole, ConfigMap } from '../../imports/k8s.js';
import { customResource, many, one, operator, s } from '../../src/index.js';
import { startCluster, type TestCluster } from '../../src/testing/index.js';

const Page = customResource({
  group: 'web.example.com',
  version: 'v1',
  kind: 'Page',
  spec: s.object({
    app: s.string({ optional: true }),
    role: s.string({ optional: true }),
    notes: s.array(s.string(), { default: [] }),
  }),
});

const page = operator(Page, {
  owns: [ConfigMap],
  reads: {
    parts: many(ConfigMap, ({ spec }) => (spec.app === undefined ? undefined : { labels: { app: spec.app } })),
    role: one(ClusterRole, ({ spec }) => (spec.role === undefined ? undefined : { name: spec.role })),
  },
  compose(scope, { spec }, { role }) {
    for (const note of spec.notes) new ConfigMap(scope, note, { data: { text: note } });
    if (role) new ConfigMap(scope, 'role', { data: { of: role.metadata.name } });
  },
});

const home = (spec: object) => ({
  apiVersion: Page.apiVersion,
  kind: Page.kind,
  metadata: { name: 'home' },
  spec,
});

describe('a read', () => {
  let cluster: TestCluster;
  afterEach(() => cluster.stop());

  const children = async () =>
    (await cluster.list(ConfigMap, { labelSelector: 'app.kubernetes.io/managed-by=page' })).map(
      ({ metadata }) => metadata.name,
    );

  it.each([{ app: 'my app' }, { app: 'a'.repeat(64) }, { app: 'web,!tier' }, { role: 'my/role' }])(
    'of what there can be nowhere keeps no child from being pruned: %j',
    async (spec) => {
      cluster = await startCluster();
      await cluster.run(page);
      await cluster.apply(home({ ...spec, notes: ['a', 'b'] }));
      await cluster.settled();
      await cluster.apply(home({ ...spec, notes: ['a'] }));
      await cluster.settled();
      expect(await children()).toEqual(['home-a']);
      expect(await cluster.get(Page, 'home')).toMatchObject({
        status: { conditions: expect.arrayContaining([expect.objectContaining({ type: 'Ready', status: 'True' })]) },
      });
    },
  );

  it.each(['by,commas', 'a=b', 'back\\slash'])('finds a name with what selectors are made of: %s', async (name) => {
    cluster = await startCluster();
    await cluster.apply({
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name },
      rules: [],
    });
    await cluster.run(page);
    await cluster.apply(home({ role: name, notes: ['a', 'b'] }));
    await cluster.settled();
    await cluster.apply(home({ role: name, notes: ['a'] }));
    await cluster.settled();
    expect(await children()).toEqual(['home-a', 'home-role']);
  });
});
