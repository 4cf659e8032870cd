import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Deployment, Service } from '../../imports/k8s.js';
import { connect, type HttpCluster } from '../../src/client/http-cluster.js';
import { kubeConfig } from '../../src/client/kube-config.js';
import type { KubeObject, Manifest } from '../../src/kube/manifest.js';
import { Memcached } from '../../src/operators/memcached.js';
import { comingsAndGoings, writesOf } from './audit.js';
import { eventually } from './eventually.js';
import { FaultProxy } from './fault-proxy.js';
import { type ControllerProcess, InstalledController } from './installed-controller.js';
import { onEveryCluster } from './on-real-cluster.js';
import type { Match, ProxiedRequest } from './proxy-rules.js';
import { comparable } from './settled-state.js';

const namespace = 'default';
const write = { fieldManager: 'a-person' };
const target = (name: string) => ({ namespace, name });
const memcachedNamed = (name: string, spec: object = {}): Manifest => ({
  apiVersion: Memcached.apiVersion,
  kind: Memcached.kind,
  metadata: { name, namespace },
  spec: { size: 0, ...spec },
});
/** What of `history` is not in `most`, or not as often. */
function beyond(most: readonly string[], history: readonly string[]): readonly string[] {
  const left = [...most];
  return history.filter((entry) => {
    const index = left.indexOf(entry);
    if (index >= 0) left.splice(index, 1);
    return index < 0;
  });
}
const fromOneTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

/** What is done to the cluster, under names that begin with `name`. */
interface Workload {
  readonly title: string;
  /** What is there before, and is at rest when `act` begins. */
  before?(cluster: HttpCluster, name: string): Promise<unknown>;
  act(cluster: HttpCluster, name: string): Promise<unknown>;
  /** How many objects there are in the end. */
  readonly leaves: number;
  /** Absent: whatever it does undisturbed is all that it may do. Where runs differ, the most that one may do. */
  readonly most?: readonly string[];
  /** The first write, of how many, at which to kill: of many alike not each one. Default: 1. */
  readonly every?: number;
}

const create = (cluster: HttpCluster, name: string) => cluster.create(Memcached, memcachedNamed(name), write);
const workloads: readonly Workload[] = [
  { title: 'one custom resource is created', act: create, leaves: 3 },
  {
    title: 'its spec is changed',
    before: create,
    act: (cluster, name) =>
      cluster.patch(Memcached, target(name), { type: 'merge', body: { spec: { image: 'memcached:1.7' } } }, write),
    leaves: 3,
  },
  {
    title: 'its spec is changed twice in a row',
    before: create,
    async act(cluster, name) {
      for (const image of ['memcached:1.7', 'memcached:1.8']) {
        await cluster.patch(Memcached, target(name), { type: 'merge', body: { spec: { image } } }, write);
      }
    },
    leaves: 3,
  },
  {
    title: 'a child is deleted under it',
    before: create,
    act: (cluster, name) => cluster.delete(Service, target(`${name}-service`)),
    leaves: 3,
  },
  {
    title: 'it is deleted while its children are being made',
    async act(cluster, name) {
      await create(cluster, name);
      await eventually(() => cluster.get(Deployment, target(`${name}-server`)));
      await cluster.delete(Memcached, target(name));
    },
    leaves: 0,
    most: ['create deployments/$name-server', 'create services/$name-service'],
  },
  {
    title: 'it is deleted, and created anew under the same name',
    before: create,
    async act(cluster, name) {
      await cluster.delete(Memcached, target(name));
      await create(cluster, name);
    },
    leaves: 3,
  },
  {
    title: 'a child leaves the composition',
    before: create,
    async act(cluster, name) {
      const { metadata } = await cluster.get(Memcached, target(name));
      const { apiVersion, kind } = Memcached;
      const owner = { apiVersion, kind, name, uid: metadata.uid, controller: true, blockOwnerDeletion: true };
      const former = { ...target(`${name}-former`), ownerReferences: [owner] };
      // As an earlier version of the operator composed it.
      const manifest = { apiVersion: 'v1', kind: 'Service', metadata: former, spec: { clusterIP: 'None' } };
      await cluster.create(Service, manifest, { fieldManager: 'memcached' });
    },
    leaves: 3,
  },
  {
    title: 'ten are created at once',
    act: (cluster, name) => Promise.all(fromOneTo(10).map((index) => create(cluster, `${name}-${index}`))),
    leaves: 30,
    every: 7,
  },
];

onEveryCluster('a controller that is killed', { controllerManager: true, audit: true }, (plane) => {
  let admin: HttpCluster;
  let proxy: FaultProxy;
  let installed: InstalledController;
  let controller: ControllerProcess;
  let runs = 0;

  const start = () => {
    controller = installed.start({ proxy });
  };
  beforeAll(async () => {
    installed = await InstalledController.on(plane());
    proxy = await FaultProxy.start(plane());
    admin = connect(await kubeConfig({ path: plane().kubeconfig }));
    start();
  }, 120_000);
  afterAll(async () => {
    await installed?.remove();
    await proxy?.close();
    await admin?.close();
  }, 60_000);

  /** The writes that are about the workload; the Lease and Events are no part of what is to be reached. */
  const counts: Match = { write: true, when: ({ path }) => !/\/(leases|events)(\/|\?|$)/.test(path) };
  const objectsOf = async (name: string): Promise<KubeObject[]> => {
    const lists = await Promise.all([Memcached, Deployment, Service].map((kind) => admin.list(kind, { namespace })));
    const isOfRun = ({ metadata }: KubeObject) => metadata.name === name || metadata.name.startsWith(`${name}-`);
    return lists.flatMap(({ items }) => items.filter(isOfRun));
  };
  /** Nothing is left to be done: all is there, all is said, and no write came for a while. */
  const rest = async (name: string, count: number) => {
    expect(proxy.quietFor(counts)).toBeGreaterThan(250);
    expect(controller.output).toContain('Stores are filled');
    const objects = await objectsOf(name);
    expect(objects.map(({ kind, metadata }) => `${kind}/${metadata.name}`)).toHaveLength(count);
    for (const { kind, metadata, ...object } of objects) {
      if (kind !== Memcached.kind) continue;
      const { status } = object as { status?: { conditions?: unknown; observedGeneration?: number } };
      expect(status?.observedGeneration).toBe(metadata.generation);
      expect(status?.conditions).toEqual([expect.objectContaining({ type: 'Ready', status: 'True' })]);
    }
    return objects;
  };
  /** What the controller created and deleted for this run, as the API server remembers it. */
  const historyOf = async (name: string) =>
    comingsAndGoings(writesOf(await plane().audit(), installed.username))
      .filter((entry) => new RegExp(`/${name}(-|$)`).test(entry))
      .map((entry) => entry.replace(name, '$name'))
      .sort();

  interface Run {
    readonly wasKilled: boolean;
    readonly state: ReturnType<typeof comparable>;
    readonly history: readonly string[];
  }
  /** One run of a workload, with at most one death: at the write after `skip` others. */
  async function play(
    workload: Workload,
    death?: { when: 'before sent' | 'after committed'; skip: number },
  ): Promise<Run> {
    const name = `run${(++runs).toString().padStart(3, '0')}`;
    if (workload.before) {
      await workload.before(admin, name);
      await eventually(() => rest(name, 3));
    }
    let killedAt: ProxiedRequest | undefined;
    const rule =
      death &&
      proxy.on(
        { ...counts, skip: death.skip },
        {
          type: death.when,
          next: 'drop',
          async run(request) {
            killedAt = request;
            await controller.kill();
            start();
          },
        },
      );
    await workload.act(admin, name);
    try {
      const objects = await eventually(() => rest(name, workload.leaves), 30);
      return {
        wasKilled: killedAt !== undefined,
        state: comparable(objects, { name, resource: Memcached, manager: 'memcached' }),
        history: await historyOf(name),
      };
    } catch (error) {
      const where = killedAt ? `killed ${death?.when}: ${killedAt.method} ${killedAt.path}` : 'undisturbed';
      throw new Error(`${name}, ${where}: no rest\n${controller.output.slice(-3000)}`, { cause: error });
    } finally {
      rule?.remove();
    }
  }

  it.each(workloads)(
    'K-01, K-03: at any write while $title ends as if nothing had happened',
    async (workload) => {
      const undisturbed = await play(workload);
      for (const when of ['before sent', 'after committed'] as const) {
        for (let skip = 0; ; skip += workload.every ?? 1) {
          const { wasKilled, state, history } = await play(workload, { when, skip });
          const extra = beyond(workload.most ?? undisturbed.history, history);
          expect({ when, skip, state, extra }).toEqual({ when, skip, state: undisturbed.state, extra: [] });
          if (!wasKilled) break;
        }
      }
    },
    120_000,
  );

  it('K-05: again and again gets on with it, and writes once for each change of a child', async () => {
    const name = `run${(++runs).toString().padStart(3, '0')}`;
    const child = target(`${name}-server`);
    const deaths = 20;
    await create(admin, name);
    await eventually(() => rest(name, 3));
    for (let death = 0; death < deaths; death++) {
      await controller.kill();
      await admin.patch(Deployment, child, { type: 'merge', body: { spec: { replicas: 7 } } }, write);
      start();
      await eventually(async () => {
        expect(await admin.get(Deployment, child)).toMatchObject({ spec: { replicas: 0 } });
      });
    }
    await eventually(() => rest(name, 3));
    const written = writesOf(await plane().audit(), installed.username).filter(
      ({ objectRef }) => objectRef?.resource === 'deployments' && objectRef.name === child.name,
    );
    expect(written.map(({ verb }) => verb)).toEqual(['create', ...Array(deaths).fill('patch')]);
  }, 120_000);
});
