import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { Deployment, type DeploymentObject, Service } from '../../imports/k8s.js';
import { connect, type HttpCluster } from '../../src/client/http-cluster.js';
import { kubeConfig } from '../../src/client/kube-config.js';
import type { KubeObject } from '../../src/kube/manifest.js';
import { Memcached } from '../../src/operators/memcached.js';
import { comingsAndGoings, readAudit, writesOf } from './audit.js';
import { Balancer } from './balancer.js';
import { hasRoom } from './etcd-gateway.js';
import { eventually } from './eventually.js';
import { type ControllerProcess, InstalledController, openMetrics } from './installed-controller.js';
import { onRealCluster } from './on-real-cluster.js';
import type { AnotherServer } from './programs.js';

const namespace = 'default';
const by = { fieldManager: 'a-person' };
/** Beside whatever else this machine does while it starts servers. */
const patience = ['--leader-elect-lease-duration=120s', '--leader-elect-renew-deadline=100s'];
const names = Array.from({ length: 60 }, (_, index) => `m${index}`);

onRealCluster('a controller of two API servers on one etcd', { audit: true, etcdTellsProgress: true }, (plane) => {
  let admin: HttpCluster;
  let installed: InstalledController;
  let servers: readonly [AnotherServer, AnotherServer];
  /** What stands before both, and before etcd for the second. */
  let ways: { readonly toServers: Balancer; readonly toEtcd: Balancer };
  let controller: ControllerProcess;
  let edits = 0;
  let before: ReadonlySet<string>;
  let uids: ReadonlyMap<string, string>;
  const deleted: string[] = [];

  beforeAll(async () => {
    admin = connect(await kubeConfig({ path: plane().kubeconfig }));
    const { port } = new URL(plane().etcdUrl);
    const toEtcd = await Balancer.start([Number(port)]);
    servers = [await plane().another(), await plane().another({ etcdUrl: `http://127.0.0.1:${toEtcd.port}` })];
    for (const server of servers) server.launch();
    installed = await InstalledController.on(plane());
    for (const server of servers) await server.ready();
    ways = { toEtcd, toServers: await Balancer.start(servers.map((server) => server.port)) };
    controller = installed.start({
      proxy: ways.toServers.kubeconfigOf(plane().ca),
      flags: [...openMetrics, ...patience],
    });
    for (const name of names) await edit(name);
    await settled();
  });
  afterAll(async () => {
    await installed?.remove();
    await ways?.toServers.close();
    for (const server of servers ?? []) await server.stop();
    await ways?.toEtcd.close();
    await admin?.close();
  });
  beforeEach(async () => {
    before = new Set((await writes()).map(({ auditID }) => auditID));
    uids = new Map((await deployments()).map(({ metadata: { name, uid } }) => [name, uid]));
    deleted.length = 0;
  });

  const writes = async () => {
    const logs = await Promise.all(servers.map(({ auditLog }) => readAudit(auditLog)));
    return writesOf(logs.flat(), installed.username).filter(({ objectRef }) => objectRef?.resource !== 'leases');
  };
  const deployments = async () =>
    (await admin.list(Deployment, { namespace })).items as readonly (KubeObject & DeploymentObject)[];
  const imageOf = ({ spec }: DeploymentObject) => spec?.template.spec?.containers[0]?.image;
  const wished = new Map<string, string>();
  const edit = async (name: string) => {
    const image = `memcached:${++edits}`;
    const { apiVersion, kind } = Memcached;
    const wish = { apiVersion, kind, metadata: { name, namespace }, spec: { size: 0, image } };
    await admin.apply(Memcached, wish, { ...by, force: true });
    wished.set(name, image);
  };
  const drift = (name: string) =>
    admin.patch(
      Deployment,
      { namespace, name: `${name}-server` },
      { type: 'merge', body: { spec: { replicas: 7 } } },
      { fieldManager: 'somebody' },
    );
  const loseService = async (name: string) => {
    await admin.delete(Service, { namespace, name: `${name}-service` });
    deleted.push(`create services/${name}-service`);
  };
  /** Each once, so that nothing that is put back is lost again before it is. */
  async function disturb(some: readonly string[]): Promise<void> {
    for (const [index, name] of some.entries()) await [edit, drift, loseService][index % 3]?.(name);
  }
  /** Until all is as it is wished, and is said to be. */
  const settled = (seconds = 60) =>
    eventually(async () => {
      const crs = (await admin.list(Memcached, { namespace })).items as readonly (KubeObject & {
        status?: { observedGeneration?: number };
      })[];
      expect(crs.filter(({ metadata, status }) => status?.observedGeneration !== metadata.generation)).toEqual([]);
      const there = (await deployments()).map((each) => [each.metadata.name, imageOf(each), each.spec?.replicas]);
      expect(there.sort()).toEqual(names.map((name) => [`${name}-server`, wished.get(name), 0]).sort());
      expect((await admin.list(Service, { namespace, labelSelector: 'app.kubernetes.io/part-of' })).items).toHaveLength(
        names.length,
      );
      await controller.expectIdle();
    }, seconds);
  /** Nothing was made or deleted but what somebody else had deleted, and nobody began anew. */
  const expectNoHarm = async () => {
    const since = (await writes()).filter(({ auditID }) => !before.has(auditID));
    expect(comingsAndGoings(since).sort()).toEqual(deleted.toSorted());
    expect(new Map((await deployments()).map(({ metadata: { name, uid } }) => [name, uid]))).toEqual(uids);
    expect([controller.isRunning, controller.said('Lost the Lease')]).toEqual([true, []]);
  };

  it('goes on while they are restarted one after the other, and connections lead to one that only starts', async () => {
    for (const [index, server] of servers.entries()) {
      const some = names.slice(index * 20, index * 20 + 20);
      await disturb(some.slice(0, 6));
      await server.stop();
      await disturb(some.slice(6, 12));
      server.launch();
      await disturb(some.slice(12));
      await server.ready();
    }
    await settled();
    await expectNoHarm();
  });

  it('goes on where etcd is restarted beneath them, and forgets what was', async () => {
    await disturb(names.slice(0, 9));
    await plane().restartEtcd();
    await disturb(names.slice(9, 18));
    await plane().compact();
    await disturb(names.slice(18, 27));
    await settled();
    await expectNoHarm();
  });

  it('tries again where etcd has no room for a while', async () => {
    await hasRoom(plane().etcdUrl, false);
    // For a deletion there is room.
    for (const name of names.slice(0, 6)) await loseService(name);
    await eventually(async () => {
      const refused = (await writes()).filter(({ responseStatus }) => responseStatus?.code === 500);
      expect(new Set(refused.map(({ objectRef }) => objectRef?.resource))).toContain('services');
    });
    await hasRoom(plane().etcdUrl, true);
    await settled();
    await expectNoHarm();
  });

  it('goes on by one of them, once it has to, while the other hears nothing from etcd', async () => {
    ways.toEtcd.freeze(0);
    await disturb(names.slice(0, 18));
    // As by a balancer that has seen it.
    ways.toServers.only(0);
    ways.toServers.cut(1);
    await disturb(names.slice(18, 36));
    await settled();
    ways.toEtcd.thaw(0);
    ways.toServers.only(0, 1);
    await servers[1].ready();
    await disturb(names.slice(36));
    await settled();
    await expectNoHarm();
  });
});
