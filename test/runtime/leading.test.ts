import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Deployment, Lease, type LeaseObject, Service } from '../../imports/k8s.js';
import { Foo, foo } from '../../src/operators/foo.js';
import { Memcached, memcached } from '../../src/operators/memcached.js';
import { startCluster, type TestCluster, type TestController } from '../../src/testing/index.js';
import { conditionIn } from '../condition-in.js';

const replica = { leaderElect: true };
const always = 1_000_000;

let cluster: TestCluster;
const holder = async () => ((await cluster.get(Lease, 'kilter')) as LeaseObject).spec?.holderIdentity;
const served = async () => (await cluster.list(Deployment)).map(({ metadata }) => metadata.name);
const wish = (name: string) =>
  cluster.apply({ apiVersion: Memcached.apiVersion, kind: 'Memcached', metadata: { name }, spec: { size: 1 } });

describe('a replica that cannot fill its stores', () => {
  let refused: TestController;

  /** As a new version, whose ClusterRole is not applied yet, and to which the leader before gave the Lease back. */
  beforeEach(async () => {
    cluster = await startCluster();
    refused = await cluster.run(memcached, { ...replica, identity: 'refused' });
    await refused.stop();
    refused.faults.refuse({ verb: ['watch', 'list'], kind: Service }, { code: 403, times: always });
    refused.restart();
    await cluster.advance(30);
  });
  afterEach(() => cluster.stop());

  it('takes no Lease from one that can', async () => {
    expect(await holder()).toBe('');
    await cluster.run(memcached, { ...replica, identity: 'able' });
    await wish('cache');
    await cluster.settled();
    expect(await holder()).toBe('able');
    expect(await served()).toEqual(['cache-server']);
  });

  it('leads when it can fill them', async () => {
    await wish('cache');
    await cluster.advance(60);
    expect(await served()).toEqual([]);
    refused.faults.clear();
    await cluster.until(async () => (await served()).length === 1, 'it works');
    expect(await holder()).toBe('refused');
  });

  it('ends in good order, and gives back no Lease that it never held', async () => {
    await refused.stop();
    expect(refused.leftOver).toEqual({ timers: 0, listeners: 0 });
    expect(await holder()).toBe('');
  });

  it('leads with its other operators where they have theirs', async () => {
    await refused.stop();
    const both = await cluster.run([foo, memcached], { ...replica, identity: 'both' });
    await both.stop();
    both.faults.refuse({ verb: ['watch', 'list'], kind: Foo }, { code: 403, times: always });
    both.restart();
    await wish('cache');
    await cluster.settled();
    expect(await holder()).toBe('both');
    expect(await served()).toEqual(['cache-server']);
  });
});

describe('a leader', () => {
  let controller: TestController;
  const ready = async () => conditionIn(await cluster.get(Memcached, 'cache'));

  beforeEach(async () => {
    cluster = await startCluster();
    controller = await cluster.run(memcached, { ...replica, identity: 'a' });
  });
  afterEach(() => cluster.stop());

  it('says what to look at when a write needs more time than its Lease leaves it', async () => {
    controller.faults.slowDown(({ verb, kind }, leg) =>
      verb === 'create' && kind === 'Deployment' && leg === 'there' ? 3_600_000 : 0,
    );
    await wish('cache');
    await cluster.advance(60);
    expect((await ready())?.reason).toBe('ApplyFailed');
    expect((await ready())?.message).toMatch(/no answer within [567].* webhook .*--leader-elect-lease-duration/);
  });

  it('L-02: keeps its Lease, and gets done, while all calls take 3.4 s', async () => {
    controller.faults.slowDown((_, leg) => (leg === 'event' ? 0 : 1700));
    await cluster.advance(10);
    await wish('cache');
    await cluster.advance(120);
    expect((await ready())?.status).toBe('True');
    await cluster.advance(600);
    expect([controller.leads, controller.lives]).toEqual([true, 1]);
    expect(controller.log.filter(({ level }) => level === 'warn' || level === 'error')).toEqual([]);
  });

  it('L-08: hands over to a standby that writes within a second', async () => {
    await wish('cache');
    await cluster.settled();
    await cluster.run(memcached, { ...replica, identity: 'b' });
    await cluster.advance(30);
    controller.faults.refuse({ verb: ['create'], kind: Deployment }, { code: 503, times: always });
    await wish('late');
    await cluster.advance(5);
    expect(await served()).toEqual(['cache-server']);
    await controller.stop();
    await cluster.advance(1);
    expect(await holder()).toBe('b');
    expect(await served()).toEqual(['cache-server', 'late-server']);
  });
});
