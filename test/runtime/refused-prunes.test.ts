import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { ConfigMap, Secret } from '../../imports/k8s.js';
import { customResource, operator, s } from '../../src/index.js';
import { startCluster, type TestCluster } from '../../src/testing/index.js';
import { conditionIn } from '../condition-in.js';

const Pages = customResource({
  group: 'pages.example.com',
  version: 'v1',
  kind: 'Pages',
  spec: s.object({ names: s.array(s.string()) }),
});
const pages = operator(Pages, {
  owns: [ConfigMap],
  compose(scope, { spec }) {
    for (const name of spec.names) new ConfigMap(scope, name, {});
  },
});

/** The same in another namespace, as long as it owns Secrets with one of those beside. */
const farPages = (owns: readonly (typeof ConfigMap | typeof Secret)[]) =>
  operator(Pages, {
    reach: 'cluster',
    owns,
    compose(scope) {
      new ConfigMap(scope, 'page', { metadata: { namespace: 'kube-system' } });
      if (owns.includes(Secret)) new Secret(scope, 'key', { metadata: { namespace: 'kube-system' } });
    },
  });

let cluster: TestCluster;
beforeEach(async () => {
  cluster = await startCluster();
});
afterEach(() => cluster.stop());

const want = async (...names: string[]) => {
  await cluster.apply({ apiVersion: Pages.apiVersion, kind: Pages.kind, metadata: { name: 'p' }, spec: { names } });
  await cluster.advance(5);
};
const ready = async () => conditionIn(await cluster.get(Pages, 'p'));

it('a child that cannot be deleted is no child that could not be applied', async () => {
  const controller = await cluster.run(pages);
  await want('a', 'b');
  controller.faults.refuse({ verb: 'delete', kind: ConfigMap }, { code: 403, times: 100 });
  await want('a');
  expect(await ready()).toMatchObject({ reason: 'PruneFailed', message: expect.stringContaining('p-b') });

  controller.faults.refuse({ verb: 'create', kind: ConfigMap }, { code: 403, times: 100 });
  await want('a', 'c');
  expect(await ready()).toMatchObject({ reason: 'ApplyFailed', message: expect.stringContaining('p-c') });
});

it('nor is one of a kind that the operator does not own any more', async () => {
  const controller = await cluster.run(farPages([ConfigMap, Secret]));
  await want();
  await controller.stop();
  await cluster.run(farPages([ConfigMap]));
  await cluster.settled();
  expect(await ready()).toMatchObject({
    reason: 'PruneFailed',
    message: expect.stringContaining(
      'Secret/kube-system/p-key cannot be pruned: the operator does not own Secret any more',
    ),
  });
});

it('nor is it one that its status follows from, where the store is late about it', async () => {
  const Letter = customResource({
    group: 'pages.example.com',
    version: 'v1',
    kind: 'Letter',
    spec: s.object({ text: s.string(), isSealed: s.boolean() }),
    status: s.object({ text: s.string({ optional: true }) }),
  });
  const letter = operator(Letter, {
    owns: [ConfigMap, Secret],
    compose(scope, { spec }) {
      if (spec.isSealed) new Secret(scope, 'seal', {});
      return { sheet: new ConfigMap(scope, 'sheet', { data: { text: spec.text } }) };
    },
    status: ({ sheet }) => ({ text: sheet?.data?.['text'] }),
  });
  const write = (spec: object) =>
    cluster.apply({ apiVersion: Letter.apiVersion, kind: Letter.kind, metadata: { name: 'l' }, spec });
  const controller = await cluster.run(letter);
  await write({ text: 'dear', isSealed: true });
  await cluster.settled();
  controller.faults.holdWatch(Secret);
  await cluster.patch(Secret, 'l-seal', { metadata: { annotations: { by: 'somebody' } } });
  await write({ text: 'cheap', isSealed: false });
  // A conflict that goes on is told after half a minute.
  await cluster.advance(40);
  const said = await cluster.get(Letter, 'l');
  expect([said.status?.text, conditionIn(said)]).toEqual([
    'cheap',
    expect.objectContaining({ status: 'False', reason: 'PruneFailed' }),
  ]);
});
