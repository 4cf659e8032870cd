import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { ConfigMap } from '../../imports/k8s.js';
import { customResource, operator, s } from '../../src/index.js';
import { startCluster, type TestCluster } from '../../src/testing/index.js';
import { conditionIn } from '../condition-in.js';
import { sayingAfterTakeover } from './saying-after-takeover.js';

const Page = customResource({ group: 'web.example.com', version: 'v1', kind: 'Page', spec: s.object({}) });
const afar = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'afar' } };
const accepting = { ...afar, metadata: { name: 'afar', annotations: { 'kilter.dev/accept-from': 'default' } } };
const home = () =>
  cluster.apply({ apiVersion: Page.apiVersion, kind: Page.kind, metadata: { name: 'home' }, spec: {} });
const inTheFar = () => cluster.find(ConfigMap, 'home-far', { namespace: 'afar' });
const farPage = operator(Page, {
  owns: [ConfigMap],
  reach: 'consent',
  compose: (scope) => void new ConfigMap(scope, 'far', { metadata: { namespace: 'afar' } }),
});

let cluster: TestCluster;
beforeEach(async () => {
  cluster = await startCluster();
});
afterEach(() => cluster.stop());

/** A standby that is to lead, and has not heard that the namespace accepts nothing any more. */
const successor = async () => {
  const leader = await cluster.run(farPage, { leaderElect: true });
  const standby = await cluster.run(farPage, { leaderElect: true });
  await cluster.apply(accepting);
  await cluster.settled();
  const letGo = standby.faults.holdWatch('Namespace');
  await cluster.apply(afar);
  leader.crash();
  await home();
  return { standby, letGo };
};

it('nothing is written into a namespace that accepts it no more, by who comes to lead with stores that are late', async () => {
  const { standby, letGo } = await successor();
  await cluster.advance(30);
  expect(standby.leads).toBe(true);
  expect(await inTheFar()).toBeUndefined();
  letGo();
  await cluster.settled();
  expect(await inTheFar()).toBeUndefined();
  await cluster.apply(accepting);
  await cluster.settled();
  expect(await inTheFar()).toBeDefined();
});

it('nothing is written into a namespace that accepts it no more, and is found to do so while it is asked', async () => {
  const { standby, letGo } = await successor();
  standby.faults.slowDown(({ verb, kind }, leg) =>
    standby.leads && verb === 'list' && kind === 'Namespace' && leg === 'there' ? 5000 : 0,
  );
  await cluster.until(() => standby.leads, 'the standby leads');
  await cluster.advance(1);
  letGo();
  await cluster.settled();
  expect(await inTheFar()).toBeUndefined();
});

it('who comes to lead and has not heard that a namespace accepts it by now does not take back that all is well', async () => {
  const leader = await cluster.run(farPage, { leaderElect: true });
  const standby = await cluster.run(farPage, { leaderElect: true });
  await cluster.apply(afar);
  await home();
  await cluster.settled();
  const letGo = standby.faults.holdWatch('Namespace');
  await cluster.apply(accepting);
  await cluster.settled();
  expect(conditionIn(await cluster.get(Page, 'home'))).toMatchObject({ status: 'True' });

  expect(await sayingAfterTakeover(cluster, { leader, standby, letGo }, Page.kind)).toEqual([]);
});
