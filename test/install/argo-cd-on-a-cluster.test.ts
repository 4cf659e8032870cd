import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ConfigMap, Deployment, Service } from '../../imports/k8s.js';
import { NotFoundError } from '../../src/client/api-error.js';
import { connect, type HttpCluster } from '../../src/client/http-cluster.js';
import { kubeConfig } from '../../src/client/kube-config.js';
import type { Condition, KubeObject } from '../../src/index.js';
import type { ApiResource } from '../../src/kube/api-resource.js';
import type { Manifest } from '../../src/kube/manifest.js';
import { ConfigMapSync } from '../../src/operators/config-map-sync.js';
import { readDist } from '../cluster/dist.js';
import { eventually } from '../cluster/eventually.js';
import { FaultProxy } from '../cluster/fault-proxy.js';
import { type ControllerProcess, InstalledController, openMetrics } from '../cluster/installed-controller.js';
import { onRealCluster } from '../cluster/on-real-cluster.js';
import { conditionIn } from '../condition-in.js';
import { Application } from './argo-cd.js';

/** One with children in another namespace, which holds its custom resources by a finalizer, and one without. */
const operators = ['configmapsync-operator', 'memcached-operator'];
const sync = { namespace: 'default', name: 'configmapsync-sample' };
const copy = { namespace: 'configmapsync-sample', name: 'configmapsync-sample' };
const memcached = { namespace: 'default', name: 'memcached-sample' };
const ownKinds = ['deployments', 'services', 'configmaps'];

onRealCluster('by Argo CD', { controllerManager: true }, (plane) => {
  let admin: HttpCluster;
  let proxy: FaultProxy;
  const installed = new Map<string, InstalledController>();
  const running = new Map<string, ControllerProcess>();

  const installs = readDist().filter(({ folder }) => operators.includes(folder));
  const names = new Set([sync.name, copy.name, memcached.name]);
  const samples = readDist().filter(({ isSample, manifest }) => isSample && names.has(manifest.metadata.name));

  beforeAll(async () => {
    admin = connect(await kubeConfig({ path: plane().kubeconfig }));
    proxy = await FaultProxy.start(plane());
  });
  afterAll(async () => {
    for (const each of installed.values()) await each.remove();
    await admin?.close();
    await proxy?.close();
  });

  /** What a kubelet does once there is a Deployment. */
  const startAll = async () => {
    for (const operator of operators) {
      await installed.get(operator)?.remove();
      const controller = await InstalledController.of(plane(), operator);
      installed.set(operator, controller);
      running.set(operator, controller.start({ proxy, flags: openMetrics }));
    }
  };
  /** And once it is gone. */
  const endWith = async ({ kind, metadata }: Manifest) => {
    const process = kind === 'Deployment' ? running.get(metadata.name) : undefined;
    if (!process) return;
    process.signal('SIGTERM');
    expect(await process.exited).toEqual({ code: 0, signal: null });
  };
  const find = (kind: ApiResource, target: { readonly namespace: string; readonly name: string }) =>
    admin.get(kind, target).catch((error: unknown) => {
      if (!(error instanceof NotFoundError)) throw error;
    }) as Promise<(KubeObject & { readonly status?: { readonly conditions?: readonly Condition[] } }) | undefined>;
  const childrenOfMemcached = async () => {
    const [deployments, services] = await Promise.all(
      [Deployment, Service].map((kind) => admin.list(kind, { namespace: memcached.namespace })),
    );
    return [...deployments!.items, ...services!.items].filter(({ metadata }) =>
      metadata.ownerReferences?.some(({ kind, name }) => kind === 'Memcached' && name === memcached.name),
    );
  };
  const areMade = () =>
    eventually(async () => {
      expect(conditionIn((await find(ConfigMapSync, sync)) ?? {})).toMatchObject({ status: 'True' });
      expect(await find(ConfigMap, copy)).toBeDefined();
      expect(await childrenOfMemcached()).toHaveLength(2);
    }, 60);

  it('S-30: stays in sync, and has nothing to prune, though all that is in Git is marked as its own', async () => {
    const application = new Application(plane(), 'everything', [...installs, ...samples]);
    await application.sync();
    await startAll();
    await areMade();
    // Who wrote what of the children, and when: the cluster itself goes on with their status.
    const written = async () =>
      [...(await childrenOfMemcached()), await find(ConfigMap, copy)].map((child) => {
        const { uid, generation, managedFields = [] } = child?.metadata ?? {};
        return { uid, generation, managedFields: managedFields.filter(({ subresource }) => subresource !== 'status') };
      });
    const before = await written();

    await application.sync();
    expect(await application.marked(ownKinds)).toEqual([
      'Deployment/configmapsync-operator-system/configmapsync-operator',
      'Deployment/memcached-operator-system/memcached-operator',
      'Service/configmapsync-operator-system/configmapsync-operator-metrics',
      'Service/memcached-operator-system/memcached-operator-metrics',
      'ConfigMap/default/configmapsync-sample',
    ]);
    for (const controller of running.values()) await eventually(() => controller.expectIdle());
    // While it is looked at, the cluster may say something of the status of what was synced.
    await eventually(async () => expect(await application.difference()).toBe(''));
    expect(await written()).toEqual(before);
  }, 180_000);

  it('S-31: goes whole, wave by wave, custom resources before those that clean up after them', async () => {
    const application = new Application(plane(), 'everything', [...installs, ...samples]);
    await application.delete(endWith);
    expect(await find(ConfigMapSync, sync)).toBeUndefined();
    expect(await find(ConfigMap, copy)).toBeUndefined();
    await eventually(async () => expect(await childrenOfMemcached()).toEqual([]), 60);
    const { stdout } = await plane().kubectl(['get', 'crd', '-o', 'name']);
    expect(stdout).toContain('configmapsyncs.apps.bixbite.io');
  }, 180_000);

  it('S-31: is in no deadlock where operators went first: what they hold goes when they are back', async () => {
    const [operator, resources] = [
      new Application(plane(), 'operators', installs),
      new Application(plane(), 'resources', samples),
    ];
    await operator.sync();
    await resources.sync();
    await startAll();
    await areMade();

    await operator.delete(endWith);
    await plane().kubectl(['delete', 'memcached', memcached.name, '--timeout=30s']);
    await eventually(async () => expect(await childrenOfMemcached()).toEqual([]), 60);
    await plane().kubectl(['delete', 'configmapsync', sync.name, '--wait=false']);
    expect((await find(ConfigMapSync, sync))?.metadata.deletionTimestamp).toBeDefined();
    expect(await find(ConfigMap, copy)).toBeDefined();

    await operator.sync();
    await startAll();
    await eventually(async () => expect(await find(ConfigMapSync, sync)).toBeUndefined(), 60);
    expect(await find(ConfigMap, copy)).toBeUndefined();
    await resources.delete();
  }, 240_000);
});
