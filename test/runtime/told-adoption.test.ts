import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { ConfigMap, EventsEvent } from '../../imports/k8s.js';
import { startCluster, type TestCluster } from '../../src/testing/index.js';
import { Page, page } from './an-adopting-page.js';

let cluster: TestCluster;
beforeEach(async () => {
  cluster = await startCluster();
});
afterEach(() => cluster.stop());

it.each([
  ['kubectl', undefined],
  ['argocd-controller', undefined],
  ['a-stranger', 'theirs'],
])('what %s wrote of an object that is adopted is drift only if it stays', async (manager, extra) => {
  const theirs = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { extra: 'theirs' } };
  await cluster.apply(theirs, { manager });
  await cluster.run(page);
  const { apiVersion, kind } = Page;
  await cluster.apply({ apiVersion, kind, metadata: { name: 'a' }, spec: { text: 'ours' } });
  await cluster.settled();

  expect((await cluster.get(ConfigMap, 'a')).data).toEqual(extra ? { text: 'ours', extra } : { text: 'ours' });
  const reasons = (await cluster.list(EventsEvent)).map(({ reason }) => reason).sort();
  expect(reasons).toEqual(extra ? ['Adopted', 'DriftDetected'] : ['Adopted']);
});
