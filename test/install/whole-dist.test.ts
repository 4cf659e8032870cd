import { setMaxListeners } from 'node:events';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Deployment, Namespace } from '../../imports/k8s.js';
import { connect, type HttpCluster } from '../../src/client/http-cluster.js';
import { kubeConfig } from '../../src/client/kube-config.js';
import type { Condition, KubeObject } from '../../src/index.js';
import { systemClock } from '../../src/kube/clock.js';
import { refOf, show } from '../../src/kube/object-ref.js';
import { operators } from '../../src/operators/all.js';
import { type Controller, runController } from '../../src/runtime/run-controller.js';
import { silentLog } from '../../src/runtime/telemetry/log.js';
import { BookingService } from '../booking/booking-service.js';
import { applyInWaves, operatorDeployment, readDist, serviceAccountOf } from '../cluster/dist.js';
import { eventually } from '../cluster/eventually.js';
import { markPodsReady, placeDaemonPods } from '../cluster/kubelet-stand-in.js';
import { onEveryCluster } from '../cluster/on-real-cluster.js';
import { conditionIn } from '../condition-in.js';

const rendered = readDist();

/** Every operator runs in a process of its own in a cluster; here each has its own account, and none more than is rendered. */
onEveryCluster('the whole of dist', { controllerManager: true }, (plane) => {
  const stop = new AbortController();
  setMaxListeners(0, stop.signal);
  const service = new BookingService();
  const controllers: Controller[] = [];
  const accounts: HttpCluster[] = [];
  let admin: HttpCluster;

  const playNodes = async () => {
    const { items } = await admin.list(Namespace);
    for (const { metadata } of items) {
      await placeDaemonPods(admin, metadata.name);
      await markPodsReady(admin, metadata.name);
    }
  };
  const customResources = async () => {
    const lists = await Promise.all(operators.map(({ resource }) => admin.list(resource)));
    return lists.flatMap(({ items }) => items) as (KubeObject & {
      status?: { observedGeneration?: number; conditions?: readonly Condition[] };
    })[];
  };

  beforeAll(async () => {
    admin = connect(await kubeConfig({ path: plane().kubeconfig }));
  });
  afterAll(async () => {
    stop.abort(new Error('the test has ended'));
    await Promise.all(controllers.map(({ stopped }) => stopped));
    for (const account of accounts) await account.close();
    await admin.close();
  });

  it('installs every operator, wave after wave', async () => {
    await applyInWaves(
      plane(),
      rendered.filter(({ isSample }) => !isSample),
    );
    await eventually(async () => {
      await playNodes();
      const { items } = await admin.list(Deployment);
      const available = items.filter(
        (object) => ((object as { status?: { availableReplicas?: number } }).status?.availableReplicas ?? 0) > 0,
      );
      expect(available.map(({ metadata }) => metadata.name).sort()).toEqual(
        operators.map(({ name }) => `${name}-operator`).sort(),
      );
    }, 60);
  });

  it('ends with every custom resource ready', async () => {
    for (const operator of operators) {
      const deployment = operatorDeployment(rendered, `${operator.name}-operator`);
      const { namespace, name } = serviceAccountOf(deployment);
      const cluster = connect(await kubeConfig({ path: await plane().serviceAccountKubeconfig(namespace, name) }));
      accounts.push(cluster);
      const options = { cluster, clock: systemClock, random: Math.random, log: silentLog };
      const settings = { BOOKING_URL: 'http://booking.booking.svc:8080' };
      const fetch = service.fetch as typeof globalThis.fetch;
      controllers.push(runController({ ...options, operators: [operator], settings, fetch }, stop.signal));
    }
    await Promise.all(controllers.map((controller) => controller.synced()));
    await applyInWaves(
      plane(),
      rendered.filter(({ isSample }) => isSample),
    );

    const samples = rendered.filter(({ manifest }) =>
      operators.some(({ resource }) => resource.kind === manifest.kind),
    );
    expect(samples).toHaveLength(operators.length);
    await eventually(async () => {
      await playNodes();
      const all = await customResources();
      const unready = all.flatMap((object) => {
        const ready = conditionIn(object);
        const isDone = ready?.status === 'True' && ready.observedGeneration === object.metadata.generation;
        return isDone ? [] : [`${show(refOf(object))}: ${ready?.message ?? 'nothing is said of it'}`];
      });
      expect(unready).toEqual([]);
      expect(all).toHaveLength(samples.length);
    }, 60);
    expect(service.booked).toHaveLength(1);
  });

  it('leaves nothing behind when the samples go', async () => {
    for (const { resource } of operators) {
      await plane().kubectl(['delete', `${resource.plural}.${resource.group}`, '--all', '-A', '--wait=false']);
    }
    await eventually(async () => {
      await playNodes();
      expect(await customResources()).toEqual([]);
      const { stdout } = await plane().kubectl([
        'get',
        'deployments,daemonsets,services,configmaps,pods',
        '-A',
        '-l',
        'app.kubernetes.io/created-by=kilter',
        '-o',
        'name',
      ]);
      expect(stdout).toBe('');
    }, 60);
    expect(service.booked).toEqual([]);
  });
});
