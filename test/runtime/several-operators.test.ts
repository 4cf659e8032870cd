import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ConfigMap, Deployment } from '../../imports/k8s.js';
import { customResource, operator, s } from '../../src/index.js';
import { Foo, foo } from '../../src/operators/foo.js';
import { Memcached, memcached } from '../../src/operators/memcached.js';
import { Podroute, podroute } from '../../src/operators/podroute.js';
import { type Call, startCluster, type TestCluster } from '../../src/testing/index.js';

const group = 'example.com';
const spec = s.object({});
const Broken = customResource({ group, version: 'v1', kind: 'Broken', plural: 'brokens', spec });
const broken = operator(Broken, {
  owns: [ConfigMap],
  compose() {
    throw new Error('it is broken');
  },
});

const cache = { apiVersion: Memcached.apiVersion, kind: 'Memcached', metadata: { name: 'cache' }, spec: { size: 1 } };
const web = { apiVersion: Foo.apiVersion, kind: 'Foo', metadata: { name: 'web' }, spec: { deploymentName: 'web' } };
const route = {
  apiVersion: Podroute.apiVersion,
  kind: 'Podroute',
  metadata: { name: 'shop' },
  spec: { image: 'shop:1' },
};

describe('several operators in one process', () => {
  let cluster: TestCluster;
  const deployments = async () => (await cluster.list(Deployment)).map(({ metadata }) => metadata.name).sort();

  beforeEach(async () => {
    cluster = await startCluster();
  });
  afterEach(() => cluster.stop());

  it('reconcile their own, over one watch a kind and under one Lease', async () => {
    const controller = await cluster.run([memcached, podroute, foo], { leaderElect: true });
    const calls: Call[] = [];
    controller.faults.observe((call) => calls.push(call));
    controller.restart();
    for (const cr of [cache, web, route]) await cluster.apply(cr);
    await cluster.settled();

    expect(await deployments()).toEqual(['cache-server', 'shop-server', 'web']);
    const watched = calls.filter(({ verb }) => verb === 'watch').map(({ kind }) => kind);
    expect(watched.filter((kind) => kind !== 'Route' && kind !== 'Lease').sort()).toEqual([
      'Deployment',
      'Foo',
      'Memcached',
      'Pod',
      'Podroute',
      'Service',
    ]);
    const leases = calls.filter(({ verb, kind }) => kind === 'Lease' && verb !== 'watch').map(({ name }) => name);
    expect(new Set(leases)).toEqual(new Set(['kilter']));
  });

  it('are not none, which would lead and do nothing', async () => {
    await expect(cluster.run([])).rejects.toThrow('there is no operator to run');
  });

  it('are not two for one kind, of which each would prune what the other composes', async () => {
    const another = operator(Foo, { name: 'another', owns: [ConfigMap], compose() {} });
    await expect(cluster.run([foo, another])).rejects.toThrow('foo and another are both for Foo.');
  });

  it('are not two of one name, by which each knows its children', async () => {
    const another = operator(Foo, { name: memcached.name, owns: [ConfigMap], compose() {} });
    await expect(cluster.run([memcached, another])).rejects.toThrow('two operators are named "memcached"');
  });

  it('go on when one of them cannot see its custom resources', async () => {
    const controller = await cluster.run([foo, memcached]);
    controller.crash();
    controller.faults.refuse({ verb: ['watch', 'list'], kind: 'Foo' }, { code: 403, times: 1000 });
    controller.restart();
    await cluster.apply(web);
    await cluster.apply(cache);
    await cluster.settled();
    expect(await deployments()).toEqual(['cache-server']);

    controller.faults.clear();
    await cluster.until(async () => (await deployments()).includes('web'), 'the other one catches up');
  });

  it('go on when one of them fails with whatever it is asked to do', async () => {
    await cluster.run([broken, memcached]);
    await cluster.apply({ apiVersion: Broken.apiVersion, kind: 'Broken', metadata: { name: 'it' }, spec: {} });
    await cluster.apply(cache);
    await cluster.settled();
    expect(await deployments()).toEqual(['cache-server']);
    const { status } = await cluster.get(Broken, 'it');
    expect(status?.conditions).toMatchObject([
      { type: 'Ready', status: 'False' },
      { type: 'Stalled', status: 'True' },
    ]);
  });
});
