import { afterEach, beforeEach, expect, it } from '@jest/globals';
import type { Construct } from 'constructs';
import { ConfigMap } from '../../imports/k8s.js';
import { customResource, operator, s } from '../../src/index.js';
import { startCluster, type TestCluster } from '../../src/testing/index.js';
import { end, left } from './a-box.js';

const Box = customResource({
  group: 'web.example.com',
  version: 'v1',
  kind: 'Box',
  spec: s.object({
    names: s.array(s.string()),
    policy: s.enum(['Delete', 'Retain', 'Orphan'], { default: 'Delete' }),
    annotation: s.string({ optional: true }),
  }),
});
type Spec = { readonly names: readonly string[]; readonly policy?: string; readonly annotation?: string };
/** Its children are in its own namespace. */
const annotated = (scope: Construct, { spec }: { readonly spec: Spec }) => {
  const annotations = spec.annotation === undefined ? {} : { 'kilter.dev/removal': spec.annotation };
  for (const name of spec.names) new ConfigMap(scope, name, { metadata: { annotations } });
};
const box = operator(Box, { owns: [ConfigMap], removal: '.spec.policy', compose: annotated });

let cluster: TestCluster;
beforeEach(async () => {
  cluster = await startCluster();
  await cluster.run(box);
});
afterEach(() => cluster.stop());

const want = async (spec: Spec) => {
  await cluster.apply({ apiVersion: Box.apiVersion, kind: Box.kind, metadata: { name: 'b' }, spec });
  await cluster.settled();
};

it.each<[string, readonly Spec[], readonly string[], readonly string[]]>([
  ['deleted when it is dropped', [{ names: ['x', 'y'] }, { names: ['y'] }], ['b-y'], []],
  [
    'kept for good, where one edit drops it and says so',
    [{ names: ['x', 'y'] }, { names: ['y'], policy: 'Orphan' }],
    ['b-x', 'b-y'],
    ['b-x', 'b-y'],
  ],
  [
    'kept for good, which is said after it was dropped',
    [{ names: ['x', 'y'] }, { names: ['y'], policy: 'Retain' }, { names: ['y'], policy: 'Orphan' }],
    ['b-x', 'b-y'],
    ['b-x', 'b-y'],
  ],
  [
    'kept until its owner goes, which is said after it was dropped',
    [{ names: ['x', 'y'] }, { names: ['y'], policy: 'Orphan' }, { names: ['y'], policy: 'Retain' }],
    ['b-x', 'b-y'],
    [],
  ],
  [
    'deleted, whatever its annotation says',
    [
      { names: ['x', 'y'], annotation: 'orphan' },
      { names: ['y'], annotation: 'orphan' },
    ],
    ['b-y'],
    [],
  ],
])('a child is %s', async (_, specs, meanwhile, inTheEnd) => {
  for (const spec of specs) await want(spec);
  expect(await left(cluster)).toEqual(meanwhile);
  await end(cluster, Box);
  expect(await left(cluster)).toEqual(inTheEnd);
});

it('a child that was dropped before its operator asked the field is kept for good', async () => {
  await cluster.stop();
  cluster = await startCluster();
  const before = await cluster.run(operator(Box, { owns: [ConfigMap], compose: annotated }));
  await want({ names: ['x', 'y'], annotation: 'retain' });
  await want({ names: ['y'], annotation: 'retain', policy: 'Orphan' });
  await before.stop();
  await cluster.run(box);
  await cluster.settled();
  await end(cluster, Box);
  expect(await left(cluster)).toEqual(['b-x', 'b-y']);
});
