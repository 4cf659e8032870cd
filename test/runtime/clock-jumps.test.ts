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

describe('L-06: a clock that runs twice as fast as others', () => {
  let cluster: TestCluster;
  afterEach(() => cluster.stop());
  const replicas = async () => (await cluster.list(Deployment))[0]?.spec?.replicas;

  it('changes no leader while all is well, whoever has it', async () => {
    cluster = await startCluster({ seed: 1 });
    const a = await cluster.run(memcached, { leaderElect: true });
    const b = await cluster.run(memcached, { leaderElect: true });
    await cluster.apply(cache);
    await cluster.settled();
    for (const fast of [a, b]) {
      fast.setClockRate(2);
      await cluster.advance(120);
      fast.setClockRate(1);
    }
    expect([a.leads, a.lives, b.leads, b.lives]).toEqual([true, 1, false, 1]);
  });

  it('lets a standby lead while the leader, which was stopped, has time left by its own; and nobody writes twice', async () => {
    cluster = await startCluster({ seed: 1 });
    const a = await cluster.run(memcached, { leaderElect: true, identity: 'a' });
    const b = await cluster.run(memcached, { leaderElect: true, identity: 'b' });
    await cluster.apply(cache);
    await cluster.settled();
    b.setClockRate(2);
    a.pause();
    await cluster.patch(Memcached, 'cache', { spec: { size: 5 } });
    await cluster.until(() => b.leads, 'the standby leads', { timeoutSeconds: 9 });
    await cluster.until(async () => (await replicas()) === 5, 'the standby works');
    // Within the ten seconds that a leader has by the usual timings.
    b.pause();
    const before = cluster.writes().length;
    await cluster.patch(Deployment, 'cache-server', { spec: { replicas: 9 } }, { manager: 'rival' });
    await a.resume();
    await cluster.advance(1);
    expect([a.leads, cluster.writes(before)]).toEqual([false, []]);
    await b.resume();
    await cluster.settled();
    expect(await replicas()).toBe(5);
  });
});
