import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { ConfigMap } from '../../imports/k8s.js';
import { customResource, many, operator, s } from '../../src/index.js';
import { shareWith } from '../../src/kube/consent.js';
import { startCluster, type TestCluster } from '../../src/testing/index.js';

const Reader = customResource({
  group: 'sight.example.com',
  version: 'v1',
  kind: 'Reader',
  spec: s.object({ from: s.string() }),
  status: s.object({ seen: s.array(s.string()) }),
});
const reader = operator(Reader, {
  owns: [ConfigMap],
  reach: 'consent',
  reads: { pages: many(ConfigMap, ({ spec }) => ({ namespace: spec.from, labels: { kind: 'page' } })) },
  compose(scope, _, { pages }) {
    new ConfigMap(scope, 'copy', { data: Object.fromEntries(pages.map(({ metadata }) => [metadata.name, 'copied'])) });
  },
  status: (_, { pages }) => ({ seen: pages.map(({ metadata }) => metadata.name).sort() }),
});

let cluster: TestCluster;
beforeEach(async () => {
  cluster = await startCluster();
  await cluster.run(reader);
});
afterEach(() => cluster.stop());

const withConsent = (isGiven: boolean) => (isGiven ? { annotations: { [shareWith]: 'default' } } : {});
const space = (isShared: boolean) =>
  cluster.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'afar', ...withConsent(isShared) } });
const page = (name: string, isShared: boolean) =>
  cluster.apply({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace: 'afar', labels: { kind: 'page' }, ...withConsent(isShared) },
  });
/** The pages that its code has seen, by what it made of them. */
const seen = async () => {
  await cluster.settled();
  const names = Object.keys((await cluster.get(ConfigMap, 'r-copy')).data ?? {}).sort();
  expect((await cluster.get(Reader, 'r')).status).toMatchObject({ seen: names });
  return names;
};

it('of many that are in another namespace those are read that are shared, whatever else is there', async () => {
  await space(false);
  await page('open', true);
  await page('secret', false);
  await cluster.apply({
    apiVersion: Reader.apiVersion,
    kind: Reader.kind,
    metadata: { name: 'r' },
    spec: { from: 'afar' },
  });
  expect(await seen()).toEqual(['open']);
  await page('secret', true);
  expect(await seen()).toEqual(['open', 'secret']);
  await page('open', false);
  expect(await seen()).toEqual(['secret']);
  await space(true);
  expect(await seen()).toEqual(['open', 'secret']);
  await space(false);
  expect(await seen()).toEqual(['secret']);
});
