import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { ConfigMap } from '../../imports/k8s.js';
import { customResource, one, operator, s } from '../../src/index.js';
import { startCluster, type TestCluster, type TestController } from '../../src/testing/index.js';

const Book = customResource({
  group: 'print.example.com',
  version: 'v1',
  kind: 'Book',
  spec: s.object({ pages: s.int32() }),
});
/** As many pages as its custom resource and what it reads allow. */
const book = operator(Book, {
  owns: [ConfigMap],
  reads: { paper: one(ConfigMap, () => ({ name: 'paper' })) },
  compose(scope, { spec }, { paper }) {
    const most = Math.min(spec.pages, Number(paper?.data?.['sheets'] ?? 10));
    for (let page = 0; page < most; page++) {
      new ConfigMap(scope, `page-${page}`, { metadata: { labels: { shelf: 'a' } } });
    }
  },
});
const novel = (pages: number) => ({
  apiVersion: Book.apiVersion,
  kind: Book.kind,
  metadata: { name: 'novel' },
  spec: { pages },
});

let cluster: TestCluster;
let controller: TestController;
beforeEach(async () => {
  cluster = await startCluster();
  controller = await cluster.run(book);
  await cluster.apply(novel(10));
  await cluster.settled();
  controller.faults.slowDown(({ verb }, leg) => (verb === 'delete' && leg === 'there' ? 1000 : 0));
});
afterEach(() => cluster.stop());

const uids = async () =>
  (await cluster.list(ConfigMap, { labelSelector: 'shelf' })).map(({ metadata }) => metadata.uid);

it('no more children are deleted once somebody has taken back the edit that they were to go by', async () => {
  const before = await uids();
  await cluster.apply(novel(1));
  await cluster.advance(3.5);
  const left = await uids();
  expect(left.length).toBeLessThan(before.length);
  await cluster.apply(novel(10));
  await cluster.settled();
  const after = await uids();
  expect(after).toHaveLength(10);
  // But for the one that was under way.
  expect(left.filter((uid) => !after.includes(uid))).toHaveLength(1);
});

it('no more children are deleted once somebody has taken back the change of what is read', async () => {
  const paper = (sheets: string) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'paper' },
    data: { sheets },
  });
  await cluster.apply(paper('1'));
  await cluster.advance(3.5);
  const left = await uids();
  expect(left.length).toBeLessThan(10);
  await cluster.apply(paper('10'));
  await cluster.settled();
  const after = await uids();
  expect(after).toHaveLength(10);
  expect(left.filter((uid) => !after.includes(uid))).toHaveLength(1);
});

it('no more children are deleted once a custom resource is suspended', async () => {
  await cluster.apply(novel(1));
  await cluster.advance(3.5);
  const left = await uids();
  const annotations = { 'print.example.com/reconcile': 'suspended' };
  await cluster.patch(Book, 'novel', { metadata: { annotations } });
  await cluster.advance(60);
  expect(await uids()).toHaveLength(left.length - 1);
});
