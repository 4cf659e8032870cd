import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { ConfigMap } from '../../imports/k8s.js';
import { customResource, operator, s } from '../../src/index.js';
import { startCluster, type TestCluster, type TestController } from '../../src/testing/index.js';

const Note = customResource({
  group: 'web.example.com',
  version: 'v1',
  kind: 'Note',
  spec: s.object({ text: s.string() }),
});
const note = operator(Note, {
  owns: [ConfigMap],
  drift: { strict: true },
  compose(scope, { spec }) {
    new ConfigMap(scope, 'map', { data: { text: spec.text } });
  },
});

let cluster: TestCluster;
let controller: TestController;
beforeEach(async () => {
  cluster = await startCluster();
  controller = await cluster.run(note);
});
afterEach(() => cluster.stop());

const want = async (text: string) => {
  await cluster.apply({ apiVersion: Note.apiVersion, kind: Note.kind, metadata: { name: 'n' }, spec: { text } });
  await cluster.settled();
};
const map = () => cluster.get<{ data: object }>(ConfigMap as never, 'n-map');
const change = async (data: object, manager = 'somebody') => {
  // The server keeps times in seconds.
  await cluster.advance(60);
  await cluster.patch(ConfigMap, 'n-map', { data }, { manager });
  await cluster.settled();
};
const apply = { verb: 'apply', kind: ConfigMap } as const;

const failures: readonly (readonly [string, () => void])[] = [
  ['refused with 429', () => controller.faults.refuse(apply, { code: 429 })],
  ['refused with 422', () => controller.faults.refuse(apply, { code: 422 })],
  ['refused with 500', () => controller.faults.refuse(apply, { code: 500 })],
  ['lost', () => controller.faults.loseCall(apply)],
  ['never sent, for the controller dies', () => controller.faults.crashBefore(apply)],
];
const lives = [
  ['was never edited', ['a']],
  ['was edited', ['a', 'b']],
] as const;
const cases = lives.flatMap(([life, texts]) =>
  failures.map(([failure, fail]) => [life, failure, texts, fail] as const),
);
const here = async () => {
  if (!controller.isRunning) controller.restart();
  await cluster.settled();
};

it.each(cases)('an addition to a child that %s is removed though the apply is %s', async (_, __, texts, fail) => {
  for (const text of texts) await want(text);
  fail();
  await change({ theirs: 'x' });
  await here();
  await cluster.advance(600);
  const { data, metadata } = await map();
  expect(data).toEqual({ text: texts.at(-1) });
  const ours = metadata.managedFields?.filter(({ manager }) => manager === 'note');
  expect(ours).toEqual([expect.objectContaining({ operation: 'Apply' })]);
  expect(controller.faults.pending).toEqual([]);

  const before = cluster.writes().length;
  await cluster.advance(3600);
  expect(cluster.writes(before).filter(({ kind }) => kind === 'ConfigMap')).toEqual([]);
});

it.each(failures)('what somebody wrote under our name is put back though the apply is %s', async (_, fail) => {
  for (const text of ['a', 'b']) await want(text);
  fail();
  await change({ text: 'c' }, 'note');
  await here();
  await cluster.advance(600);
  expect((await map()).data).toEqual({ text: 'b' });
});
