import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { ConfigMap, Event } from '../../imports/k8s.js';
import { type Condition, customResource, operator, s } from '../../src/index.js';
import { startCluster, type TestCluster, type TestController } from '../../src/testing/index.js';

const Book = customResource({
  group: 'print.example.com',
  version: 'v1',
  kind: 'Book',
  spec: s.object({ text: s.string() }),
});
/** Ten ConfigMaps, of which a label may be another than it is to be. */
const book = operator(Book, {
  owns: [ConfigMap],
  drift: { rules: [{ kind: ConfigMap, field: 'metadata.labels.shelf', mode: 'report' }] },
  compose(scope, { spec }) {
    for (let page = 0; page < 10; page++)
      new ConfigMap(scope, `page-${page}`, { metadata: { labels: { shelf: 'a' } }, data: { text: spec.text } });
  },
});
const novel = (text: string) => ({
  apiVersion: Book.apiVersion,
  kind: Book.kind,
  metadata: { name: 'novel' },
  spec: { text },
});

let cluster: TestCluster;
let controller: TestController;
/** So long the API server takes for each ConfigMap. */
let milliseconds: number;
beforeEach(async () => {
  milliseconds = 0;
  cluster = await startCluster();
  controller = await cluster.run(book);
  controller.faults.slowDown(({ kind }, leg) => (kind === 'ConfigMap' && leg === 'there' ? milliseconds : 0));
});
afterEach(() => cluster.stop());

const conditions = async () => {
  const { status } = await cluster.get(Book, 'novel');
  return (status as { conditions?: readonly Condition[] } | undefined)?.conditions ?? [];
};
const condition = async (type: string) => (await conditions()).find((each) => each.type === type);
const pages = async (text: string) =>
  (await cluster.list(ConfigMap, { labelSelector: 'shelf' })).filter(({ data }) => data?.['text'] === text).length;
const writtenStatuses = () => cluster.writes().filter(({ subresource }) => subresource === 'status').length;

it('a new custom resource with slow children says that it is under way, and that it is ready when all are made', async () => {
  milliseconds = 5000;
  await cluster.apply(novel('once'));
  await cluster.advance(2);
  expect(await pages('once')).toBe(0);
  const message = 'Book/default/novel: 0 of 10 children have been looked at';
  const said = { reason: 'Progressing', message, observedGeneration: 1 };
  expect(await conditions()).toMatchObject([
    { type: 'Ready', status: 'False', ...said },
    { type: 'Reconciling', status: 'True', ...said },
  ]);
  await cluster.advance(60);
  expect(await pages('once')).toBe(10);
  expect(await conditions()).toMatchObject([{ type: 'Ready', status: 'True' }]);
  expect(writtenStatuses()).toBe(2);
});

it('a custom resource is not ready by an older edit while its children are slowly changed', async () => {
  await cluster.apply(novel('once'));
  await cluster.settled();
  await cluster.patch(ConfigMap, 'novel-page-0', { metadata: { labels: { shelf: 'b' } } }, { manager: 'somebody' });
  await cluster.settled();
  const drifted = await condition('Drifted');
  expect(drifted).toMatchObject({ status: 'True' });
  const before = writtenStatuses();

  milliseconds = 5000;
  await cluster.apply(novel('twice'));
  await cluster.advance(12);
  expect(await pages('twice')).toBe(1);
  expect(await condition('Ready')).toMatchObject({ status: 'False', reason: 'Progressing', observedGeneration: 2 });
  expect(await condition('Reconciling')).toMatchObject({ status: 'True', observedGeneration: 2 });
  expect(await condition('Drifted')).toEqual({ ...drifted, observedGeneration: 2 });

  await cluster.advance(120);
  expect(await pages('twice')).toBe(10);
  expect(await condition('Ready')).toMatchObject({ status: 'True', observedGeneration: 2 });
  expect(await condition('Reconciling')).toBeUndefined();
  expect(writtenStatuses() - before).toBe(2);
});

it('a round that hangs at its only child says so, and what it says of it in the end is of that', async () => {
  await controller.stop();
  controller = await cluster.run(
    operator(Book, {
      owns: [ConfigMap],
      compose: (scope, { spec }) => void new ConfigMap(scope, 'page', { data: { text: spec.text } }),
    }),
  );
  await cluster.apply(novel('once'));
  await cluster.settled();
  expect(await conditions()).toMatchObject([{ type: 'Ready', status: 'True', observedGeneration: 1 }]);
  controller.faults.slowDown(({ kind }, leg) => (kind === 'ConfigMap' && leg === 'there' ? 20_000 : 0));
  await cluster.apply(novel('twice'));
  await cluster.advance(2);
  expect(await condition('Ready')).toMatchObject({ status: 'False', reason: 'Progressing', observedGeneration: 2 });
  await cluster.advance(60);
  expect(await conditions()).toMatchObject([{ type: 'Ready', status: 'True', observedGeneration: 2 }]);
  expect((await cluster.get(ConfigMap, 'novel-page')).data).toEqual({ text: 'twice' });
});

it('what is refused of slow children is said before all have been looked at', async () => {
  milliseconds = 2000;
  controller.faults.refuse({ verb: 'create', kind: 'ConfigMap' }, { code: 403 });
  await cluster.apply(novel('once'));
  await cluster.advance(5);
  expect(await condition('Ready')).toMatchObject({ status: 'False', reason: 'ApplyFailed' });
  await cluster.advance(60);
  expect(await conditions()).toMatchObject([{ type: 'Ready', status: 'True' }]);
});

it('what was refused of slow children is told by an event, though the status said so before the round ended', async () => {
  milliseconds = 2000;
  controller.faults.refuse({ verb: 'create', kind: 'ConfigMap' }, { code: 403 });
  await cluster.apply(novel('once'));
  await cluster.advance(60);
  expect(await conditions()).toMatchObject([{ type: 'Ready', status: 'True' }]);
  const told = (await cluster.list(Event)) as unknown as { type: string; reason: string; count?: number }[];
  expect(told.map(({ type, reason }) => `${type} ${reason}`)).toEqual([
    'Warning ApplyFailed',
    'Normal ReconciliationSucceeded',
  ]);
});

it('a custom resource whose children are quick is told of once', async () => {
  milliseconds = 90;
  await cluster.apply(novel('once'));
  await cluster.advance(60);
  expect(await conditions()).toMatchObject([{ type: 'Ready', status: 'True' }]);
  expect(writtenStatuses()).toBe(1);
});

it('what is edited while it is said that it is under way comes to what it is to be', async () => {
  milliseconds = 2000;
  controller.faults.refuse({ verb: 'apply', subresource: 'status' }, { code: 409 });
  await cluster.apply(novel('once'));
  await cluster.advance(3);
  await cluster.apply(novel('twice'));
  await cluster.advance(120);
  expect(await pages('twice')).toBe(10);
  expect(await conditions()).toMatchObject([{ type: 'Ready', status: 'True', observedGeneration: 2 }]);
});

it('what the API server asks to wait with is said neither later in the round nor in the next before that', async () => {
  milliseconds = 2000;
  let tried = 0;
  controller.faults.observe(({ verb, kind, subresource }) => {
    if (verb === 'apply' && kind === 'Book' && subresource === 'status') tried++;
  });
  controller.faults.refuse({ verb: 'apply', subresource: 'status' }, { code: 429, retryAfterSeconds: 90 });
  await cluster.apply(novel('once'));
  await cluster.advance(60);
  expect(await pages('once')).toBe(10);
  expect(tried).toBe(1);
  await cluster.advance(60);
  expect(tried).toBe(2);
  expect(await conditions()).toMatchObject([{ type: 'Ready', status: 'True' }]);
});

it('that a store was late about a child is no failure, and is not said of one that is begun', async () => {
  milliseconds = 2000;
  controller.faults.refuse({ verb: 'create', kind: 'ConfigMap' }, { code: 409 });
  await cluster.apply(novel('once'));
  await cluster.advance(8);
  expect(await condition('Ready')).toMatchObject({ status: 'False', reason: 'Progressing' });
  await cluster.advance(60);
  expect(await conditions()).toMatchObject([{ type: 'Ready', status: 'True' }]);
});
