import { expect, it } from '@jest/globals';
import { ConfigMap } from '../../imports/k8s.js';
import { customResource, operator, s } from '../../src/index.js';
import { startCluster } from '../../src/testing/index.js';

const Page = customResource({
  group: 'web.example.com',
  version: 'v1',
  kind: 'Page',
  spec: s.object({ team: s.string() }),
});

const page = operator(Page, {
  owns: [ConfigMap],
  compose(scope, { spec }) {
    new ConfigMap(scope, 'text', { data: { by: 'us' } });
    new ConfigMap(scope, 'owned', { metadata: { labels: { team: spec.team } } });
  },
});

it('a refusal that quotes what somebody wrote makes no line of the log that is too long to be kept', async () => {
  const cluster = await startCluster();
  const controller = await cluster.run(page);
  const metadata = { name: 'home' };
  await cluster.apply({ apiVersion: Page.apiVersion, kind: Page.kind, metadata, spec: { team: 'x'.repeat(500_000) } });
  await cluster.settled();
  const lengths = controller.log.map(({ data }) => JSON.stringify(data).length);
  expect(Math.max(...lengths)).toBeLessThan(16_384);
  expect(JSON.stringify(controller.log)).toContain('ConfigMap/default/home-text created');
  await cluster.stop();
});

it('many children, and many fields of one, are told in lines that are kept', async () => {
  const many = Array.from({ length: 500 }, (_, index) => `key-${index}`);
  const book = operator(Page, {
    owns: [ConfigMap],
    compose(scope, { spec }) {
      for (const id of many) new ConfigMap(scope, id, {});
      new ConfigMap(scope, 'text', { data: Object.fromEntries(many.map((key) => [key, spec.team])) });
    },
  });
  const cluster = await startCluster();
  const controller = await cluster.run(book);
  const metadata = { name: 'home' };
  await cluster.apply({ apiVersion: Page.apiVersion, kind: Page.kind, metadata, spec: { team: 'red' } });
  await cluster.settled();
  await cluster.patch(ConfigMap, 'home-text', { data: Object.fromEntries(many.map((key) => [key, 'blue'])) });
  await cluster.settled();

  const lengths = controller.log.map(({ data }) => JSON.stringify(data).length);
  expect(Math.max(...lengths)).toBeLessThan(16_384);
  const told = (message: string, field: 'changes' | 'fields') =>
    controller.log.flatMap(({ message: said, data }) => (said === message ? (data?.[field] as string[]) : []));
  expect(told('Reconciled', 'changes').filter((change) => change.endsWith('created'))).toHaveLength(501);
  expect(told('Corrected drift', 'fields')).toHaveLength(500);
  await cluster.stop();
});
