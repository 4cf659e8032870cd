import { expect, it } from '@jest/globals';
import { ConfigMap, Deployment } from '../../imports/k8s.js';
import { customResource, operator, s } from '../../src/index.js';
import { Memcached, memcached } from '../../src/operators/memcached.js';
import { startCluster } from '../../src/testing/index.js';

const Page = customResource({ group: 'web.example.com', version: 'v1', kind: 'Page', spec: s.object({}) });
const page = operator(Page, { owns: [ConfigMap], compose: (scope) => void new ConfigMap(scope, 'text', {}) });
const home = { apiVersion: Page.apiVersion, kind: Page.kind, metadata: { name: 'home' }, spec: {} };

it('a standby whose stores take long to fill leads as soon as the Lease of a leader that died is over, and not before they are', async () => {
  const cluster = await startCluster();
  const leader = await cluster.run(page, { leaderElect: true });
  const standby = await cluster.run(page, { leaderElect: true });
  await cluster.advance(30);
  expect(leader.leads).toBe(true);
  standby.faults.delay({ verb: ['list', 'watch'], kind: Page }, 12);
  leader.crash();
  standby.restart();
  await cluster.apply(home);
  const before = cluster.writes().length;
  await cluster.advance(11);
  expect(cluster.writes(before)).toEqual([]);
  await cluster.advance(6);
  expect(standby.leads).toBe(true);
  expect(await cluster.find(ConfigMap, 'home-text')).toBeDefined();

  standby.faults.delay({ verb: ['list', 'watch'], kind: Page }, 40);
  standby.restart();
  const since = cluster.writes().length;
  await cluster.advance(39);
  // Its time is long over, and nobody begins before there is something to go by.
  expect(standby.leads).toBe(false);
  expect(cluster.writes(since)).toEqual([]);
  await cluster.advance(5);
  expect(standby.leads).toBe(true);
  await cluster.stop();
});

it('a new leader whose watch is behind, as the API server tells when it is asked, opens another', async () => {
  const cluster = await startCluster();
  const cache = (size: number) => ({
    apiVersion: Memcached.apiVersion,
    kind: Memcached.kind,
    metadata: { name: 'cache' },
    spec: { size },
  });
  const leader = await cluster.run(memcached, { identity: 'one', leaderElect: true });
  await cluster.apply(cache(3));
  await cluster.settled();
  const standby = await cluster.run(memcached, { identity: 'two', leaderElect: true });
  await cluster.advance(30);
  let isOpen = true;
  standby.faults.cutOffServer({ leads: ({ kind }) => isOpen && kind === Memcached.kind });
  isOpen = false;
  leader.crash();
  await cluster.apply(cache(4));
  await cluster.advance(20);
  expect(standby.leads).toBe(true);
  // Who says something for the first time asks for the custom resource, which is another by then.
  await cluster.patch(Deployment, 'cache-server', { spec: { replicas: 7 } });
  await cluster.advance(30);
  expect((await cluster.get(Deployment, 'cache-server')).spec?.replicas).toBe(4);
  await cluster.stop();
});

it('a controller whose watch is behind, as it is told when a child has gone at once, opens another', async () => {
  const cluster = await startCluster();
  const cache = (size: number) => ({
    apiVersion: Memcached.apiVersion,
    kind: Memcached.kind,
    metadata: { name: 'cache' },
    spec: { size },
  });
  const controller = await cluster.run(memcached);
  await cluster.apply(cache(3));
  await cluster.advance(1);
  let isOpen = true;
  controller.faults.cutOffServer({ leads: ({ kind }) => isOpen && kind === Memcached.kind });
  isOpen = false;
  await cluster.apply(cache(4));
  await cluster.delete(Deployment, 'cache-server');
  await cluster.advance(30);
  expect((await cluster.find(Deployment, 'cache-server'))?.spec?.replicas).toBe(4);
  await cluster.stop();
});
