import { afterEach, describe, expect, it } from '@jest/globals';
import { Deployment, Lease, Service } from '../../imports/k8s.js';
import { Memcached, memcached } from '../../src/operators/memcached.js';
import type { Call } from '../../src/testing/call.js';
import type { CallObserver } from '../../src/testing/faults.js';
import { startCluster, type TestCluster } from '../../src/testing/test-cluster.js';
import type { TestController } from '../../src/testing/test-controller.js';

const cache = (size: number) => ({
  apiVersion: Memcached.apiVersion,
  kind: 'Memcached',
  metadata: { name: 'cache' },
  spec: { size },
});

describe('one of two API servers', () => {
  let cluster: TestCluster;
  afterEach(() => cluster.stop());

  const start = async (leaderElect = false): Promise<TestController> => {
    cluster = await startCluster();
    const controller = await cluster.run(memcached, { leaderElect });
    await cluster.apply(cache(3));
    await cluster.settled();
    return controller;
  };
  const loseService = () => cluster.delete(Service, 'cache-service');
  const isBack = async () => (await cluster.find(Service, 'cache-service')) !== undefined;
  const replicas = async () => (await cluster.get(Deployment, 'cache-server')).spec?.replicas;
  const fates = (controller: TestController) => {
    const seen: (readonly [Call['verb'], string | undefined])[] = [];
    const note: CallObserver = ({ verb, dryRun }, fate) => dryRun || seen.push([verb, fate?.type]);
    controller.faults.observe(note);
    return seen;
  };

  it('is cut off from etcd: what its watches keep back comes in when it is well again, in order', async () => {
    const controller = await start();
    const heal = controller.faults.cutOffServer();
    await loseService();
    await cluster.apply(cache(4));
    await cluster.apply(cache(5));
    await cluster.advance(60);
    expect([await isBack(), await replicas()]).toEqual([false, 3]);
    heal();
    await cluster.settled();
    expect([await isBack(), await replicas()]).toEqual([true, 5]);
  });

  it('is cut off from etcd for ever: whoever holds the Lease sees so after three and a half minutes', async () => {
    const controller = await start(true);
    controller.faults.cutOffServer();
    await loseService();
    await cluster.advance(210);
    expect(await isBack()).toBe(true);
  });

  it('is cut off from etcd for ever: so does whoever is shown something later of another kind', async () => {
    const controller = await start();
    let isOpen = true;
    controller.faults.cutOffServer({ leads: ({ kind }) => isOpen && kind === 'Service' });
    isOpen = false;
    // A watch of another kind says each minute how new the other server is.
    await loseService();
    await cluster.advance(215);
    expect(await isBack()).toBe(true);
  });

  it('is cut off from etcd: fails the calls on a connection that leads there, which is left', async () => {
    const controller = await start();
    const seen = fates(controller);
    const before = cluster.writes().length;
    let times = 0;
    controller.faults.cutOffServer({ leads: ({ verb }) => verb !== 'watch' && times++ < 2, code: 500 });
    await cluster.apply(cache(4));
    await cluster.settled();
    const writes = cluster.writes(before).filter(({ verb, kind }) => verb === 'apply' && kind === 'Deployment');
    expect([await replicas(), writes.length]).toEqual([4, 1]);
    expect(seen.filter(([, fate]) => fate === 'cut-off')).toHaveLength(2);
  });

  it('is cut off from etcd: shows a watch that begins there what was, and streams no list', async () => {
    const controller = await start(true);
    const { metadata } = await cluster.get(Lease, 'kilter');
    // A leader that is shown the Lease as it was goes on.
    controller.faults.cutOffServer({ leads: ({ verb }) => verb === 'watch' });
    await cluster.advance(20);
    for (const kind of [Lease, Service]) controller.faults.breakWatch(kind);
    cluster.compact();
    await loseService();
    await cluster.advance(120);
    expect(controller.leads).toBe(true);
    expect((await cluster.get(Lease, 'kilter')).metadata.uid).toBe(metadata.uid);
    controller.faults.clear();
    await cluster.advance(60);
    expect(await isBack()).toBe(true);
  });

  it('hangs: says nothing to anybody, and takes up what it was asked when it goes on, in order', async () => {
    const controller = await start();
    const seen = fates(controller);
    let isOpen = true;
    const heal = controller.faults.hangServer({ leads: ({ kind }) => isOpen && kind !== 'Service' });
    isOpen = false;
    await loseService();
    await cluster.apply(cache(4));
    await cluster.apply(cache(5));
    await cluster.advance(60);
    expect([await isBack(), await replicas()]).toEqual([true, 3]);
    heal();
    await cluster.advance(0);
    expect([await replicas(), seen.filter(([, fate]) => fate === 'hang')]).toEqual([5, []]);
  });

  it.each([
    [true, 9],
    [false, 4],
  ])('hangs: does what was given up meanwhile even so, where that is %s', async (isLate, size) => {
    const controller = await start();
    let times = 0;
    const leads = ({ verb, kind, dryRun }: Call) => verb === 'apply' && kind === 'Deployment' && !dryRun && times++ < 1;
    const heal = controller.faults.hangServer({ leads, isLate: () => isLate });
    await cluster.apply(cache(9));
    await cluster.advance(10);
    controller.crash();
    await cluster.apply(cache(4));
    const another = await cluster.run(memcached, { identity: 'another' });
    await cluster.advance(20);
    expect(await replicas()).toBe(4);
    another.crash();
    heal();
    await cluster.advance(1);
    expect(await replicas()).toBe(size);
    // Whoever comes next finds what came late.
    another.restart();
    await cluster.settled();
    expect(await replicas()).toBe(4);
  });

  it.each([2, 20])('lags by %s s: what its watches show is late by so much, and nothing is lost', async (seconds) => {
    const controller = await start();
    const heal = controller.faults.lagServer(seconds, { leads: ({ verb }) => verb === 'watch' });
    await loseService();
    await cluster.advance(seconds - 0.1);
    expect(await isBack()).toBe(false);
    await cluster.advance(0.2);
    expect(await isBack()).toBe(true);
    await loseService();
    controller.restart();
    await cluster.advance(120);
    heal();
    await cluster.settled();
    expect([await isBack(), await replicas()]).toEqual([true, 3]);
  });
});
