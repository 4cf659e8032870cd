import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { ConfigMap, Service } from '../../imports/k8s.js';
import { customResource, operator, s } from '../../src/index.js';
import { startCluster, type TestCluster, type TestController } from '../../src/testing/index.js';
import { end, left } from './a-box.js';

const Box = customResource({
  group: 'web.example.com',
  version: 'v1',
  kind: 'Box',
  spec: s.object({
    names: s.array(s.string()),
    removal: s.string({ default: 'delete' }),
    port: s.int32({ optional: true }),
  }),
});
/** Its children are in its own namespace. */
const box = operator(Box, {
  owns: [ConfigMap, Service],
  compose(scope, { spec }) {
    const annotations = { 'kilter.dev/removal': spec.removal };
    for (const name of spec.names) new ConfigMap(scope, name, { metadata: { annotations } });
    // A port above 65535 is refused.
    if (spec.port !== undefined) new Service(scope, 'service', { spec: { ports: [{ port: spec.port }] } });
  },
});
const policy = 'web.example.com/deletion-policy';
const mode = 'web.example.com/mode';

let cluster: TestCluster;
let controller: TestController;
beforeEach(async () => {
  cluster = await startCluster();
  controller = await cluster.run(box);
});
afterEach(() => cluster.stop());

type Spec = { readonly names: readonly string[]; readonly removal?: string; readonly port?: number };
const want = async (spec: Spec, annotations: Readonly<Record<string, string>> = {}) => {
  await cluster.apply({ apiVersion: Box.apiVersion, kind: Box.kind, metadata: { name: 'b', annotations }, spec });
  await cluster.settled();
};
const owners = async (name: string) => (await cluster.get(ConfigMap, name)).metadata.ownerReferences ?? [];
const inventory = async () => {
  const { status } = (await cluster.get(Box, 'b')) as { status?: { inventory?: { entries: { id: string }[] } } };
  return status?.inventory?.entries.map(({ id }) => id) ?? [];
};

const retained: readonly Spec[] = [
  { names: ['x', 'y'], removal: 'retain' },
  { names: ['y'], removal: 'retain' },
];

it.each<[string, readonly Spec[]]>([
  ['is retained', retained],
  ['is not pruned, for nothing is composed any more', [{ names: ['x', 'y'] }, { names: [] }]],
  ['is not pruned, for another is refused', [{ names: ['x', 'y'] }, { names: [], port: 70_000 }]],
])('a deletion policy of orphan leaves a child that is not composed and %s', async (_, specs) => {
  for (const spec of specs) await want(spec);
  expect(await left(cluster)).toEqual(['b-x', 'b-y']);
  await want(specs.at(-1)!, { [policy]: 'orphan' });
  expect(await owners('b-x')).toEqual([]);
  expect(await inventory()).toContain('default_b-x__ConfigMap');
  const before = cluster.writes().length;
  await cluster.advance(3600);
  expect(cluster.writes(before).filter(({ kind }) => kind === 'ConfigMap')).toEqual([]);
  await end(cluster, Box);
  expect(await left(cluster)).toEqual(['b-x', 'b-y']);
});

it('a child that is not composed and retained is its own again when the policy is taken back', async () => {
  for (const spec of retained) await want(spec);
  const { uid, labels } = (await cluster.get(ConfigMap, 'b-x')).metadata;
  await want(retained[1]!, { [policy]: 'orphan' });
  await want(retained[1]!);
  expect(await owners('b-x')).toHaveLength(1);
  expect((await cluster.get(ConfigMap, 'b-x')).metadata).toMatchObject({ uid, labels });
  expect(await inventory()).toEqual([]);
  await end(cluster, Box);
  expect(await left(cluster)).toEqual([]);
});

it('a child that was left and is composed again is applied as it is desired', async () => {
  for (const spec of retained) await want(spec);
  await want(retained[1]!, { [policy]: 'orphan' });
  await want(retained[0]!, { [policy]: 'orphan' });
  expect(await owners('b-x')).toEqual([]);
  await want(retained[0]!);
  expect([await owners('b-x'), await inventory()]).toEqual([[expect.objectContaining({ name: 'b' })], []]);
  const ours = (await cluster.get(ConfigMap, 'b-x')).metadata.managedFields?.filter(({ manager }) => manager === 'box');
  expect(ours).toHaveLength(1);
});

it('what is pruned at once in the same round is in no inventory in the end', async () => {
  await want({ names: ['x', 'y'] });
  await want({ names: ['y'] }, { [policy]: 'orphan' });
  expect([await left(cluster), await inventory()]).toEqual([['b-y'], ['default_b-y__ConfigMap']]);
});

it.each(['report', 'ignore'])('a child that the mode %s forbids to write to is not written to', async (forbidding) => {
  for (const spec of retained) await want(spec);
  await want(retained[1]!, { [policy]: 'orphan', [mode]: forbidding });
  expect(await owners('b-x')).toHaveLength(1);
  await want(retained[1]!, { [policy]: 'orphan' });
  expect(await owners('b-x')).toEqual([]);
});

it('a child that could not be made one that outlives its owner is in no inventory when it is composed no more', async () => {
  await want(retained[0]!);
  controller.faults.refuse({ verb: 'apply', kind: ConfigMap }, { code: 409, times: 100 });
  await want({ names: ['x', 'y'], removal: 'orphan' });
  expect(await inventory()).toHaveLength(2);
  await want({ names: ['z'] });
  expect(await left(cluster)).toEqual(['b-x', 'b-y', 'b-z']);
  expect(await inventory()).toEqual([]);
});
