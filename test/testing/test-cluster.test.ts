import { expect, it } from '@jest/globals';
import { Deployment, Pod, Service } from '../../imports/k8s.js';
import { Memcached, memcached } from '../../src/operators/memcached.js';
import { startCluster } from '../../src/testing/test-cluster.js';

const sample = {
  apiVersion: Memcached.apiVersion,
  kind: 'Memcached',
  metadata: { name: 'cache' },
  spec: { size: 3 },
};

it('runs an operator that puts back what others change, and makes again what they delete, within a second', async () => {
  const cluster = await startCluster();
  await cluster.run(memcached);
  await cluster.apply(sample);
  await cluster.settled();
  const start = cluster.clock.monotonic();
  await cluster.patch(Deployment, 'cache-server', { spec: { replicas: 9 } });
  await cluster.delete(Service, 'cache-service');
  await cluster.until(async () => {
    const { spec } = await cluster.get(Deployment, 'cache-server');
    return spec?.replicas === 3 && (await cluster.find(Service, 'cache-service')) !== undefined;
  }, 'all is as it was');
  expect(cluster.clock.monotonic() - start).toBeLessThan(1000);
  await cluster.stop();
});

it('runs an operator to rest, and puts back what others change', async () => {
  const cluster = await startCluster();
  await cluster.run(memcached);
  await cluster.apply(sample);
  await cluster.settled();

  const cache = await cluster.get(Memcached, 'cache');
  expect(cache.status?.readyReplicas).toBe(3);
  expect((await cluster.list(Pod)).length).toBe(3);

  await cluster.patch(Deployment, 'cache-server', { spec: { replicas: 9 } });
  await cluster.settled();
  expect((await cluster.get(Deployment, 'cache-server')).spec?.replicas).toBe(3);

  await cluster.delete(Service, 'cache-service');
  await cluster.settled();
  expect(await cluster.find(Service, 'cache-service')).toBeDefined();

  const before = cluster.writes().length;
  await cluster.advance(3600);
  expect(cluster.writes(before)).toEqual([]);
  await cluster.delete(Memcached, 'cache');
  await cluster.settled();
  expect(await cluster.list(Pod)).toEqual([]);
  expect(await cluster.list(Deployment)).toEqual([]);
  await cluster.stop();
});
