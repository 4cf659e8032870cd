import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { ConfigMap } from '../../imports/k8s.js';
import { operator } from '../../src/index.js';
import { startCluster, type TestCluster } from '../../src/testing/index.js';
import { Page, page } from './an-adopting-page.js';

let cluster: TestCluster;
beforeEach(async () => {
  cluster = await startCluster();
});
afterEach(() => cluster.stop());

it('of an object that the API server does not let be changed nothing is taken from who has it', async () => {
  const theirs = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'a' },
    data: { text: 'theirs' },
    immutable: true,
  };
  await cluster.apply(theirs, { manager: 'kubectl' });
  const before = await cluster.get(ConfigMap, 'a');
  await cluster.run(page);
  await cluster.apply({
    apiVersion: Page.apiVersion,
    kind: Page.kind,
    metadata: { name: 'a' },
    spec: { text: 'ours' },
  });
  await cluster.settled();

  expect(await cluster.get(ConfigMap, 'a')).toEqual(before);
  expect(await cluster.get(Page, 'a')).toMatchObject({
    status: {
      conditions: expect.arrayContaining([expect.objectContaining({ type: 'Ready', reason: 'ImmutableField' })]),
    },
  });
});

it('nor is it of one that is refused for what is desired, whoever has the object', async () => {
  const theirs = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { text: 'theirs' } };
  await cluster.apply(theirs, { manager: 'kubectl' });
  const before = await cluster.get(ConfigMap, 'a');
  const compose: Parameters<typeof operator>[1]['compose'] = (scope) =>
    void new ConfigMap(scope, 'default', { data: { text: 'ours', 'no key': '' } });
  await cluster.run(operator(Page, { owns: [ConfigMap], adopt: 'orphans', compose }));
  await cluster.apply({ apiVersion: Page.apiVersion, kind: Page.kind, metadata: { name: 'a' }, spec: { text: '' } });
  await cluster.settled();

  expect(await cluster.get(ConfigMap, 'a')).toEqual(before);
  expect(await cluster.get(Page, 'a')).toMatchObject({
    status: { conditions: expect.arrayContaining([expect.objectContaining({ type: 'Ready', reason: 'ApplyFailed' })]) },
  });
});
