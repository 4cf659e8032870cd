import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { ConfigMap, Secret } from '../../imports/k8s.js';
import { customResource, one, operator, s } from '../../src/index.js';
import { startCluster, type TestCluster } from '../../src/testing/index.js';
import { conditionIn } from '../condition-in.js';
import { sayingAfterTakeover } from './saying-after-takeover.js';

const Page = customResource({ group: 'web.example.com', version: 'v1', kind: 'Page', spec: s.object({}) });
const reads = { style: one(Secret, () => ({ name: 'style' }), { required: true }) };
const owns = [ConfigMap];
const waiting = operator(Page, { owns, reads, compose: (scope) => void new ConfigMap(scope, 'text', {}) });
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

it.each([
  ['that an input is there', waiting, false],
  ['that compose may do with an input', throwing, true],
])('who comes to lead and has not heard %s does not take back that all is well', async (_, page, isThere) => {
  const style = (data: object) =>
    cluster.apply({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'style' }, data });
  const leader = await cluster.run(page, { leaderElect: true });
  const standby = await cluster.run(page, { leaderElect: true });
  if (isThere) await style({});
  await cluster.apply({ apiVersion: Page.apiVersion, kind: Page.kind, metadata: { name: 'home' }, spec: {} });
  await cluster.settled();
  expect(conditionIn(await cluster.get(Page, 'home'))).toMatchObject({ status: 'False' });
  const letGo = standby.faults.holdWatch(Secret);
  await style({ color: 'cmVk' });
  await cluster.settled();
  expect(conditionIn(await cluster.get(Page, 'home'))).toMatchObject({ status: 'True' });

  expect(await sayingAfterTakeover(cluster, { leader, standby, letGo }, Page.kind)).toEqual([]);
  expect(conditionIn(await cluster.get(Page, 'home'))).toMatchObject({ status: 'True' });
});
