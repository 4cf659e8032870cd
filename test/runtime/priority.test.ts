import { expect, it } from '@jest/globals';
import { Memcached, memcached } from '../../src/operators/memcached.js';
import { startCluster } from '../../src/testing/test-cluster.js';

const custom = (name: string, namespace: string, size: number) => ({
  apiVersion: Memcached.apiVersion,
  kind: Memcached.kind,
  metadata: { name, namespace },
  spec: { size },
});

it('L-10: a new custom resource does not wait for a backlog of changes in another namespace', async () => {
  const cluster = await startCluster();
  await cluster.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'urgent' } });
  const controller = await cluster.run(memcached);
  const many = Array.from({ length: 60 }, (_, index) => `many-${index}`);
  for (const name of many) await cluster.apply(custom(name, 'default', 0));
  await cluster.settled();

  const before = cluster.writes().length;
  // So that changes come faster than they are worked off.
  controller.faults.slowDown((_, leg) => (leg === 'event' ? 0 : 5));
  for (const name of many) await cluster.apply(custom(name, 'default', 1));
  const since = cluster.clock.monotonic() / 1000;
  await cluster.apply(custom('now', 'urgent', 0));
  await cluster.advance(3);
  controller.faults.clear();
  await cluster.settled();
  const written = cluster.writes(before);
  const first = written.findIndex(({ namespace }) => namespace === 'urgent');
  // Of two namespaces each has its turn, and one reconcile writes a few times.
  expect(first).toBeGreaterThanOrEqual(0);
  expect(first).toBeLessThan(20);
  expect((written[first]?.at ?? 0) - since).toBeLessThan(0.1);
  expect(written.length).toBeGreaterThan(100);
  await cluster.stop();
});
