import { expect, it } from '@jest/globals';
import { ConfigMap } from '../../imports/k8s.js';
import { OperatorError } from '../../src/kube/errors.js';
import { Memcached, memcached } from '../../src/operators/memcached.js';
import { startCluster } from '../../src/testing/index.js';

const cache = {
  apiVersion: Memcached.apiVersion,
  kind: Memcached.kind,
  metadata: { name: 'cache' },
  spec: { size: 1 },
};

it.each([Number.NaN, Number.POSITIVE_INFINITY, undefined as never])(
  'a cluster says so where time would go on by %p seconds, which never end',
  async (seconds) => {
    const cluster = await startCluster();
    const answer = cluster.advance(seconds);
    await expect(answer).rejects.toThrow(OperatorError);
    await expect(answer).rejects.toThrow('advance(seconds) takes a number of seconds');
    expect(cluster.clock.monotonic()).toBe(0);
  },
);

it('a cluster is not waited for until a time that never comes', async () => {
  const cluster = await startCluster();
  const answer = cluster.until(() => true, 'it holds', { timeoutSeconds: Number.NaN });
  await expect(answer).rejects.toThrow('timeoutSeconds takes a number of seconds');
  await expect(cluster.settled({ quietSeconds: Number.NaN })).rejects.toThrow('quietSeconds takes a number of seconds');
});

it.each([0, -1, Number.NaN])(
  'a cluster is not waited for in steps of %p seconds, by which time stands still',
  async (stepSeconds) => {
    const cluster = await startCluster();
    let asked = 0;
    const holds = () => {
      asked += 1;
      if (asked > 100) throw new Error('asked on and on');
      return false;
    };
    const answer = cluster.until(holds, 'it holds', { timeoutSeconds: 5, stepSeconds });
    await expect(answer).rejects.toThrow('stepSeconds takes a number of seconds above 0');
    expect(cluster.clock.monotonic()).toBe(0);
  },
);

it('a cluster that need not be quiet is at rest at once', async () => {
  const cluster = await startCluster();
  await cluster.settled({ quietSeconds: 0 });
  expect(cluster.clock.monotonic()).toBe(0);
});

it('a cluster that starts at no time says so', async () => {
  await expect(startCluster({ startAt: 'yesterday' })).rejects.toThrow('startAt "yesterday" is no time');
  const cluster = await startCluster({ startAt: '2027-05-06T07:08:09Z' });
  const { apiVersion, kind } = ConfigMap;
  const { metadata } = await cluster.apply({ apiVersion, kind, metadata: { name: 'a' } });
  expect(metadata.creationTimestamp).toBe('2027-05-06T07:08:09Z');
});

it('a fault that is to befall no call befalls none', async () => {
  const cluster = await startCluster();
  const controller = await cluster.run(memcached);
  controller.faults.refuse({ verb: 'create' }, { code: 500, times: 0 });
  expect(controller.faults.pending).toEqual([]);
  await cluster.apply(cache);
  await cluster.settled();
  expect((await cluster.get(Memcached, 'cache')).status).toMatchObject({ readyReplicas: 1 });
});
