/** Longer than most files: two processes and the Lease between them, told by what may happen to either. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { Deployment, Lease, type LeaseObject, Service } from '../../imports/k8s.js';
import { NotFoundError } from '../../src/client/api-error.js';
import { connect, type HttpCluster } from '../../src/client/http-cluster.js';
import { kubeConfig } from '../../src/client/kube-config.js';
import type { KubeObject, Manifest } from '../../src/kube/manifest.js';
import { Memcached } from '../../src/operators/memcached.js';
import { eventually } from './eventually.js';
import { FaultProxy } from './fault-proxy.js';
import { type ControllerProcess, InstalledController, openMetrics } from './installed-controller.js';
import { onRealCluster } from './on-real-cluster.js';
import { type Match, type ProxiedRequest, refusal } from './proxy-rules.js';

const always = Number.POSITIVE_INFINITY;
const leaseMilliseconds = 15_000;
const bentClock = new URL('bent-clock.js', import.meta.url).href;
const namespace = 'default';
const person = { fieldManager: 'a-person' };
const memcachedNamed = (name: string): Manifest => ({
  apiVersion: Memcached.apiVersion,
  kind: Memcached.kind,
  metadata: { name, namespace },
  spec: { size: 0 },
});
/** Writes that are no work on the Lease. */
const work: Match = { write: true, when: ({ path }) => !path.includes('/leases') };
const leaseCalls: Match = { path: '/leases', watch: false };

onRealCluster('replicas of the controller', { audit: true }, (plane) => {
  let admin: HttpCluster;
  let installed: InstalledController;
  let proxies: Readonly<Record<'a' | 'b', FaultProxy>>;
  let runs = 0;

  beforeAll(async () => {
    installed = await InstalledController.on(plane());
    admin = connect(await kubeConfig({ path: plane().kubeconfig }));
  });
  afterAll(async () => {
    await installed?.remove();
    await admin?.close();
  });
  beforeEach(async () => {
    proxies = { a: await FaultProxy.start(plane()), b: await FaultProxy.start(plane()) };
  });
  afterEach(async () => {
    await installed.endAll();
    for (const proxy of Object.values(proxies)) await proxy.close();
    const { items } = await admin.list(Memcached, { namespace });
    for (const { metadata } of items) await admin.delete(Memcached, { namespace, name: metadata.name });
    await admin.delete(Lease, leaseOf()).catch((error: unknown) => {
      if (!(error instanceof NotFoundError)) throw error;
    });
  });

  const leaseOf = () => ({ namespace: installed.namespace, name: installed.lease });
  const start = (podName: 'a' | 'b', bent?: string) => {
    const nodeOptions = bent === undefined ? '' : `--import=${bentClock}?${bent}`;
    return installed.start({ proxy: proxies[podName], podName, nodeOptions });
  };
  const leads = (process: ControllerProcess, seconds?: number) =>
    eventually(() => expect(process.output).toContain('Became leader'), seconds);
  const leader = async (bent?: string) => {
    const process = start('a', bent);
    await leads(process);
    return process;
  };
  /** A leader, and a standby whose stores are filled; with their clocks bent, if that is said. */
  const leaderAndStandby = async (bent: Partial<Readonly<Record<'a' | 'b', string>>> = {}) => {
    const a = await leader(bent.a);
    const b = start('b', bent.b);
    await eventually(() => expect(b.output).toContain('Waiting to become leader'));
    await eventually(() => expect(b.output).toContain('Stores are filled'));
    return { a, b };
  };
  const holder = async () => ((await admin.get(Lease, leaseOf())) as LeaseObject).spec?.holderIdentity;
  const create = async (count = 1) => {
    const prefix = `run${++runs}`;
    const names = Array.from({ length: count }, (_, index) => `${prefix}-${index}`);
    await Promise.all(names.map((name) => admin.create(Memcached, memcachedNamed(name), person)));
    return names;
  };
  const change = (name: string, image: string) =>
    admin.patch(Memcached, { namespace, name }, { type: 'merge', body: { spec: { image } } }, person);
  /** Until each has its status, which is written last. */
  const converged = (names: readonly string[], seconds = 30) =>
    eventually(async () => {
      const { items } = await admin.list(Memcached, { namespace });
      const done = items.filter((cr) => {
        const { observedGeneration } = (cr as KubeObject & { status?: { observedGeneration?: number } }).status ?? {};
        return observedGeneration === cr.metadata.generation;
      });
      expect(names.filter((name) => !done.some(({ metadata }) => metadata.name === name))).toEqual([]);
    }, seconds);
  /** When a standby took the Lease, as its own proxy saw it. */
  const tookOver = (proxy: FaultProxy) =>
    proxy.seen({ method: 'PUT', path: '/leases' }).find(({ code }) => code === 200);
  const sentAfter = (proxy: FaultProxy, moment: number): readonly ProxiedRequest[] =>
    proxy.seen(work).filter(({ sentAt }) => sentAt !== undefined && sentAt > moment);

  it('K-07: end on SIGTERM with a hundred reconciles in flight: what is under way is finished, and the Lease given back', async () => {
    proxies.a.on({ ...work, times: always }, { type: 'delay', of: 'answer', milliseconds: 300 });
    const a = await leader();
    await create(100);
    await eventually(() => expect(proxies.a.seen(work).length).toBeGreaterThan(10));
    a.signal('SIGTERM');
    expect(await a.exited).toEqual({ code: 0, signal: null });
    await eventually(() =>
      expect(new Set(proxies.a.seen(work).map(({ outcome }) => outcome))).toEqual(new Set(['answered'])),
    );
    expect(await holder()).toBe('');
    expect(proxies.a.seen(work).length).toBeLessThan(300);
  });

  it('K-07: end on SIGTERM though no write is ever answered', async () => {
    const a = await leader();
    proxies.a.on({ ...work, times: always }, { type: 'delay', of: 'request', milliseconds: 60_000 });
    await create(20);
    await eventually(() => expect(proxies.a.seen(work).length).toBeGreaterThan(3));
    const waiting = () => proxies.a.seen(work).filter(({ outcome }) => outcome === 'under way');
    let left: readonly ProxiedRequest[] | undefined;
    proxies.a.on(
      { method: 'PUT', path: '/leases', when: ({ body }) => body.includes('"holderIdentity":""') },
      {
        type: 'before sent',
        next: 'forward',
        // Nobody waits for them any more when the Lease is given back: they would else end with the process, after that.
        run: async () => {
          await eventually(() => expect(waiting()).toEqual([])).catch(() => {});
          left = waiting();
        },
      },
    );
    a.signal('SIGTERM');
    expect(await a.exited).toEqual({ code: 0, signal: null });
    expect(await holder()).toBe('');
    expect(left).toEqual([]);
  });

  it('L-08: hand over on SIGTERM to a standby with warm stores, which lists nothing and goes on with the work', async () => {
    // By itself it looks every ten seconds, of ours.
    const { a, b } = await leaderAndStandby({ b: 'rate=0.2' });
    const looks = () => proxies.b.seen({ ...leaseCalls, method: 'GET' });
    const { length } = looks();
    await eventually(() => expect(looks().length).toBeGreaterThan(length));
    const lookedAt = looks().at(-1)?.arrivedAt ?? always;
    const before = proxies.b.seen({ method: 'GET', path: /memcacheds|deployments|services/ }).length;
    a.signal('SIGTERM');
    const names = await create(3);
    await leads(b);
    expect(await a.exited).toEqual({ code: 0, signal: null });
    await converged(names);
    // Since it was sent: the news of it may be here before the answer to it.
    const releasedAt = proxies.a.seen({ method: 'PUT', path: '/leases' }).at(-1)?.sentAt ?? always;
    const tookAt = tookOver(proxies.b)?.arrivedAt ?? always;
    // Sooner than it would have looked by itself: it was told.
    expect(tookAt - lookedAt).toBeLessThan(10_000);
    const told = looks().filter(({ arrivedAt }) => arrivedAt > releasedAt && arrivedAt < tookAt);
    expect(told.length).toBeGreaterThan(0);
    expect(proxies.b.seen({ method: 'GET', path: /memcacheds|deployments|services/ }).length).toBe(before);
  });

  it('L-07: end with 1 when the Lease is taken by force, as soon as they are told', async () => {
    // By itself it looks every two seconds, of ours every hundred: longer than this test may take.
    const a = await leader('rate=0.02');
    const lease = (await admin.get(Lease, leaseOf())) as LeaseObject & KubeObject;
    const taken = { ...lease, spec: { ...lease.spec, holderIdentity: 'somebody' } };
    await admin.update(Lease, taken as KubeObject, person);
    expect(await a.exited).toEqual({ code: 1, signal: null });
    expect(a.said('Lost the Lease')).toEqual([expect.objectContaining({ error: '"somebody" holds it' })]);
    expect(await holder()).toBe('somebody');
    const lost = proxies.a.requests.filter(({ path }) => path.includes('/leases')).at(-1)?.endedAt ?? 0;
    expect(sentAfter(proxies.a, lost)).toEqual([]);
  });

  it('L-03: write nothing after the Lease went to another while the process was stopped', async () => {
    const { a, b } = await leaderAndStandby();
    const names = await create(5);
    await converged(names);
    a.signal('SIGSTOP');
    // Waits in the sockets of the stopped process, and is the first that it sees when it goes on.
    for (const name of names) await change(name, 'memcached:2');
    await leads(b, 40);
    await converged(names);
    for (const name of names) await change(name, 'memcached:3');
    a.signal('SIGCONT');
    expect(await a.exited).toEqual({ code: 1, signal: null });
    await converged(names);
    expect(sentAfter(proxies.a, tookOver(proxies.b)?.arrivedAt ?? 0)).toEqual([]);
    expect(await holder()).toBe('b');
  });

  /** Until the leader has renewed for longer than a lease is good for. */
  const renewedForLong = async () => {
    const renewals = () => proxies.a.seen({ method: 'PUT', path: '/leases' }).filter(({ code }) => code === 200);
    const [before] = renewals().slice(-1);
    await eventually(() => {
      const [last] = renewals().slice(-1);
      expect((last?.arrivedAt ?? 0) - (before?.arrivedAt ?? 0)).toBeGreaterThan(leaseMilliseconds);
    }, 60);
  };

  it('L-06: keep their roles, and work on, while their wall clocks jump by an hour to either side', async () => {
    const { a, b } = await leaderAndStandby({ a: 'jump=-3600', b: 'jump=3600' });
    const renewedAt = async () => {
      const lease = (await admin.get(Lease, leaseOf())) as LeaseObject;
      return Date.parse(lease.spec?.renewTime ?? '');
    };
    for (const each of [a, b]) each.signal('SIGUSR2');
    // What people read in the Lease is of the wall clock that jumped.
    await eventually(async () => expect(await renewedAt()).toBeLessThan(Date.now() - 3_500_000));
    const names = await create(2);
    await converged(names);
    await renewedForLong();
    for (const name of names) await change(name, 'memcached:2');
    await converged(names);
    expect([a.isRunning, b.isRunning, await holder()]).toEqual([true, true, 'a']);
    expect(b.output).not.toContain('Became leader');
    expect(a.said('Lost the Lease')).toEqual([]);
    expect(proxies.b.seen(work)).toEqual([]);
  });

  it.each([
    { leader: 1, standby: 2 },
    { leader: 0.5, standby: 1 },
  ])(
    'L-06: write nothing after another leads, at $leader times the rate of a clock for the leader and $standby for the standby',
    async ({ leader: ofA, standby: ofB }) => {
      const { a, b } = await leaderAndStandby({ a: `rate=${ofA}`, b: `rate=${ofB}` });
      const names = await create(5);
      await converged(names);
      await renewedForLong();
      expect([a.said('Lost the Lease'), b.said('Became leader'), await holder()]).toEqual([[], [], 'a']);

      a.signal('SIGSTOP');
      for (const name of names) await change(name, 'memcached:2');
      // Sooner than the leader, by its own clock, has to take its Lease for lost.
      await eventually(() => expect(tookOver(proxies.b)).toBeDefined(), 40);
      a.signal('SIGCONT');
      expect(await a.exited).toEqual({ code: 1, signal: null });
      await converged(names);
      expect(sentAfter(proxies.a, tookOver(proxies.b)?.arrivedAt ?? 0)).toEqual([]);
      expect(await holder()).toBe('b');
    },
  );

  it('L-04: wait for no write beyond 7 s after the last renewal, and end, in a partition in which the standby takes the Lease', async () => {
    const { a, b } = await leaderAndStandby({ a: 'rate=0.5', b: 'rate=0.5' });
    const names = await create(2);
    await converged(names);
    proxies.a.on({ ...work, times: always }, { type: 'delay', of: 'request', milliseconds: 60_000 });
    for (const name of names) await change(name, 'memcached:2');
    const under = () => proxies.a.seen({ ...work, when: ({ outcome }) => outcome === 'under way' });
    await eventually(() => expect(under().length).toBeGreaterThan(1));
    proxies.a.on({ path: '/leases', times: always }, { type: 'silence' });
    const renewals = () => proxies.a.seen({ method: 'PUT', path: '/leases' }).filter(({ code }) => code === 200);
    expect(await a.exited).toEqual({ code: 1, signal: null });
    expect(b.output).not.toContain('Became leader');
    const renewedAt = renewals().at(-1)?.arrivedAt ?? 0;
    const waited = proxies.a
      .seen({ ...work, when: ({ outcome }) => outcome === 'gone' })
      .map(({ endedAt = Number.POSITIVE_INFINITY }) => endedAt - renewedAt);
    expect(waited.length).toBeGreaterThan(1);
    // Seven seconds of its clock are fourteen of ours; whoever waited until the Lease is lost would wait for twenty.
    expect(Math.max(...waited)).toBeLessThan(17_000);
    expect(under()).toEqual([]);
    await leads(b, 60);
    await converged(names);
  }, 150_000);

  it('L-04: end with 1 when the server is gone, and every connection refused', async () => {
    const a = await leader();
    await proxies.a.close();
    expect(await a.exited).toEqual({ code: 1, signal: null });
    expect(a.said('Lost the Lease')).toHaveLength(1);
  });

  it('L-04: take over from a leader that was killed, within the time of its lease and a second', async () => {
    const { a, b } = await leaderAndStandby();
    const killed = performance.now();
    await a.kill();
    const names = await create(2);
    await leads(b, 40);
    // Counted by its own looks, of which one comes every two seconds: a machine may stand still for longer.
    const tookAt = tookOver(proxies.b)?.arrivedAt ?? always;
    const looks = proxies.b.seen({ ...leaseCalls, method: 'GET' }).map(({ arrivedAt }) => arrivedAt);
    expect(looks.filter((at) => at > killed + leaseMilliseconds && at < tookAt).length).toBeLessThanOrEqual(2);
    await converged(names);
  });

  it('a container that is started again in its Pod leads at once: the Lease is its own', async () => {
    await (await leader()).kill();
    const names = await create();
    const before = proxies.a.seen(leaseCalls).length;
    const again = start('a');
    await leads(again, 40);
    await converged(names);
    // Who waits for the time of another to pass looks again and again.
    const calls = proxies.a.seen(leaseCalls).slice(before);
    expect(calls.slice(0, 2).map(({ method }) => method)).toEqual(['GET', 'PUT']);
  });

  it.each([
    ['forbidden', 403, 'Forbidden'],
    ['not found', 404, 'NotFound'],
    ['an error', 500, 'InternalError'],
  ])(
    'L-09: do not lead, and say why, while the Lease is %s; and lead when it no longer is',
    async (_, code, reason) => {
      const rule = proxies.a.on({ path: '/leases', times: always }, refusal(code, reason));
      const a = start('a');
      const names = await create();
      await eventually(() => expect(a.said('Failed to acquire the Lease')[0]?.['error']).toContain(reason));
      await eventually(() => expect(a.output).toContain('Stores are filled'));
      expect(a.output).not.toContain('Became leader');
      expect(proxies.a.seen(work)).toEqual([]);
      rule.remove();
      await leads(a);
      await converged(names);
    },
  );

  it('L-02: keep the Lease, and get done, while every call takes seconds, those for the Lease, too', async () => {
    const a = await leader();
    const rule = proxies.a.on({ watch: false, times: always }, { type: 'delay', of: 'answer', milliseconds: 3000 });
    const renewals = () => proxies.a.seen({ method: 'PUT', path: '/leases' }).filter(({ code }) => code === 200);
    const before = renewals().length;
    const names = await create(4);
    await eventually(async () => {
      for (const name of names) await admin.get(Service, { namespace, name: `${name}-service` });
      // For longer than a Lease is good for.
      expect(renewals().length - before).toBeGreaterThan(6);
    }, 60);
    rule.remove();
    expect(a.isRunning).toBe(true);
    expect(a.said('Lost the Lease')).toEqual([]);
    expect(await holder()).toBe('a');
  });

  it('L-01: wait as long as the server asks in a storm of 429, and recover', async () => {
    const retryAfterSeconds = 2;
    const a = await leader();
    const rule = proxies.a.on({ ...work, times: always }, refusal(429, 'TooManyRequests', { retryAfterSeconds }));
    const names = await create(3);
    // Each of the three has been refused, and asked again.
    await eventually(() => expect(proxies.a.seen({ ...work, method: 'POST' }).length).toBeGreaterThanOrEqual(9), 30);
    rule.remove();
    await converged(names);
    for (const name of names) {
      const asked = proxies.a.seen({
        ...work,
        when: ({ body, code }) => code === 429 && body.includes(`"${name}-server"`),
      });
      const gaps = asked.slice(1).map(({ arrivedAt }, index) => arrivedAt - (asked[index]?.arrivedAt ?? 0));
      expect(gaps.filter((gap) => gap < retryAfterSeconds * 1000 - 5)).toEqual([]);
    }
    expect(a.isRunning).toBe(true);
  });

  it('L-11: let nobody wait for a custom resource whose writes always fail', async () => {
    const a = await leader();
    const poison = { ...work, times: always, when: ({ body }: ProxiedRequest) => body.includes('"poison-') };
    const rule = proxies.a.on(poison, refusal(500, 'InternalError'));
    await admin.create(Memcached, memcachedNamed('poison'), person);
    await eventually(() => expect(proxies.a.seen(poison).length).toBeGreaterThan(3));
    await converged(await create(20));
    rule.remove();
    await eventually(async () => {
      await admin.get(Deployment, { namespace, name: 'poison-server' });
    }, 40);
    expect(a.isRunning).toBe(true);
  });

  it('L-12: write nothing when they start again and nothing has drifted, and L-10: serve another namespace in the midst of a backlog', async () => {
    const a = await leader();
    const names = await create(150);
    await converged(names, 60);
    await eventually(() => expect(proxies.a.quietFor(work)).toBeGreaterThan(1000));
    await a.kill();
    const before = proxies.a.seen(work).length;
    const again = installed.start({ proxy: proxies.a, podName: 'a', flags: openMetrics });
    await leads(again);
    await eventually(() => again.expectIdle(names.length), 60);
    expect(proxies.a.seen(work).slice(before)).toEqual([]);

    await plane().kubectl(['create', 'namespace', 'urgent']);
    const counted = proxies.a.requests.length;
    const slow = proxies.a.on({ ...work, times: always }, { type: 'delay', of: 'answer', milliseconds: 300 });
    await Promise.all(names.map((name) => change(name, 'memcached:2')));
    await admin.create(Memcached, { ...memcachedNamed('now'), metadata: { name: 'now', namespace: 'urgent' } }, person);
    await converged(names, 60);
    await eventually(() => admin.get(Deployment, { namespace: 'urgent', name: 'now-server' }));
    const writes = proxies.a.requests
      .slice(counted)
      .filter(({ isWrite, path }) => isWrite && !/leases|events/.test(path));
    const urgent = writes.findIndex(({ path }) => path.includes('/namespaces/urgent/'));
    expect(urgent).toBeGreaterThanOrEqual(0);
    expect(urgent).toBeLessThan(writes.length - 100);
    slow.remove();
    await admin.delete(Memcached, { namespace: 'urgent', name: 'now' });
  }, 180_000);
});
