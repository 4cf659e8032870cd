/** Longer than most files: each fault is one test, and all are told of one controller. */
import { afterEach, describe, expect, it } from '@jest/globals';
import { ConfigMap, Deployment, Lease, Service } from '../../imports/k8s.js';
import { customResource, operator, s } from '../../src/index.js';
import { Memcached, memcached } from '../../src/operators/memcached.js';
import { matches } from '../../src/testing/call.js';
import { startCluster, type TestCluster } from '../../src/testing/test-cluster.js';

const cache = (size: number, name = 'cache') => ({
  apiVersion: Memcached.apiVersion,
  kind: 'Memcached',
  metadata: { name },
  spec: { size },
});

describe('a controller', () => {
  let cluster: TestCluster;
  afterEach(() => cluster.stop());

  /** The world without what chance and time decide. */
  const world = async () => ({
    deployments: (await cluster.list(Deployment)).map(({ metadata, spec }) => [metadata.name, spec]),
    services: (await cluster.list(Service)).map(({ metadata }) => metadata.name),
    ready: (await cluster.list(Memcached)).map(({ status }) => status?.readyReplicas),
  });
  const undisturbed = {
    deployments: [['cache-server', expect.objectContaining({ replicas: 3 })]],
    services: ['cache-service', 'kubernetes'],
    ready: [3],
  };

  const start = async (seed = 1) => {
    cluster = await startCluster({ seed });
    return cluster.run(memcached);
  };

  it.each([
    ['before the Deployment is created', 'crashBefore', { verb: 'create', kind: Deployment }],
    ['after the Deployment was created', 'crashAfter', { verb: 'create', kind: Deployment }],
    ['before the Service is created', 'crashBefore', { verb: 'create', kind: Service }],
    ['after the Service was created', 'crashAfter', { verb: 'create', kind: Service }],
    ['before the status is written', 'crashBefore', { verb: 'apply', subresource: 'status' }],
    ['after the status was written', 'crashAfter', { verb: 'apply', subresource: 'status' }],
  ] as const)('that crashes %s ends where it would have ended, without a second create', async (_, fault, call) => {
    const controller = await start();
    controller.faults[fault](call);
    await cluster.apply(cache(3));
    await cluster.settled();
    expect(controller.isRunning).toBe(false);
    expect(controller.faults.pending).toEqual([]);

    controller.restart();
    await cluster.settled();
    expect(await world()).toEqual(undisturbed);
    const creates = cluster.writes().filter(({ verb, kind }) => verb === 'create' && kind !== 'Event');
    expect(creates.map(({ kind }) => kind).sort()).toEqual(['Deployment', 'Service']);
  });

  it('that crashes after a call which the API server has refused is dead, too', async () => {
    cluster = await startCluster();
    const controller = await cluster.run(memcached, { leaderElect: true });
    controller.crash();
    await cluster.delete(Lease, 'kilter');
    controller.faults.crashAfter({ verb: 'get', kind: Lease });
    controller.restart();
    await cluster.advance(5);
    expect([controller.isRunning, controller.faults.pending]).toEqual([false, []]);
    expect(await cluster.find(Lease, 'kilter')).toBeUndefined();
  });

  it.each([409, 429, 500, 503])('tries again after an answer of %d', async (code) => {
    const controller = await start();
    controller.faults.refuse({ verb: 'create', kind: Service }, { code, times: 3 });
    controller.faults.refuse({ verb: 'apply', kind: Memcached }, { code, times: 2 });
    await cluster.apply(cache(3));
    await cluster.settled();
    expect(controller.faults.pending).toEqual([]);
    expect(await world()).toEqual(undisturbed);
  });

  it('lists again when its watch is told that it is too late', async () => {
    const controller = await start();
    await cluster.apply(cache(3));
    await cluster.settled();
    controller.faults.refuse({ verb: 'watch', kind: Deployment }, { code: 410 });
    controller.faults.breakWatch(Deployment);
    await cluster.delete(Deployment, 'cache-server');
    await cluster.settled();
    expect(controller.faults.pending).toEqual([]);
    expect(await world()).toEqual(undisturbed);
  });

  it('says which faults have befallen nobody yet', async () => {
    const { faults } = await start();
    faults.refuse({ verb: 'apply', kind: Deployment, name: 'other' }, { code: 500 });
    faults.crashAfter({ verb: ['create', 'delete'], kind: 'Service', subresource: 'status' });
    faults.loseCall({});
    expect(faults.pending).toEqual([
      'refuse: apply Deployment/other',
      'crash: status create or delete Service',
      'lose: any call',
    ]);
  });

  it('needs longer, and nothing else, when answers take their time', async () => {
    const controller = await start();
    controller.faults.delay({ verb: 'write' }, 2, 20);
    await cluster.apply(cache(3));
    expect(await cluster.find(Deployment, 'cache-server')).toBeUndefined();
    await cluster.settled();
    expect(await world()).toEqual(undisturbed);
  });

  it('creates nothing twice when the answer to a create is lost', async () => {
    const controller = await start();
    controller.faults.loseAnswer({ verb: 'create' }, 2);
    await cluster.apply(cache(3));
    await cluster.settled();
    expect(await world()).toEqual(undisturbed);
  });

  it('does what it was told when a call is lost', async () => {
    const controller = await start();
    controller.faults.loseCall({ verb: 'write' }, 5);
    await cluster.apply(cache(3));
    await cluster.settled();
    expect(await world()).toEqual(undisturbed);
  });

  it('catches up when its watch was held', async () => {
    const controller = await start();
    await cluster.apply(cache(3));
    await cluster.settled();

    const release = controller.faults.holdWatch(Memcached);
    await cluster.apply(cache(5));
    await cluster.advance(10);
    expect((await cluster.get(Deployment, 'cache-server')).spec?.replicas).toBe(3);
    release();
    await cluster.settled();
    expect((await cluster.get(Deployment, 'cache-server')).spec?.replicas).toBe(5);
  });

  it('never writes an old value back while it does not see its own writes', async () => {
    const controller = await start();
    await cluster.apply(cache(3));
    await cluster.settled();

    const release = controller.faults.holdWatch(Deployment);
    await cluster.apply(cache(5));
    await cluster.advance(1);
    await cluster.apply(cache(7));
    await cluster.advance(30);
    release();
    await cluster.settled();
    const scales = cluster.writes().filter(({ verb, kind }) => verb === 'apply' && kind === 'Deployment');
    expect((await cluster.get(Deployment, 'cache-server')).spec?.replicas).toBe(7);
    expect(scales.length).toBe(2);
  });

  it.each([
    ['broken', false],
    ['broken, and the changes since are compacted', true],
  ])('misses nothing when a watch is %s', async (_, isCompacted) => {
    const controller = await start();
    await cluster.apply(cache(3));
    await cluster.settled();

    if (isCompacted) cluster.compact();
    controller.faults.breakWatch(Deployment);
    await cluster.delete(Deployment, 'cache-server');
    await cluster.settled();
    expect(await world()).toEqual(undisturbed);
  });

  it('notices a watch that says nothing any more, and misses nothing', async () => {
    const controller = await start();
    await cluster.apply(cache(3));
    await cluster.settled();
    controller.faults.silenceWatch(Deployment);
    await cluster.delete(Deployment, 'cache-server');
    await cluster.advance(60);
    expect(await cluster.find(Deployment, 'cache-server')).toBeUndefined();
    await cluster.advance(60);
    expect(await cluster.find(Deployment, 'cache-server')).toBeDefined();
  });

  it('does not believe a list from the past', async () => {
    const controller = await start();
    const forward = controller.faults.goBack(Deployment);
    await cluster.apply(cache(3));
    await cluster.settled();
    const before = cluster.writes().length;
    controller.faults.breakWatch(Deployment);
    await cluster.advance(60);
    expect(cluster.writes(before).filter(({ verb }) => verb === 'create' || verb === 'delete')).toEqual([]);
    forward();
    await cluster.settled();
    expect(await world()).toEqual(undisturbed);
  });

  it('is told that a kind is not served until the last of two reasons for that is gone', async () => {
    const controller = await start();
    const [first, second] = [controller.faults.unserve(Service), controller.faults.unserve(Service)];
    first();
    await cluster.apply(cache(3));
    await cluster.settled();
    expect(await cluster.find(Service, 'cache-service')).toBeUndefined();
    second();
    await cluster.advance(60);
    expect(await world()).toEqual(undisturbed);
  });

  it('leaves no timer and no listener behind when it is asked to end, whatever still waits', async () => {
    const controller = await start();
    controller.faults.refuse({ verb: 'create', kind: Service }, { code: 500, times: 12 });
    await cluster.apply(cache(3));
    const stopped = controller.stop();
    await cluster.advance(10);
    await stopped;
    expect(controller.leftOver).toEqual({ timers: 0, listeners: 0 });
  });

  it('is gone after the five seconds of a process that is asked to end, however long a call takes', async () => {
    const controller = await start();
    controller.faults.delay({ verb: 'create', kind: Deployment }, 20);
    await cluster.apply(cache(3));
    const gone = controller.stop();
    expect(controller.isRunning).toBe(true);
    await cluster.advance(5);
    await gone;
    expect(controller.isRunning).toBe(false);
    expect(await cluster.find(Deployment, 'cache-server')).toBeUndefined();
  });

  it.each([
    ['a later child', { verb: 'create', kind: Service }, [{ verb: 'create', kind: Deployment }, 500]],
    ['a status', { verb: 'apply', subresource: 'status' }, undefined],
    ['a child', { verb: 'create', kind: Deployment }, [{ verb: 'apply', subresource: 'status' }, 500]],
  ] as const)('waits as long as the server says to the write of %s, whatever else failed', async (_, call, other) => {
    const controller = await start();
    if (other) controller.faults.refuse(other[0], { code: other[1] });
    controller.faults.refuse(call, { code: 429, retryAfterSeconds: 30 });
    const sent: number[] = [];
    controller.faults.observe((each) => {
      if (matches(call, each)) sent.push(cluster.clock.monotonic() / 1000);
    });
    await cluster.apply(cache(3));
    await cluster.settled();
    expect(sent[0]).toBe(0);
    expect(sent[1]).toBeGreaterThanOrEqual(30);
    expect(await world()).toEqual(undisturbed);
  });

  it('waits as long as the server says', async () => {
    const controller = await start();
    controller.faults.refuse({ verb: 'create', kind: Deployment }, { code: 429, retryAfterSeconds: 30 });
    await cluster.apply(cache(3));
    await cluster.advance(29);
    expect(await cluster.find(Deployment, 'cache-server')).toBeUndefined();
    await cluster.settled();
    expect(await world()).toEqual(undisturbed);
  });
});

describe('two replicas', () => {
  let cluster: TestCluster;
  afterEach(() => cluster.stop());

  const both = async () => {
    cluster = await startCluster();
    return [
      await cluster.run(memcached, { leaderElect: true, identity: 'one' }),
      await cluster.run(memcached, { leaderElect: true, identity: 'two' }),
    ] as const;
  };

  it('work one at a time, and the other takes over when the first is gone', async () => {
    const [one, two] = await both();
    await cluster.advance(5);
    expect([one.leads, two.leads]).toEqual([true, false]);

    one.crash();
    await cluster.apply(cache(3));
    await cluster.until(() => two.leads, 'the second replica leads', { timeoutSeconds: 20 });
    await cluster.settled();
    expect((await cluster.get(Memcached, 'cache')).status?.readyReplicas).toBe(3);
    expect(
      new Set(
        cluster
          .writes()
          .filter(({ kind }) => kind === 'Deployment')
          .map(({ by }) => by),
      ),
    ).toEqual(new Set(['two']));
  });

  it('hand over within seconds when the first is stopped', async () => {
    const [one, two] = await both();
    await cluster.advance(5);
    await one.stop();
    await cluster.until(() => two.leads, 'the second replica leads', { timeoutSeconds: 3 });
    expect((await cluster.get(Lease, 'kilter')).spec?.holderIdentity).toBe('two');
  });

  it('write nothing while somebody else has the Lease, who took it by force', async () => {
    const [one, two] = await both();
    await cluster.advance(5);
    await cluster.patch(Lease, 'kilter', { spec: { holderIdentity: 'usurper' } }, { manager: 'somebody' });
    await cluster.advance(0);
    expect([one.isRunning, two.leads]).toEqual([false, false]);

    await cluster.apply(cache(3));
    await cluster.advance(10);
    expect(cluster.writes().filter(({ kind }) => kind !== 'Lease')).toEqual([]);
    await cluster.until(() => two.leads, 'the second replica leads', { timeoutSeconds: 10 });
  });

  it('elect one again when somebody deletes the Lease', async () => {
    const [one, two] = await both();
    await cluster.advance(5);
    await cluster.delete(Lease, 'kilter');
    await cluster.apply(cache(3));
    await cluster.settled();
    expect([one.leads, two.leads].filter(Boolean)).toHaveLength(1);
    expect((await cluster.get(Memcached, 'cache')).status?.readyReplicas).toBe(3);
  });

  it('end without another write when they take their Lease for lost, and give up the one that is under way', async () => {
    const [one] = await both();
    await cluster.advance(5);
    one.faults.delay({ verb: 'create', kind: Deployment }, 3);
    await cluster.apply(cache(3));
    await cluster.advance(1);
    one.loseLease();
    const before = cluster.writes().length;
    await cluster.advance(5);
    expect(one.isRunning).toBe(false);
    expect(cluster.writes(before).filter(({ by, kind }) => by === 'one' && kind !== 'Lease')).toEqual([]);
  });

  it('never both write, when the first loses its Lease to a partition', async () => {
    const [one, two] = await both();
    await cluster.advance(5);
    one.faults.loseCall({ verb: 'update', kind: Lease }, 100);
    await cluster.until(() => two.leads, 'the second replica leads', { timeoutSeconds: 40 });
    expect(one.leads).toBe(false);
  });
});

describe('a cluster for tests', () => {
  it('is the same for the same seed, to the last uid', async () => {
    const run = async (seed: number) => {
      const cluster = await startCluster({ seed });
      await cluster.run(memcached);
      await cluster.apply(cache(2));
      await cluster.settled();
      const all = [...(await cluster.list(Deployment)), ...(await cluster.list(Memcached))];
      await cluster.stop();
      return JSON.stringify(all);
    };
    expect(await run(7)).toBe(await run(7));
    expect(await run(7)).not.toBe(await run(8));
  });

  it('says what there is when something is not there', async () => {
    const cluster = await startCluster();
    const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' } };
    await cluster.apply(map);
    await expect(cluster.get(ConfigMap, 'setings')).rejects.toThrow(
      /^ConfigMap\/default\/setings is not there: there is .*ConfigMap\/default\/settings/,
    );
    await expect(cluster.apply(cache(1))).rejects.toThrow('Memcached (memcached.cache.example.com/v1) is not served');
  });

  it('says what did not happen', async () => {
    const cluster = await startCluster();
    await cluster.run(memcached);
    await cluster.apply(cache(1));
    const late = cluster.until(() => false, 'pigs fly', { timeoutSeconds: 5 });
    await expect(late).rejects.toThrow('It did not happen within 5 s that pigs fly');
    await expect(late).rejects.toMatchObject({ hint: expect.stringContaining('last writes: ') });
  });
});

describe('a replica that is stopped and goes on', () => {
  let cluster: TestCluster;
  afterEach(() => cluster.stop());

  it('hears and does nothing meanwhile, and makes up for it', async () => {
    cluster = await startCluster();
    const controller = await cluster.run(memcached);
    controller.pause();
    await cluster.apply(cache(3));
    await cluster.advance(60);
    expect(cluster.writes()).toEqual([]);
    await controller.resume();
    await cluster.settled();
    expect((await cluster.get(Memcached, 'cache')).status?.readyReplicas).toBe(3);
  });

  it.each(['timers', 'answers'] as const)(
    'stays stopped where %s come first and that stops it again',
    async (first) => {
      cluster = await startCluster();
      const controller = await cluster.run(memcached, { leaderElect: true, identity: 'one' });
      await cluster.advance(5);
      controller.pause();
      await cluster.apply(cache(3));
      await cluster.advance(5);
      const before = cluster.writes().length;
      const stopObserving = controller.faults.observe(() => {
        controller.pause();
        stopObserving();
      });
      await controller.resume({ first });
      await cluster.advance(60);
      // What it had sent, and nothing after.
      expect(cluster.writes(before)).toHaveLength(1);
      await controller.resume();
      controller.restart();
      await cluster.settled();
      expect((await cluster.get(Memcached, 'cache')).status?.readyReplicas).toBe(3);
    },
  );

  it.each(['timers', 'answers'] as const)(
    'for longer than its Lease is the leader no more, if %s come first',
    async (first) => {
      cluster = await startCluster();
      const one = await cluster.run(memcached, { leaderElect: true, identity: 'one' });
      const two = await cluster.run(memcached, { leaderElect: true, identity: 'two' });
      await cluster.advance(5);
      one.pause();
      await cluster.until(() => two.leads, 'the second replica leads', { timeoutSeconds: 40 });
      await cluster.apply(cache(3));
      await one.resume({ first });
      await cluster.settled();
      expect(one.leads).toBe(false);
      expect(
        new Set(
          cluster
            .writes()
            .filter(({ kind }) => kind !== 'Lease')
            .map(({ by }) => by),
        ),
      ).toEqual(new Set(['two']));
    },
  );
});

describe('a slow network', () => {
  let cluster: TestCluster;
  afterEach(() => cluster.stop());

  it('carries what the dead have sent', async () => {
    cluster = await startCluster();
    const controller = await cluster.run(memcached);
    controller.faults.slowDown(({ verb }, leg) => (verb === 'create' && leg === 'there' ? 2000 : 0));
    await cluster.apply(cache(3));
    controller.crash();
    await cluster.advance(1);
    expect(await cluster.find(Deployment, 'cache-server')).toBeUndefined();
    await cluster.advance(2);
    expect(await cluster.find(Deployment, 'cache-server')).toBeDefined();
  });

  it('is as slow as what said so last, and then as what says so still', async () => {
    cluster = await startCluster();
    const { faults } = await cluster.run(memcached);
    const slower = faults.slowDown(({ verb }) => (verb === 'create' ? 20_000 : 0));
    const slow = faults.slowDown(({ verb }) => (verb === 'create' ? 1000 : 0));
    await cluster.apply(cache(3));
    await cluster.advance(5);
    expect(await cluster.find(Deployment, 'cache-server')).toBeDefined();

    slow();
    await cluster.delete(Deployment, 'cache-server');
    await cluster.advance(15);
    expect(await cluster.find(Deployment, 'cache-server')).toBeUndefined();
    slower();
    await cluster.settled();
    expect(await cluster.find(Deployment, 'cache-server')).toBeDefined();
  });

  it('fails a call that takes too long, though it arrives', async () => {
    cluster = await startCluster();
    const controller = await cluster.run(memcached);
    controller.faults.slowDown(({ verb }, leg) => (verb === 'create' && leg === 'back' ? 40_000 : 0));
    await cluster.apply(cache(3));
    // One after the other, the Deployment and the Service.
    await cluster.advance(61);
    const said = controller.log.map(({ data }) => String(data['error']));
    expect(said.join('\n')).toContain('create Deployment/default/cache-server failed: no answer within 30 s');
    expect(await cluster.find(Deployment, 'cache-server')).toBeDefined();
  });

  it.each([
    ['slow', 'no answer within 30 s'],
    ['lost', 'create Deployment/default/cache-server failed: connection reset'],
  ])('has what the API server itself refuses %s on its way back, too', async (way, words) => {
    cluster = await startCluster();
    const { faults, log } = await cluster.run(memcached);
    faults.holdWatch(Deployment);
    const labels = { app: 'other' };
    const template = { metadata: { labels }, spec: { containers: [{ name: 'other', image: 'other:1' }] } };
    await cluster.apply({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'cache-server' },
      spec: { selector: { matchLabels: labels }, template },
    });
    if (way === 'lost') faults.loseAnswer({ verb: 'create', kind: Deployment });
    else
      faults.slowDown(({ verb, kind }, leg) =>
        verb === 'create' && kind === 'Deployment' && leg === 'back' ? 40_000 : 0,
      );
    await cluster.apply(cache(3));
    await cluster.advance(61);
    expect(log.map(({ data }) => String(data['error'])).join('\n')).toContain(words);
  });
});

describe('what an author asks for outside the cluster', () => {
  let cluster: TestCluster;
  afterEach(() => cluster.stop());

  it.each([
    ['that is stopped, before it goes on', 'pause', 'answered', ['answered']],
    ['that is dead', 'crash', 'answered', []],
    ['that is dead', 'crash', 'refused', []],
  ] as const)('is not heard by a process %s (%s, %s)', async (_, fate, answer, heardInTheEnd) => {
    cluster = await startCluster();
    const Trip = customResource({ group: 'example.com', version: 'v1', kind: 'Trip', spec: s.object({}) });
    const heard: string[] = [];
    const trip = operator(Trip, {
      owns: [],
      compose: () => {},
      external: {
        seat: {
          pollSeconds: 3600,
          observe: (_, call) =>
            call.fetch('http://seats').then(
              () => heard.push('answered'),
              () => heard.push('refused'),
            ),
          ensure: async () => 0,
          remove: async () => {},
        },
      },
    });
    const fetch = () =>
      new Promise<Response>((resolve, reject) => {
        cluster.clock.after(2000, () => (answer === 'answered' ? resolve(new Response()) : reject(new Error('full'))));
      });
    const controller = await cluster.run(trip, { fetch });
    await cluster.apply({ apiVersion: Trip.apiVersion, kind: Trip.kind, metadata: { name: 'home' }, spec: {} });
    await cluster.advance(1);
    controller[fate]();
    await cluster.advance(10);
    expect(heard).toEqual([]);
    await controller.resume();
    expect(heard).toEqual(heardInTheEnd);
  });
});
