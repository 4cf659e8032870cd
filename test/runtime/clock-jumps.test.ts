import { afterEach, describe, expect, it } from '@jest/globals';
import { Deployment } from '../../imports/k8s.js';
import { Memcached, memcached } from '../../src/operators/memcached.js';
import { startCluster, type TestCluster } from '../../src/testing/test-cluster.js';
import type { TestController } from '../../src/testing/test-controller.js';

const cache = {
  apiVersion: Memcached.apiVersion,
  kind: 'Memcached',
  metadata: { name: 'cache' },
  spec: { size: 3 },
};

describe('L-06: a jump of the wall clock', () => {
  let cluster: TestCluster;
  afterEach(() => cluster.stop());

  const start = async (options = {}): Promise<TestController> => {
    cluster = await startCluster({ seed: 1 });
    return cluster.run(memcached, options);
  };
  const replicas = async () => (await cluster.list(Deployment))[0]?.spec?.replicas;
  const scale = (to: number) =>
    cluster.patch(Deployment, 'cache-server', { spec: { replicas: to } }, { manager: 'rival' });

  it.each([-3600, 3600])('of %d s neither costs the Lease nor keeps anything from being done', async (seconds) => {
    const controller = await start({ leaderElect: true });
    await cluster.apply(cache);
    await cluster.settled();
    expect(controller.leads).toBe(true);

    controller.setWallClock(seconds);
    await cluster.advance(60);
    expect(controller.leads).toBe(true);
    expect(controller.lives).toBe(1);
    await scale(9);
    await cluster.settled();
    expect(await replicas()).toBe(3);
  });

  it.each([-3600, 3600])('of %d s neither draws a fight out nor ends it', async (seconds) => {
    const controller = await start();
    await cluster.apply(cache);
    await cluster.settled();
    // The fourth change is held: three were put back at once.
    for (let round = 0; round < 4; round++) {
      await scale(9);
      await cluster.advance(1);
    }
    expect(await replicas()).toBe(9);

    controller.setWallClock(seconds);
    await cluster.advance(5);
    expect(await replicas()).toBe(9);
    await cluster.advance(60);
    expect(await replicas()).toBe(3);
  });
});
