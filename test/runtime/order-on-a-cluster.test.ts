import { beforeAll, expect, it } from '@jest/globals';
import { ConfigMap, Deployment } from '../../imports/k8s.js';
import { customResource, operator, s } from '../../src/index.js';
import type { ApiResource } from '../../src/kube/api-resource.js';
import { eventually } from '../cluster/eventually.js';
import { markPodsReady } from '../cluster/kubelet-stand-in.js';
import { onEveryCluster } from '../cluster/on-real-cluster.js';
import { Stage } from '../cluster/stage.js';

const App = customResource({
  group: 'order.example.com',
  version: 'v1',
  kind: 'App',
  spec: s.object({ image: s.string({ default: 'web:1' }), hasOld: s.boolean({ default: false }) }),
});
const Migration = customResource({ group: 'order.example.com', version: 'v1', kind: 'Migration', spec: s.object({}) });

/** The server waits for a migration of somebody else's kind, and that for a database that rolls out. */
const app = operator(App, {
  owns: [Deployment, Migration, ConfigMap],
  compose(scope, { spec }) {
    const workload = (id: string, image: string, replicas: number) => {
      const labels = { app: id };
      const template = { metadata: { labels }, spec: { containers: [{ name: 'main', image }] } };
      return new Deployment(scope, id, { spec: { replicas, selector: { matchLabels: labels }, template } });
    };
    const server = workload('server', spec.image, 0);
    const migration = new Migration(scope, spec.image.replace(':', '-'), { spec: {} });
    if (spec.hasOld) new ConfigMap(scope, 'old', {});
    server.node.addDependency(migration);
    migration.node.addDependency(workload('database', 'sql:1', 1));
  },
});

onEveryCluster('children that depend on each other', { controllerManager: true }, (plane) => {
  const stage = new Stage(plane, [App.crd(), Migration.crd()]);
  beforeAll(() => stage.start([app]), 60_000);
  const namespace = 'default';
  const names = async (kind: ApiResource) =>
    (await stage.admin.list(kind, { namespace })).items.map(({ metadata }) => metadata.name);
  /** As its own controller says it. */
  const says = async (name: string, status: 'True' | 'False', reason: string) => {
    const condition = { type: 'Ready', status, reason, message: '', lastTransitionTime: '2026-01-02T03:04:05Z' };
    const body = { status: { conditions: [condition] } };
    const by = { fieldManager: 'another-controller', subresource: 'status' } as const;
    await stage.admin.patch(Migration, { namespace, name }, { type: 'merge', body }, by);
  };
  const waits = (message: RegExp) =>
    eventually(async () =>
      expect(await stage.condition(App, 'web')).toMatchObject({
        status: 'False',
        reason: 'DependencyNotReady',
        message: expect.stringMatching(message) as unknown,
      }),
    );
  const image = async () => (await stage.get(Deployment, 'web-server')).spec?.template.spec?.containers[0]?.image;

  it('are made one after the other, each when what it needs is ready, and the condition says for what they wait', async () => {
    await stage.wish(App, 'web', { hasOld: true });
    await waits(/waits: Deployment\/default\/web-database is rolling out/);
    await stage.quiet();
    expect([await names(Deployment), await names(Migration)]).toEqual([['web-database'], []]);
    await eventually(async () => {
      await markPodsReady(stage.admin, namespace);
      expect(await names(Migration)).toEqual(['web-web-1']);
    }, 30);
    await waits(
      /Deployment\/default\/web-server waits: Migration\/default\/web-web-1 does not say yet that it is ready/,
    );
    await says('web-web-1', 'False', 'Running');
    await waits(/waits: Migration\/default\/web-web-1 is not ready/);
    expect(await names(Deployment)).toEqual(['web-database']);
    await says('web-web-1', 'True', 'Done');
    await eventually(async () => expect(await stage.condition(App, 'web')).toMatchObject({ status: 'True' }), 30);
    expect(await names(Deployment)).toEqual(['web-database', 'web-server']);
  });

  it('are changed, and others pruned, only when that is done', async () => {
    await stage.wish(App, 'web', { image: 'web:2' });
    await waits(/Migration\/default\/web-web-2/);
    await stage.quiet();
    expect(await image()).toBe('web:1');
    expect(await names(ConfigMap)).toContain('web-old');
    expect(await names(Migration)).toEqual(['web-web-1', 'web-web-2']);
    await says('web-web-2', 'True', 'Done');
    await eventually(async () => expect(await image()).toBe('web:2'));
    await eventually(async () => expect(await names(Migration)).toEqual(['web-web-2']));
    await eventually(async () => expect(await names(ConfigMap)).not.toContain('web-old'));
  });

  it('are put back at once when somebody changes them, whatever is not ready, and give their reason to their owner', async () => {
    await eventually(async () => expect(await stage.condition(App, 'web')).toMatchObject({ status: 'True' }), 30);
    await says('web-web-2', 'False', 'DiskFull');
    await eventually(async () => expect(await stage.condition(App, 'web')).toMatchObject({ reason: 'DiskFull' }));
    await stage.change(Deployment, 'web-server', { metadata: { labels: { 'app.kubernetes.io/name': 'theirs' } } });
    await eventually(async () =>
      expect((await stage.get(Deployment, 'web-server')).metadata.labels?.['app.kubernetes.io/name']).toBe('app'),
    );
  });
});
