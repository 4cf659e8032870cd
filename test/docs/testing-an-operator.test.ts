import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { Deployment, Service } from '../../imports/k8s.js';
import { Memcached, memcached } from '../../src/operators/memcached.js';
import { startCluster, type TestCluster, type TestController } from '../../src/testing/index.js';

let cluster: TestCluster;
let controller: TestController;

beforeEach(async () => {
  cluster = await startCluster();
  controller = await cluster.run(memcached);
  await cluster.apply({
    apiVersion: Memcached.apiVersion,
    kind: Memcached.kind,
    metadata: { name: 'cache' },
    spec: { size: 3 },
  });
  await cluster.settled();
});

afterEach(() => cluster.stop());

it('runs as many pods as it was told', async () => {
  const { status } = await cluster.get(Memcached, 'cache');
  expect(status).toMatchObject({ readyReplicas: 3 });
});

it('puts back what somebody else changed', async () => {
  await cluster.patch(Deployment, 'cache-server', { spec: { replicas: 9 } }, { manager: 'somebody' });
  await cluster.settled();
  expect((await cluster.get(Deployment, 'cache-server')).spec?.replicas).toBe(3);
});

it('writes nothing while nothing happens', async () => {
  const before = cluster.writes().length;
  await cluster.advance(24 * 3600);
  expect(cluster.writes(before)).toEqual([]);
});

it('survives a crash between two writes', async () => {
  controller.faults.crashAfter({ verb: 'apply', kind: Deployment });
  await cluster.patch(Memcached, 'cache', { spec: { size: 5 } });
  await cluster.delete(Service, 'cache-service');
  await cluster.settled();
  expect(controller.isRunning).toBe(false);

  controller.restart();
  await cluster.settled();
  expect((await cluster.get(Deployment, 'cache-server')).spec?.replicas).toBe(5);
  expect(await cluster.find(Service, 'cache-service')).toBeDefined();
});
