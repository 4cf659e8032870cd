import { afterEach, describe, expect, it } from '@jest/globals';
import { Deployment } from '../../imports/k8s.js';
import { Memcached, memcached } from '../../src/operators/memcached.js';
import type { Call } from '../../src/testing/call.js';
import { startCluster, type TestCluster } from '../../src/testing/test-cluster.js';
import type { TestController } from '../../src/testing/test-controller.js';

const cache = (size: number) => ({
  apiVersion: Memcached.apiVersion,
  kind: 'Memcached',
  metadata: { name: 'cache' },
  spec: { size },
});

describe('one of two API servers that hangs', () => {
  let cluster: TestCluster;
  afterEach(() => cluster.stop());

  /** With a controller that holds the Lease, and a custom resource that is as it should be. */
  const start = async (): Promise<TestController> => {
    cluster = await startCluster();
    const controller = await cluster.run(memcached, { leaderElect: true });
    await cluster.apply(cache(3));
    await cluster.settled();
    return controller;
  };
  /** The open watches of `kinds` lead there, and later as many calls as `misled` says. */
  const hang = ({ faults }: TestController, kinds: readonly string[], misled: (call: Call) => boolean) => {
    let isOpen = true;
    const heal = faults.hangServer({ leads: (call) => (isOpen ? kinds.includes(call.kind) : misled(call)) });
    isOpen = false;
    return heal;
  };
  const once = (is: (call: Call) => boolean) => {
    let times = 0;
    return (call: Call) => is(call) && times++ === 0;
  };
  const replicas = async () => (await cluster.get(Deployment, 'cache-server')).spec?.replicas;
  const drift = () => cluster.patch(Deployment, 'cache-server', { spec: { replicas: 7 } });

  it('is known by a call that it does not answer: what else leads there is made anew', async () => {
    const controller = await start();
    hang(
      controller,
      ['Memcached'],
      once(({ verb, kind }) => verb === 'apply' && kind === 'Deployment'),
    );
    await drift();
    await cluster.apply(cache(4));
    await cluster.advance(9);
    expect(await replicas()).toBe(4);
  });

  it('may be met a second time by the watch that is made anew', async () => {
    const controller = await start();
    let watches = 0;
    let applies = 0;
    hang(controller, ['Memcached'], ({ verb, kind, dryRun }) => {
      if (verb === 'watch' && kind === 'Memcached') return watches++ === 0;
      return verb === 'apply' && kind === 'Deployment' && !dryRun && applies++ < 3;
    });
    await drift();
    await cluster.apply(cache(4));
    await cluster.advance(30);
    expect(await replicas()).toBe(4);
  });

  it('is known by a renewal of the Lease that another answers', async () => {
    const controller = await start();
    hang(
      controller,
      ['Memcached'],
      once(({ verb, kind }) => verb === 'update' && kind === 'Lease'),
    );
    await cluster.apply(cache(4));
    await cluster.advance(10);
    expect([await replicas(), controller.leads]).toEqual([4, true]);
  });

  it('is met by the watch that is made anew, and told by a write that it does not show', async () => {
    const controller = await start();
    let watches = 0;
    let renewals = 0;
    hang(controller, ['Deployment'], ({ verb, kind }) => {
      if (verb === 'watch' && kind === 'Deployment') return watches++ === 0;
      return verb === 'update' && kind === 'Lease' && renewals++ === 0;
    });
    await cluster.advance(10);
    expect(watches).toBe(1);
    await cluster.apply(cache(4));
    await cluster.advance(1);
    await cluster.apply(cache(5));
    await cluster.advance(15);
    expect(await replicas()).toBe(5);
  });

  it('does not hold up what is asked about one object: that is asked again beside', async () => {
    const controller = await start();
    controller.crash();
    const another = await cluster.run(memcached, { identity: 'another', leaderElect: true });
    await cluster.advance(30);
    const isOfOurs: (call: Call) => boolean = ({ verb, kind }) => verb === 'get' && kind === 'Memcached';
    hang(another, [], once(isOfOurs));
    await cluster.apply(cache(4));
    await cluster.advance(8);
    expect(await replicas()).toBe(4);
  });

  it('is no reason to doubt what has said something meanwhile', async () => {
    const controller = await start();
    await cluster.advance(1);
    const watches: string[] = [];
    controller.faults.observe(({ verb, kind }) => verb === 'watch' && watches.push(kind));
    hang(
      controller,
      [],
      once(({ verb, kind }) => verb === 'apply' && kind === 'Deployment'),
    );
    await drift();
    for (let second = 0; second < 20; second++) {
      await cluster.advance(1);
      await cluster.patch(Memcached, 'cache', { metadata: { labels: { second: String(second) } } });
    }
    expect(watches).not.toContain('Memcached');
  });
});
