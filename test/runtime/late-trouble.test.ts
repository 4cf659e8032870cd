import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { ConfigMap, Secret } from '../../imports/k8s.js';
import { customResource, one, operator, s } from '../../src/index.js';
import { startCluster, type TestCluster } from '../../src/testing/index.js';
import { conditionIn } from '../condition-in.js';
import { sayingAfterTakeover } from './saying-after-takeover.js';

const Page = customResource({
  group: 'web.example.com',
  version: 'v1',
  kind: 'Page',
  spec: s.object({ text: s.string({ default: '' }) }),
});
const reads = { style: one(Secret, () => ({ name: 'style' }), { required: true }) };
const owns = [ConfigMap];
const waiting = operator(Page, {
  owns,
  reads,
  compose: (scope, { spec: { text } }) => void new ConfigMap(scope, 'text', { data: { text } }),
});
const failing = operator(Page, {
  owns,
  reads,
  compose(scope, _, { style }) {
    if (!style) throw new Error('no style');
    new ConfigMap(scope, 'text', {});
  },
});
const throwing = operator(Page, {
  owns,
  reads,
  compose(scope, _, { style }) {
    if (style && !style.data?.['color']) throw new Error('no color');
    new ConfigMap(scope, 'text', {});
  },
});

let cluster: TestCluster;
beforeEach(async () => {
  cluster = await startCluster();
});
afterEach(() => cluster.stop());

const style = (data: object) => cluster.apply({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'style' }, data });
const home = (spec: object = {}) =>
  cluster.apply({ apiVersion: Page.apiVersion, kind: Page.kind, metadata: { name: 'home' }, spec });
/** By two of whom the second has not heard that the input is there, until the returned function is called. */
const wellButUnheard = async (page: typeof waiting) => {
  const leader = await cluster.run(page, { leaderElect: true });
  const standby = await cluster.run(page, { leaderElect: true });
  const letGo = standby.faults.holdWatch(Secret);
  await style({});
  await home();
  await cluster.settled();
  expect(conditionIn(await cluster.get(Page, 'home'))).toMatchObject({ status: 'True' });
  return { leader, standby, letGo };
};

it.each([
  ['that an input is there', waiting, false],
  ['that compose may do with an input', throwing, true],
])('who comes to lead and has not heard %s does not take back that all is well', async (_, page, isThere) => {
  const leader = await cluster.run(page, { leaderElect: true });
  const standby = await cluster.run(page, { leaderElect: true });
  if (isThere) await style({});
  await home();
  await cluster.settled();
  expect(conditionIn(await cluster.get(Page, 'home'))).toMatchObject({ status: 'False' });
  const letGo = standby.faults.holdWatch(Secret);
  await style({ color: 'cmVk' });
  await cluster.settled();
  expect(conditionIn(await cluster.get(Page, 'home'))).toMatchObject({ status: 'True' });

  expect(await sayingAfterTakeover(cluster, { leader, standby, letGo }, Page.kind)).toEqual([]);
  expect(conditionIn(await cluster.get(Page, 'home'))).toMatchObject({ status: 'True' });
});

it.each([
  ['waits', waiting],
  ['fails', failing],
])('who could not ask for an input without which it %s does not say that it lacks', async (_, page) => {
  const { leader, standby, letGo } = await wellButUnheard(page);
  standby.faults.refuse({ verb: 'list', kind: Secret }, { code: 503 });
  const said = new Set<string | undefined>();
  cluster.server.store.listen(({ object }) => {
    if (object.kind === Page.kind) said.add(conditionIn(object)?.message);
  });
  await sayingAfterTakeover(cluster, { leader, standby, letGo }, Page.kind);
  expect(standby.faults.pending).toEqual([]);
  expect([...said].filter((message) => message?.includes('style'))).toEqual([]);
});

it('who comes to lead and begins with an edit that takes long does not say that an input lacks of which it has not heard', async () => {
  const { leader, standby, letGo } = await wellButUnheard(waiting);
  leader.crash();
  await home({ text: 'another' });
  standby.faults.delay({ verb: 'get', kind: Page }, 5);
  const said = await sayingAfterTakeover(cluster, { leader, standby, letGo }, Page.kind);
  expect(standby.faults.pending).toEqual([]);
  expect(said).toEqual(['Progressing', 'ReconciliationSucceeded']);
});
