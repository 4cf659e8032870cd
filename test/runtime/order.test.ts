import { afterEach, describe, expect, it } from '@jest/globals';
import { ConfigMap, Deployment } from '../../imports/k8s.js';
import { type Condition, customResource, type KubeObject, operator, s } from '../../src/index.js';
import { startCluster, type TestCluster } from '../../src/testing/index.js';

const App = customResource({
  group: 'apps.example.com',
  version: 'v1',
  kind: 'App',
  spec: s.object({ image: s.string({ default: 'web:1' }), hasOld: s.boolean({ default: false }) }),
});
const Database = customResource({ group: 'db.example.com', version: 'v1', kind: 'Database', spec: s.object({}) });
const Migration = customResource({ group: 'db.example.com', version: 'v1', kind: 'Migration', spec: s.object({}) });
const pod = (image: string) => ({ containers: [{ name: 'main', image }] });

/** The server waits for the migration, and that for the database, both custom resources of somebody else. */
const app = operator(App, {
  name: 'app',
  owns: [Deployment, Migration, Database, ConfigMap],
  compose(scope, { spec }) {
    const labels = { app: 'web' };
    const server = new Deployment(scope, 'server', {
      spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: pod(spec.image) } },
    });
    const migration = new Migration(scope, `migration-${spec.image.replace(':', '-')}`, { spec: {} });
    const database = new Database(scope, 'database', { spec: {} });
    if (spec.hasOld) new ConfigMap(scope, 'old', {});
    server.node.addDependency(migration);
    migration.node.addDependency(database);
  },
});

describe('children that depend on each other', () => {
  let cluster: TestCluster;
  afterEach(() => cluster.stop());

  const start = async (spec: object = {}) => {
    cluster = await startCluster({ controllers: {} });
    await cluster.install(Database.crd());
    await cluster.install(Migration.crd());
    await cluster.run(app);
    await cluster.apply({ apiVersion: App.apiVersion, kind: 'App', metadata: { name: 'web' }, spec });
    await cluster.advance(5);
  };
  const ready = async () => {
    const { status } = (await cluster.get(App, 'web')) as unknown as KubeObject & {
      status: { conditions: Condition[] };
    };
    return status.conditions.find(({ type }) => type === 'Ready');
  };
  const is = async (kind: typeof Database, name: string, status: 'True' | 'False', reason: string) => {
    const now = new Date(cluster.clock.now()).toISOString();
    const condition = { type: 'Ready', status, reason, message: '', lastTransitionTime: now };
    await cluster.patch(kind, name, { status: { conditions: [condition] } }, { subresource: 'status' });
    await cluster.advance(1);
  };
  const names = async () =>
    [...(await cluster.list(Deployment)), ...(await cluster.list(Migration)), ...(await cluster.list(Database))].map(
      ({ metadata }) => metadata.name,
    );

  it('are made one after the other, each when what it needs is ready, and the condition says for what they wait', async () => {
    await start();
    await is(Database, 'web-database', 'False', 'Restoring');
    expect(await names()).not.toContain('web-server');
    expect(await ready()).toMatchObject({
      status: 'False',
      reason: 'DependencyNotReady',
      message: expect.stringMatching(/waits: (Database|Migration)\/default\/web-\S+ is not/) as unknown,
    });
    await is(Database, 'web-database', 'True', 'Restored');
    expect(await names()).toContain('web-migration-web-1');
    expect(await names()).not.toContain('web-server');
    await is(Migration, 'web-migration-web-1', 'True', 'Done');
    expect(await names()).toContain('web-server');
    await cluster.settled();
    expect(await ready()).toMatchObject({ status: 'True' });
  });

  it('are changed, and others pruned, only when that is done', async () => {
    await start({ hasOld: true });
    await is(Database, 'web-database', 'True', 'Restored');
    await is(Migration, 'web-migration-web-1', 'True', 'Done');
    await cluster.settled();
    await cluster.apply({
      apiVersion: App.apiVersion,
      kind: 'App',
      metadata: { name: 'web' },
      spec: { image: 'web:2' },
    });
    await cluster.settled();
    const image = async () => (await cluster.get(Deployment, 'web-server')).spec?.template.spec?.containers[0]?.image;
    expect(await image()).toBe('web:1');
    expect(await cluster.find(ConfigMap, 'web-old')).toBeDefined();
    await is(Migration, 'web-migration-web-2', 'True', 'Done');
    await cluster.settled();
    expect(await image()).toBe('web:2');
    expect(await cluster.find(ConfigMap, 'web-old')).toBeUndefined();
  });

  it('are put back at once when somebody changes them', async () => {
    await start();
    await is(Database, 'web-database', 'True', 'Restored');
    await is(Migration, 'web-migration-web-1', 'True', 'Done');
    await cluster.settled();
    await is(Database, 'web-database', 'False', 'Broken');
    await cluster.patch(Deployment, 'web-server', { metadata: { labels: { 'app.kubernetes.io/name': 'other' } } });
    await cluster.advance(1);
    expect((await cluster.get(Deployment, 'web-server')).metadata.labels?.['app.kubernetes.io/name']).toBe('app');
  });

  it('give their reason to their custom resource', async () => {
    await start();
    await is(Database, 'web-database', 'True', 'Restored');
    await is(Migration, 'web-migration-web-1', 'True', 'Done');
    await cluster.settled();
    await is(Database, 'web-database', 'False', 'DiskFull');
    expect(await ready()).toMatchObject({ reason: 'DiskFull', message: 'Database/default/web-database is not ready' });
    await is(Database, 'web-database', 'True', 'Restored');
    expect(await ready()).toMatchObject({ status: 'True' });
  });
});
