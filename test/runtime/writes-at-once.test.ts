import { afterEach, expect, it } from '@jest/globals';
import { Deployment } from '../../imports/k8s.js';
import { Memcached, memcached } from '../../src/operators/memcached.js';
import { startCluster, type TestCluster } from '../../src/testing/test-cluster.js';
import { listenForLeaks } from '../leak-warnings.js';

let cluster: TestCluster;
afterEach(() => cluster.stop());

it('has as many writes under way as it has workers, and Node does not take them for a leak', async () => {
  const leaks = listenForLeaks();
  cluster = await startCluster({ seed: 1 });
  const controller = await cluster.run({ ...memcached, maxConcurrentReconciles: 20 });
  controller.faults.slowDown(({ kind }) => (kind === 'Deployment' ? 1000 : 0));
  for (let index = 0; index < 20; index++) {
    await cluster.apply({
      apiVersion: Memcached.apiVersion,
      kind: 'Memcached',
      metadata: { name: `cache-${index}` },
      spec: { size: 1 },
    });
  }
  await cluster.settled();
  expect(await cluster.list(Deployment)).toHaveLength(20);
  expect(leaks()).toEqual([]);
});
