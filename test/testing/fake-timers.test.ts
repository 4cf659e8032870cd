import { afterEach, expect, it, jest } from '@jest/globals';
import { Deployment } from '../../imports/k8s.js';
import { Memcached, memcached } from '../../src/operators/memcached.js';
import { startCluster } from '../../src/testing/test-cluster.js';

afterEach(() => {
  jest.useRealTimers();
});

it('goes by its own time where a test has put fake timers in the place of the global ones', async () => {
  jest.useFakeTimers();
  const cluster = await startCluster();
  await cluster.run(memcached);
  await cluster.apply({
    apiVersion: Memcached.apiVersion,
    kind: Memcached.kind,
    metadata: { name: 'cache' },
    spec: { size: 3 },
  });
  await cluster.settled();

  await cluster.patch(Deployment, 'cache-server', { spec: { replicas: 9 } });
  await cluster.settled();
  expect((await cluster.get(Deployment, 'cache-server')).spec?.replicas).toBe(3);
  await cluster.stop();
});
