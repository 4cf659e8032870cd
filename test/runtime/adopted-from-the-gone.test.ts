import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { ConfigMap } from '../../imports/k8s.js';
import { customResource, one, operator, s } from '../../src/index.js';
import type { AdoptMode } from '../../src/kube/adopt.js';
import { startCluster, type TestCluster } from '../../src/testing/index.js';
import { runMeasured } from './telemetry/metrics/measured-controller.js';

/** Two kinds of one group. Each of both makes the same ConfigMap in another namespace, with its own name in it. */
const kindOf = (kind: string) =>
  customResource({
    group: 'g.example.com',
    version: 'v1',
    kind,
    spec: s.object({ text: s.string({ default: kind }) }),
  });
const Alpha = kindOf('Alpha');
const Beta = kindOf('Beta');
const operatorOf = (kind: typeof Alpha, adopt: AdoptMode) =>
  operator(kind, {
    owns: [ConfigMap],
    reach: 'cluster',
    adopt,
    compose(scope, { spec }) {
      new ConfigMap(scope, 'far', { metadata: { name: 'shared', namespace: 'far' }, data: { by: spec.text } });
    },
  });
const cr = ({ apiVersion, kind }: typeof Alpha, name: string, spec = {}) => ({
  apiVersion,
  kind,
  metadata: { name },
  spec,
});

let cluster: TestCluster;
beforeEach(async () => {
  cluster = await startCluster();
  await cluster.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'far' } });
});
afterEach(() => cluster.stop());

const shared = () => cluster.get(ConfigMap, 'shared', { namespace: 'far' });

it('is not what a custom resource of another kind has made that lives', async () => {
  await cluster.run([operatorOf(Alpha, 'never'), operatorOf(Beta, 'always')]);
  await cluster.apply(cr(Alpha, 'a'));
  await cluster.settled();
  const { resourceVersion } = (await shared()).metadata;
  await cluster.apply(cr(Beta, 'b'));
  await cluster.settled();
  expect(await shared()).toMatchObject({ metadata: { resourceVersion }, data: { by: 'Alpha' } });
  expect(await cluster.get(Beta, 'b')).toMatchObject({
    status: {
      conditions: expect.arrayContaining([
        expect.objectContaining({ type: 'Ready', status: 'False', reason: 'ApplyConflict' }),
      ]),
    },
  });
});

it('is what one of its own kind has left behind', async () => {
  await cluster.run(operatorOf(Alpha, 'always'));
  await cluster.apply(cr(Alpha, 'a', { text: 'first' }));
  await cluster.settled();
  const { uid } = (await shared()).metadata;
  await cluster.patch(Alpha, 'a', { metadata: { annotations: { 'g.example.com/force-release': 'true' } } });
  await cluster.delete(Alpha, 'a');
  await cluster.apply(cr(Alpha, 'b', { text: 'second' }));
  await cluster.settled();
  expect(await shared()).toMatchObject({ metadata: { uid }, data: { by: 'second' } });
});

it.each([
  ['whose children say so', 'orphan', {}],
  ['that says so of all it has', 'delete', { 'g.example.com/deletion-policy': 'orphan' }],
])('is what one leaves, while another waits for the name, %s', async (_, removal, annotations) => {
  const near = operator(Alpha, {
    owns: [ConfigMap],
    adopt: 'always',
    compose(scope, { spec }) {
      const metadata = { name: 'shared', annotations: { 'kilter.dev/removal': removal } };
      new ConfigMap(scope, 'near', { metadata, data: { by: spec.text } });
    },
  });
  const one = cr(Alpha, 'a', { text: 'first' });
  await cluster.run(near);
  await cluster.apply({ ...one, metadata: { ...one.metadata, annotations } });
  await cluster.settled();
  const { uid } = (await cluster.get(ConfigMap, 'shared')).metadata;
  await cluster.apply(cr(Alpha, 'b', { text: 'second' }));
  await cluster.settled();
  expect(await cluster.get(ConfigMap, 'shared')).toMatchObject({ data: { by: 'first' } });

  await cluster.delete(Alpha, 'a');
  await cluster.settled();
  expect(await cluster.get(ConfigMap, 'shared')).toMatchObject({ metadata: { uid }, data: { by: 'second' } });
  expect(await cluster.get(Alpha, 'b')).toMatchObject({
    status: { conditions: expect.arrayContaining([expect.objectContaining({ type: 'Ready', status: 'True' })]) },
  });
});

it.each([
  ['orphans', 'namespace', 'ApplyConflict'],
  ['orphans', 'cluster', 'ReconciliationSucceeded'],
  ['always', 'namespace', 'ReconciliationSucceeded'],
] as const)('with adopt: %s and reach: %s, of an orphan of one of its own name: %s', async (adopt, reach, reason) => {
  const leaving = operator(Alpha, {
    owns: [ConfigMap],
    reach,
    adopt,
    compose(scope, { spec }) {
      const metadata = { annotations: { 'kilter.dev/removal': 'orphan' } };
      new ConfigMap(scope, 'kept', { metadata, data: { by: spec.text } });
    },
  });
  await cluster.run(leaving);
  await cluster.apply(cr(Alpha, 'a'));
  await cluster.settled();
  await cluster.delete(Alpha, 'a');
  await cluster.settled();
  await cluster.apply(cr(Alpha, 'a'));
  await cluster.settled();
  expect(await cluster.get(Alpha, 'a')).toMatchObject({
    status: { conditions: expect.arrayContaining([expect.objectContaining({ type: 'Ready', reason })]) },
  });
});

it('costs those who wait for a name no round when others go, however many wait', async () => {
  const taking = operatorOf(Alpha, 'always');
  const measured = await runMeasured(cluster, [taking]);
  const rounds = async () =>
    (await measured.scrape())
      .flatMap(({ samples }) => samples)
      .filter(({ name }) => name === 'controller_runtime_reconcile_total')
      .reduce((sum, { value }) => sum + value, 0);
  await cluster.apply(cr(Alpha, 'a'));
  await cluster.settled();
  let waiting = 0;
  const costWith = async (waiters: number) => {
    while (waiting < waiters) await cluster.apply(cr(Alpha, `waits-${++waiting}`));
    await cluster.settled();
    const before = await rounds();
    for (let index = 0; index < 5; index++) {
      await cluster.apply(cr(Alpha, 'other'));
      await cluster.settled();
      await cluster.delete(Alpha, 'other');
      await cluster.settled();
    }
    return (await rounds()) - before;
  };
  const cost = await costWith(1);
  expect(cost).toBeGreaterThan(0);
  expect(await costWith(8)).toBe(cost);
  measured.stop();
});

it('is not what one has that only a store that is late knows nothing of', async () => {
  const named = operator(Alpha, {
    owns: [ConfigMap],
    reads: { place: one(ConfigMap, ({ metadata }) => ({ name: metadata.name })) },
    reach: 'cluster',
    adopt: 'always',
    compose(scope, { metadata }, { place }) {
      const name = place?.data?.['name'] ?? metadata.name;
      new ConfigMap(scope, 'far', { metadata: { name, namespace: 'far' }, data: { by: metadata.name } });
    },
  });
  const placed = (owner: string, name: string) =>
    cluster.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: owner }, data: { name } });
  const leader = await cluster.run(named, { leaderElect: true });
  const standby = await cluster.run(named, { leaderElect: true });
  await cluster.apply(cr(Alpha, 'a'));
  await cluster.settled();
  const letGo = standby.faults.holdWatch(Alpha);
  await placed('b', 'shared');
  await cluster.apply(cr(Alpha, 'b'));
  await cluster.settled();
  expect(await shared()).toMatchObject({ data: { by: 'b' } });
  const { resourceVersion } = (await shared()).metadata;
  leader.crash();
  await placed('a', 'shared');
  await cluster.advance(30);
  expect(standby.leads).toBe(true);
  expect(await shared()).toMatchObject({ metadata: { resourceVersion }, data: { by: 'b' } });
  letGo();
  await cluster.settled();
  expect(await shared()).toMatchObject({ metadata: { resourceVersion }, data: { by: 'b' } });
});
