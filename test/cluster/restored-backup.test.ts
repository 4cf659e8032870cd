import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ConfigMap, Deployment, Service } from '../../imports/k8s.js';
import { connect, type HttpCluster } from '../../src/client/http-cluster.js';
import { kubeConfig } from '../../src/client/kube-config.js';
import { systemClock } from '../../src/kube/clock.js';
import { Memcached } from '../../src/operators/memcached.js';
import { Informer } from '../../src/runtime/informer/informer.js';
import { silentLog } from '../../src/runtime/telemetry/log.js';
import { inParallel } from '../bench/api.js';
import { eventually } from './eventually.js';
import { FaultProxy } from './fault-proxy.js';
import { type ControllerProcess, InstalledController } from './installed-controller.js';
import { onRealCluster } from './on-real-cluster.js';

const namespace = 'default';
const by = { fieldManager: 'test' };
/** Beside whatever else this machine does while it starts servers. */
const patience = ['--leader-elect-lease-duration=120s', '--leader-elect-renew-deadline=100s'];
/** More than an API server writes by itself when it starts. */
const lostWrites = 200;

onRealCluster('when etcd is restored from a backup', {}, (plane) => {
  let admin: HttpCluster;
  let proxy: FaultProxy;
  let installed: InstalledController;
  const stop = new AbortController();
  const ends: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    admin = connect(await kubeConfig({ path: plane().kubeconfig }));
    proxy = await FaultProxy.start(plane());
    installed = await InstalledController.on(plane());
  });
  afterAll(async () => {
    stop.abort(new Error('the test is over'));
    for (const end of ends) await end();
    await installed?.remove();
    await admin?.close();
    await proxy?.close();
  });

  const wish = (name: string, size: number) =>
    admin.apply(
      Memcached,
      { apiVersion: Memcached.apiVersion, kind: 'Memcached', metadata: { name, namespace }, spec: { size } },
      { ...by, force: true },
    );
  const configMap = (name: string) =>
    admin.create(ConfigMap, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace } }, by);
  /** By name, how many replicas are asked for. */
  const servers = async () => {
    const { items } = await admin.list(Deployment, { namespace });
    return Object.fromEntries(
      items.map((item) => [
        item.metadata.name,
        (item as { readonly spec?: { readonly replicas?: number } }).spec?.replicas,
      ]),
    );
  };
  const service = () => admin.get(Service, { namespace, name: 'kept-service' });
  const start = (): ControllerProcess => installed.start({ proxy, flags: patience });
  const anInformer = (): Informer => {
    const cluster = connect(proxy.config(plane().adminToken));
    const { random } = Math;
    const informer = new Informer({
      cluster,
      resource: ConfigMap,
      namespace,
      clock: systemClock,
      random,
      log: silentLog,
    });
    const ended = informer.run(stop.signal);
    ends.push(async () => {
      await ended;
      await cluster.close();
    });
    return informer;
  };

  it('C-03: an informer shows what there is now, and a controller ends, so that the next one keeps that true', async () => {
    const running = start();
    const informer = anInformer();
    await wish('kept', 1);
    await configMap('kept');
    await eventually(async () => expect(await servers()).toEqual({ 'kept-server': 1 }), 60);
    await eventually(service, 60);
    const restore = await plane().backUp();

    await inParallel(lostWrites, 16, (index) => configMap(`lost-${index}`));
    await admin.delete(ConfigMap, { namespace, name: 'kept' });
    await wish('kept', 3);
    await wish('lost', 2);
    await eventually(async () => expect(await servers()).toEqual({ 'kept-server': 3, 'lost-server': 2 }), 60);
    const stored = () => informer.store.list().map(({ metadata }) => metadata.name);
    await eventually(() => expect(stored()).toContain(`lost-${lostWrites - 1}`), 60);
    await eventually(() => expect(stored()).not.toContain('kept'), 60);
    expect(running.isRunning).toBe(true);

    await restore();
    expect(await running.exited).toEqual({ code: 1, signal: null });
    expect(
      running.said('Lost the history of the API server, as after a restore, and stops to begin anew'),
    ).toHaveLength(1);
    await configMap('new');
    const there = async () => (await admin.list(ConfigMap, { namespace })).items.map(({ metadata }) => metadata.name);
    await eventually(async () => expect(stored().sort()).toEqual((await there()).sort()), 60);
    expect(stored()).toEqual(expect.arrayContaining(['kept', 'new']));

    await admin.delete(Service, { namespace, name: 'kept-service' });
    start();
    await wish('new', 2);
    await eventually(async () => expect(await servers()).toEqual({ 'kept-server': 1, 'new-server': 2 }), 60);
    await eventually(service, 60);
  }, 300_000);
});
