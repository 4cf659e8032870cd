import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { ConfigMap, Secret } from '../../imports/k8s.js';
import { type CustomResourceOf, customResource, type ExternalOf, one, operator, s } from '../../src/index.js';
import { startCluster, type TestCluster } from '../../src/testing/index.js';
import { conditionIn } from '../condition-in.js';

/** What an author's code throws for want of an input says less than which object lacks, and what would give it. */
const Database = customResource({
  group: 'pg.example.com',
  version: 'v1',
  kind: 'Database',
  spec: s.object({ server: s.string() }),
});
const reads = {
  login: one(Secret, ({ spec }: CustomResourceOf<typeof Database>) => ({ namespace: 'infra', name: spec.server }), {
    required: true,
  }),
};
const lacking = 'there is no password yet';

const outside: ExternalOf<typeof Database, string, typeof reads> = {
  pollSeconds: 60,
  async observe(_, { reads: { login } }) {
    if (!login) throw new Error(lacking);
    return 'there';
  },
  ensure: async () => 'there',
  remove: async () => {},
};
const throwing = {
  'what it has outside': operator(Database, {
    owns: [],
    reach: 'consent',
    reads,
    external: { outside },
    compose() {},
  }),
  compose: operator(Database, {
    owns: [ConfigMap],
    reach: 'consent',
    reads,
    compose(scope, _, { login }) {
      if (!login) throw new Error(lacking);
      new ConfigMap(scope, 'page');
    },
  }),
  status: operator(Database, {
    owns: [ConfigMap],
    reach: 'consent',
    reads,
    compose(scope) {
      new ConfigMap(scope, 'page');
    },
    status(_, { login }) {
      if (!login) throw new Error(lacking);
      return {};
    },
  }),
};

let cluster: TestCluster;
beforeEach(async () => {
  cluster = await startCluster();
});
afterEach(() => cluster.stop());

it.each(Object.entries(throwing))(
  '%s that throws for want of an input is told with which it is',
  async (_, database) => {
    await cluster.run(database);
    await cluster.apply({
      apiVersion: Database.apiVersion,
      kind: Database.kind,
      metadata: { name: 'shop' },
      spec: { server: 'login' },
    });
    await cluster.settled();
    const message = async () => conditionIn(await cluster.get(Database, 'shop'))?.message;
    expect(await message()).toContain(lacking);
    expect(await message()).toContain('Secret/infra/login is not there, or not shared with namespace default');
    expect(await message()).toContain('kilter.dev/share-with: default');

    await cluster.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'infra' } });
    const annotations = { 'kilter.dev/share-with': 'default' };
    await cluster.apply({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'login', namespace: 'infra', annotations },
    });
    await cluster.settled();
    expect(conditionIn(await cluster.get(Database, 'shop'))).toMatchObject({ status: 'True' });
  },
);
