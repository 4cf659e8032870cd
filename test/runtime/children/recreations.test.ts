import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Deployment, Service } from '../../../imports/k8s.js';
import { Memcached, memcached } from '../../../src/operators/memcached.js';
import { startCluster, type TestCluster, type TestController } from '../../../src/testing/index.js';

describe('a child that is missing a moment after it was made', () => {
  let cluster: TestCluster;
  let controller: TestController;
  /** How often the API server was asked whether the custom resource is there. */
  let asked: number;
  beforeEach(async () => {
    cluster = await startCluster();
    controller = await cluster.run(memcached);
    await cluster.apply({
      apiVersion: Memcached.apiVersion,
      kind: Memcached.kind,
      metadata: { name: 'cache' },
      spec: { size: 0 },
    });
    await cluster.advance(1);
    asked = 0;
    controller.faults.observe(({ verb, kind }) => {
      if (verb === 'get' && kind === 'Memcached') asked++;
    });
  });
  afterEach(() => cluster.stop());

  const created = (since: number) => cluster.writes(since).filter(({ verb }) => verb === 'create' || verb === 'apply');
  const children = async () => [
    ...(await cluster.list(Deployment)),
    ...(await cluster.list(Service)).filter(({ metadata }) => metadata.name !== 'kubernetes'),
  ];

  it('is not made again for an owner that is gone, though the watch has not said so', async () => {
    const before = cluster.writes().length;
    const tell = controller.faults.holdWatch(Memcached);
    await cluster.delete(Memcached, 'cache');
    await cluster.advance(8);
    expect(asked).toBeGreaterThan(0);
    // Once a second is soon enough for a watch that is late.
    expect(asked).toBeLessThan(12);
    expect([await children(), created(before).filter(({ verb }) => verb === 'create')]).toEqual([[], []]);
    tell();
    await cluster.settled();
    expect(await children()).toEqual([]);
  });

  it('is made again for an owner that is there', async () => {
    await cluster.delete(Deployment, 'cache-server');
    await cluster.advance(1);
    expect(asked).toBe(1);
    expect((await children()).map(({ metadata }) => metadata.name)).toEqual(['cache-server', 'cache-service']);
  });

  it('is made again without a question where it was made long ago', async () => {
    await cluster.advance(10);
    await cluster.delete(Deployment, 'cache-server');
    await cluster.advance(1);
    expect(asked).toBe(0);
    expect(await children()).toHaveLength(2);
  });
});
