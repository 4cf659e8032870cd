import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { ConfigMap, Deployment } from '../../imports/k8s.js';
import { customResource, operator, s } from '../../src/index.js';
import { startCluster, type TestCluster, type TestController } from '../../src/testing/index.js';

const Web = customResource({
  group: 'web.example.com',
  version: 'v1',
  kind: 'Web',
  spec: s.object({ app: s.string({ default: 'a' }), hasSettings: s.boolean({ default: true }) }),
});
const web = operator(Web, {
  owns: [Deployment, ConfigMap],
  recreate: [Deployment],
  compose(scope, { spec }) {
    const labels = { app: spec.app };
    new Deployment(scope, 'server', {
      spec: {
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'nginx:1' }] } },
      },
    });
    if (spec.hasSettings) new ConfigMap(scope, 'settings', { data: { by: 'us' } });
  },
});

let cluster: TestCluster;
let controller: TestController;
beforeEach(async () => {
  cluster = await startCluster();
  controller = await cluster.run(web);
  await want({});
  // Whatever keeps it for a while: a grace period, a finalizer, `--cascade=foreground`.
  await cluster.patch(Deployment, 'site-server', { metadata: { finalizers: ['x.example.com/held'] } } as never);
});
afterEach(() => cluster.stop());

const want = async (spec: object) => {
  await cluster.apply({ apiVersion: Web.apiVersion, kind: Web.kind, metadata: { name: 'site' }, spec });
  await cluster.settled();
};
const letGo = async () => {
  await cluster.patch(Deployment, 'site-server', { metadata: { finalizers: null } } as never);
  await cluster.settled();
};
const settings = () => cluster.find(ConfigMap, 'site-settings');

it.each<[string, () => Promise<unknown>, object]>([
  ['is made anew', async () => {}, { app: 'b' }],
  ['somebody deleted', () => cluster.delete(Deployment, 'site-server'), {}],
])('what is dropped stays until the child is there again that %s', async (_, before, change) => {
  await before();
  await want({ ...change, hasSettings: false });
  expect((await cluster.get(Deployment, 'site-server')).metadata.deletionTimestamp).toBeDefined();
  expect(await settings()).toBeDefined();
  // A process that begins meanwhile sees no more than that it goes.
  await controller.stop();
  await cluster.run(web);
  await cluster.settled();
  expect(await settings()).toBeDefined();

  await letGo();
  expect((await cluster.get(Deployment, 'site-server')).metadata.deletionTimestamp).toBeUndefined();
  expect(await settings()).toBeUndefined();
});
