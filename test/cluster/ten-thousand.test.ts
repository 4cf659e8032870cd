import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { KubeObject } from '../../src/kube/manifest.js';
import { type Api, apiOf, inParallel } from '../bench/api.js';
import { bareWrites, writeBarely } from '../bench/bare-writes.js';
import { kilterTrack } from '../bench/bench-plane.js';
import { rssMebibytes } from '../bench/processes.js';
import { containerOf, operatorDeployment, readDist } from './dist.js';
import { eventually } from './eventually.js';
import { FaultProxy } from './fault-proxy.js';
import { type ControllerProcess, InstalledController, openMetrics } from './installed-controller.js';
import { onRealCluster } from './on-real-cluster.js';
import { type Match, work } from './proxy-rules.js';

const population = 10_000;
/** The namespace of the track, by whose path custom resources are created. */
const namespace = 'bench';

/** Beside whatever else this machine does: with all of these to look at a process may take more than ten seconds for a call. */
const patience = ['--leader-elect-lease-duration=120s', '--leader-elect-renew-deadline=100s'];

/** What the rendered Deployment gives the process. */
const { env, resources } = containerOf(operatorDeployment(readDist()));
const nodeOptions = env.find(({ name }) => name === 'NODE_OPTIONS')?.value ?? '';

onRealCluster('a controller with ten thousand custom resources', {}, (plane) => {
  let api: Api;
  let proxy: FaultProxy;
  let installed: InstalledController;
  let started: ControllerProcess | undefined;

  beforeAll(async () => {
    installed = await InstalledController.on(plane());
    proxy = await FaultProxy.start(plane());
    api = apiOf(plane().url, plane().ca, plane().adminToken);
    await plane().kubectl(['create', 'namespace', namespace]);
    await inParallel(population, 64, async (index) => {
      const { apiVersion, path } = kilterTrack;
      const body = { apiVersion, kind: 'Memcached', metadata: { name: `m${index}` }, spec: { size: 3 } };
      const cr = (await api.ask('POST', path, { body })) as KubeObject;
      await writeBarely(api, bareWrites(namespace, cr.metadata), cr);
    });
  }, 600_000);
  /** One controller for all tests, whichever is the first. */
  const controller = async (): Promise<ControllerProcess> => {
    const running = started ?? installed.start({ proxy, nodeOptions, flags: [...openMetrics, ...patience] });
    started = running;
    await eventually(() => expect(running.output).toContain('Stores are filled'), 60);
    return running;
  };
  afterAll(async () => {
    await installed?.remove();
    await proxy?.close();
    await api?.close();
  });

  it('K-06: that dies of too little memory while it fills its stores harms nothing, and is well with what is rendered', async () => {
    const poor = installed.start({ proxy, nodeOptions: '--max-old-space-size=36', flags: patience });
    await poor.exited;
    expect(poor.output).toContain('heap out of memory');
    expect(poor.output).not.toContain('Stores are filled');

    const running = await controller();
    const renewed = () => proxy.seen({ write: true, path: /\/leases/ }).length;
    const before = renewed();
    await eventually(() => running.expectIdle(population), 200);
    expect(proxy.seen(work)).toEqual([]);
    // A backlog that needs no write keeps nobody from renewing the Lease.
    expect(renewed()).toBeGreaterThan(before + 1);
    const child = `/apis/apps/v1/namespaces/${namespace}/deployments/m${population - 1}-server`;
    const body = { spec: { replicas: 7 } };
    await api.ask('PATCH', child, { body, contentType: 'application/merge-patch+json' });
    await eventually(async () => expect(await api.ask('GET', child)).toMatchObject({ spec: { replicas: 3 } }), 60);
    await eventually(() => running.expectIdle(population + 1), 200);
    expect(proxy.seen(work).map(({ method, path }) => `${method} ${path.split('?')[0]}`)).toEqual([`PATCH ${child}`]);
    // All that time it was the leader.
    expect(running.isRunning ? '' : running.output.slice(-2000)).toBe('');
    expect(resources.limits.memory).toBe('256Mi');
    expect(rssMebibytes(running.pid)).toBeLessThan(256);
  }, 600_000);

  it('D-23: writes nothing, not even a status, when all of them are touched', async () => {
    const running = await controller();
    await eventually(() => running.expectIdle(population), 200);
    const before = proxy.seen(work).length;
    const looks = await running.metric('controller_runtime_reconcile_total');
    const body = { metadata: { annotations: { touched: 'yes' } } };
    await inParallel(population, 64, async (index) => {
      await api.ask('PATCH', `${kilterTrack.path}/m${index}`, { body, contentType: 'application/merge-patch+json' });
    });
    await eventually(() => running.expectIdle(looks + population), 200);
    expect(proxy.seen(work).slice(before)).toEqual([]);
  }, 600_000);

  it('L-10: serves one that is new in another namespace while all of them wait that were changed at once', async () => {
    const running = await controller();
    await plane().kubectl(['create', 'namespace', 'urgent']);
    // Of custom resources nothing is told until all have changed.
    const watch: Match = { watch: true, path: /memcacheds/ };
    const held = proxy.on({ ...watch, times: Number.POSITIVE_INFINITY }, { type: 'hold events' });
    proxy.end(watch, 'close');
    await eventually(() => expect(held.hits).toBeGreaterThan(0), 60);
    const before = proxy.seen(work).length;
    const body = { spec: { size: 4 } };
    await inParallel(population, 64, async (index) => {
      await api.ask('PATCH', `${kilterTrack.path}/m${index}`, { body, contentType: 'application/merge-patch+json' });
    });
    expect(proxy.seen(work)).toHaveLength(before);
    held.release();
    await eventually(() => {
      // What it says of itself tells why, where it does not begin.
      const isBegun = proxy.seen(work).length > before + 100;
      expect(isBegun ? '' : running.output.slice(-2000)).toBe('');
    }, 200);

    const created = performance.now();
    const { apiVersion, path } = kilterTrack;
    const urgent = { apiVersion, kind: 'Memcached', metadata: { name: 'now' }, spec: { size: 3 } };
    await api.ask('POST', path.replace(`/${namespace}/`, '/urgent/'), { body: urgent });
    const isUrgent = ({ path }: { readonly path: string }) => path.includes('/namespaces/urgent/');
    await eventually(() => {
      expect(running.isRunning ? '' : running.output.slice(-2000)).toBe('');
      expect(proxy.seen(work).filter(isUrgent).length).toBeGreaterThanOrEqual(3);
    }, 60);

    const seen = proxy.seen(work).slice(before);
    const [first] = seen.filter(isUrgent);
    const ahead = seen.indexOf(first as (typeof seen)[number]);
    process.stdout.write(`served after ${Math.round((first?.arrivedAt ?? 0) - created)} ms and ${ahead} writes\n`);
    // Two writes each: the backlog had hardly begun.
    expect(ahead).toBeLessThan(population / 2);
  }, 600_000);
});
