import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { Deployment, EventsEvent } from '../../imports/k8s.js';
import { customResource, operator, s } from '../../src/index.js';
import { startCluster, type TestCluster } from '../../src/testing/index.js';

const Web = customResource({ group: 'web.example.com', version: 'v1', kind: 'Web', spec: s.object({}) });
const env = [
  { name: 'HOST', value: 'db' },
  { name: 'URL', value: 'http://$(HOST)' },
  { name: 'MODE', value: 'fast' },
];
const initContainers = [
  { name: 'load', image: 'load:1' },
  { name: 'convert', image: 'convert:1' },
];
const web = (mode: 'enforce' | 'ignore' = 'enforce') =>
  operator(Web, {
    owns: [Deployment],
    drift: { rules: [{ kind: Deployment, field: 'spec.template.spec.containers[*].env', mode }] },
    compose(scope) {
      const labels = { app: 'web' };
      const containers = [{ name: 'web', image: 'web:1', env }];
      const template = { metadata: { labels }, spec: { initContainers, containers } };
      new Deployment(scope, 'server', { spec: { selector: { matchLabels: labels }, template } });
    },
  });

let cluster: TestCluster;
beforeEach(async () => {
  cluster = await startCluster();
});
afterEach(() => cluster.stop());

const pods = async () => (await cluster.get(Deployment, 'a-server')).spec!.template.spec!;
const begin = async (mode?: 'ignore') => {
  const controller = await cluster.run(web(mode));
  await cluster.apply({ apiVersion: Web.apiVersion, kind: Web.kind, metadata: { name: 'a' }, spec: {} });
  await cluster.settled();
  return controller;
};
/** Changes no value, so that nobody becomes the owner of anything. */
const reorder = async (list: 'env' | 'initContainers') => {
  const spec = await pods();
  const [container] = spec.containers;
  const change =
    list === 'env'
      ? { containers: [{ ...container, env: [...container!.env!].reverse() }] }
      : { initContainers: [...spec.initContainers!].reverse() };
  await cluster.patch(Deployment, 'a-server', { spec: { template: { spec: change } } }, { manager: 'kubectl-edit' });
};
const names = (items: readonly { readonly name: string }[] = []) => items.map(({ name }) => name);

it.each(['env', 'initContainers'] as const)('the order of %s is put back, and told', async (list) => {
  await begin();
  await reorder(list);
  await cluster.settled();

  const spec = await pods();
  expect(names(spec.containers[0]!.env)).toEqual(names(env));
  expect(names(spec.initContainers)).toEqual(names(initContainers));
  const [event] = (await cluster.list(EventsEvent)).filter(({ reason }) => reason === 'DriftCorrected');
  const told = {
    env: '["HOST","URL","MODE"] → ["MODE","URL","HOST"]',
    initContainers: '["load","convert"] → ["convert","load"]',
  };
  expect(event?.note).toContain(`${list} ${told[list]}`);
  const { resourceVersion } = (await cluster.get(Deployment, 'a-server')).metadata;
  await cluster.advance(60);
  expect((await cluster.get(Deployment, 'a-server')).metadata.resourceVersion).toBe(resourceVersion);
});

it("what stands between the items is nobody's matter", async () => {
  await begin();
  const spec = await pods();
  const [container] = spec.containers;
  const [first, ...rest] = container!.env!;
  const more = [{ name: 'MORE', value: '1' }, first, { name: 'AND', value: '2' }, ...rest];
  const change = { containers: [{ ...container, env: more }] };
  await cluster.patch(Deployment, 'a-server', { spec: { template: { spec: change } } }, { manager: 'kubectl-edit' });
  await cluster.settled();
  expect(names((await pods()).containers[0]!.env)).toEqual(names(more as typeof env));
});

it('what a rule ignores may be put in another order', async () => {
  await begin('ignore');
  await reorder('env');
  await cluster.settled();
  expect(names((await pods()).containers[0]!.env)).toEqual(['MODE', 'URL', 'HOST']);
});

it('an order that was found is taken for that of the server, which admission may have changed', async () => {
  const controller = await begin();
  await controller.stop();
  await reorder('env');
  await cluster.run(web());
  await cluster.settled();
  expect(names((await pods()).containers[0]!.env)).toEqual(['MODE', 'URL', 'HOST']);

  await reorder('env');
  await reorder('initContainers');
  await cluster.settled();
  expect(names((await pods()).containers[0]!.env)).toEqual(names(env));
  expect(names((await pods()).initContainers)).toEqual(names(initContainers));
});
