/** Longer than most files: one life, told in order on one cluster. */
import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Deployment, type DeploymentObject, Service } from '../../imports/k8s.js';
import { connect, type HttpCluster } from '../../src/client/http-cluster.js';
import { kubeConfig } from '../../src/client/kube-config.js';
import { type KubeObject, type Observed, type Operator, operator } from '../../src/index.js';
import { systemClock } from '../../src/kube/clock.js';
import { Memcached, memcached } from '../../src/operators/memcached.js';
import { silentLog } from '../../src/runtime/log.js';
import { type Controller, runController } from '../../src/runtime/run-controller.js';
import { readsOf, writesOf } from '../cluster/audit.js';
import { applyInWaves, operatorDeployment, readDist, serviceAccountOf } from '../cluster/dist.js';
import { eventually } from '../cluster/eventually.js';
import { markPodsReady } from '../cluster/kubelet-stand-in.js';
import { onEveryCluster } from '../cluster/on-real-cluster.js';

type Server = Observed<DeploymentObject>;
interface Status {
  readonly nodes?: readonly string[];
  readonly readyReplicas?: number;
  readonly observedGeneration?: number;
  readonly conditions?: readonly { readonly type: string; readonly status: string; readonly reason: string }[];
}
const isReady = ({ conditions = [] }: Status) =>
  conditions.some(({ type, status }) => type === 'Ready' && status === 'True');
const memcachedNamed = (name: string, spec: object) => ({
  apiVersion: Memcached.apiVersion,
  kind: Memcached.kind,
  metadata: { name },
  spec,
});

onEveryCluster('the life of a Memcached', { controllerManager: true, audit: true }, (plane) => {
  let admin: HttpCluster;
  let operatorClient: HttpCluster;
  let username: string;
  let running: { readonly stop: AbortController; readonly controller: Controller } | undefined;
  const namespace = 'default';

  const start = async (operators: readonly Operator[] = [memcached]) => {
    const stop = new AbortController();
    setMaxListeners(0, stop.signal);
    const controller = runController(
      { operators, cluster: operatorClient, clock: systemClock, random: Math.random, log: silentLog },
      stop.signal,
    );
    running = { stop, controller };
    await controller.synced();
  };
  const stop = async () => {
    running?.stop.abort(new Error('stopped by the test'));
    await running?.controller.stopped;
    running = undefined;
  };

  const apply = (manifest: object, options = {}) =>
    plane().kubectl(['apply', '-f', '-'], { stdin: JSON.stringify(manifest), ...options });
  const server = async () => (await admin.get(Deployment, { namespace, name: 'cache-server' })) as Server;
  const service = () => admin.get(Service, { namespace, name: 'cache-service' });
  const ready = async () => {
    await markPodsReady(admin, namespace);
    const { status = {} } = (await admin.get(Memcached, { namespace, name: 'cache' })) as KubeObject & {
      status?: Status;
    };
    expect(isReady(status)).toBe(true);
    return status;
  };
  /** What the operator wrote while `during` ran. */
  const writesDuring = async (during: () => Promise<unknown>) => {
    const before = writesOf(await plane().audit(), username).length;
    await during();
    return writesOf(await plane().audit(), username).slice(before);
  };
  /** Until the controller has had nothing to do for a second. */
  const quiet = async () => {
    for (let rounds = 0; rounds < 20; ) {
      rounds = running?.controller.isIdle ? rounds + 1 : 0;
      await sleep(50);
    }
  };

  beforeAll(async () => {
    const rendered = readDist().filter(({ isSample }) => !isSample);
    await applyInWaves(plane(), rendered);
    const account = serviceAccountOf(operatorDeployment(rendered));
    username = `system:serviceaccount:${account.namespace}:${account.name}`;
    admin = connect(await kubeConfig({ path: plane().kubeconfig }));
    const path = await plane().serviceAccountKubeconfig(account.namespace, account.name);
    operatorClient = connect(await kubeConfig({ path }));
    await start();
  }, 60_000);

  afterAll(async () => {
    await stop();
    await operatorClient?.close();
    await admin?.close();
  });

  it('begins with its children and a status', async () => {
    await apply(memcachedNamed('cache', { size: 3 }));

    const status = await eventually(ready);
    const { stdout } = await plane().kubectl([
      'get',
      'pods',
      '-l',
      'memcached.cache.example.com/name=cache',
      '-o',
      'json',
    ]);
    const pods = JSON.parse(stdout) as { items: KubeObject[] };
    expect(status.readyReplicas).toBe(3);
    expect(status.nodes).toEqual(pods.items.map(({ metadata }) => metadata.name).sort());
    expect(status.observedGeneration).toBe(1);
    expect((await service()).metadata.ownerReferences?.[0]?.kind).toBe('Memcached');
  });

  it('shows itself in kubectl', async () => {
    const [head = '', row = ''] = (await plane().kubectl(['get', 'mc'])).stdout.split('\n');
    expect(head.trim().split(/\s+/)).toEqual(['NAME', 'SIZE', 'PODS', 'READY', 'STATUS', 'AGE']);
    expect(row.split(/\s+/).slice(0, 5)).toEqual(['cache', '3', '3', 'True', 'ReconciliationSucceeded']);
  });

  it('follows a change of its spec, and kubectl scale', async () => {
    await plane().kubectl(['patch', 'memcached', 'cache', '--type=merge', '-p', '{"spec":{"size":2}}']);
    await eventually(async () => expect((await server()).spec?.replicas).toBe(2));

    await plane().kubectl(['scale', 'memcached', 'cache', '--replicas=4']);
    await eventually(async () => expect((await server()).spec?.replicas).toBe(4));
    await eventually(async () => expect((await ready()).readyReplicas).toBe(4));
  });

  it.each([
    ['an owned field that was changed', { spec: { replicas: 9 } }],
    ['an owned label that was removed', { metadata: { labels: { 'app.kubernetes.io/managed-by': null } } }],
    [
      'a field of a list that was changed',
      { spec: { template: { spec: { containers: [{ name: 'memcached', image: 'other' }] } } } },
    ],
  ])('puts back %s, within a second and by one write', async (_, patch) => {
    await quiet();
    const wanted = await server();
    const writes = await writesDuring(async () => {
      await plane().kubectl(['patch', 'deployment', 'cache-server', '--type=strategic', '-p', JSON.stringify(patch)]);
      await eventually(async () => {
        const now = await server();
        expect(now.metadata.resourceVersion).not.toBe(wanted.metadata.resourceVersion);
        expect(now.spec).toEqual(wanted.spec);
        expect(now.metadata.labels).toEqual(wanted.metadata.labels);
      }, 1);
      await quiet();
    });
    expect(writes.filter(({ objectRef }) => objectRef?.resource === 'deployments')).toHaveLength(1);
    await eventually(ready);
  });

  it('makes a deleted child again, within a second', async () => {
    const { uid } = (await service()).metadata;
    await plane().kubectl(['delete', 'service', 'cache-service']);
    await eventually(async () => expect((await service()).metadata.uid).not.toBe(uid), 1);
  });

  it('says in an event who changed what', async () => {
    await eventually(async () => {
      const { stdout } = await plane().kubectl(['get', 'events.events.k8s.io', '-o', 'json']);
      const { items } = JSON.parse(stdout) as {
        items: readonly { readonly reason?: string; readonly note?: string }[];
      };
      const notes = items.filter(({ reason }) => reason === 'DriftCorrected').map(({ note }) => note);
      expect(notes).toContainEqual(
        expect.stringMatching(
          /^Deployment\/cache-server: spec\.replicas 4 → 9 by kubectl-patch \(Update, [-0-9T:]+Z\)$/,
        ),
      );
    });
  });

  it('leaves alone what others added', async () => {
    const writes = await writesDuring(async () => {
      await plane().kubectl(['annotate', 'service', 'cache-service', 'someone.example.com/note=theirs']);
      await plane().kubectl(['patch', 'memcached', 'cache', '--type=merge', '-p', '{"spec":{"size":5}}']);
      await eventually(async () => expect((await server()).spec?.replicas).toBe(5));
    });
    expect((await service()).metadata.annotations?.['someone.example.com/note']).toBe('theirs');
    expect(writes.filter(({ objectRef }) => objectRef?.resource === 'services')).toEqual([]);
  });

  it('loses a field and a child that its operator no longer composes', async () => {
    const version = (fields: object) =>
      operator(Memcached, {
        owns: [Deployment, Service],
        compose(scope, cr) {
          const labels = { app: cr.metadata.name };
          const template = { metadata: { labels }, spec: { containers: [{ name: 'memcached', image: 'memcached' }] } };
          new Deployment(scope, 'versioned', {
            spec: { replicas: 0, selector: { matchLabels: labels }, template, ...fields },
          });
        },
      });
    const versioned = async () => (await admin.get(Deployment, { namespace, name: 'cache-versioned' })) as Server;

    await stop();
    await start([version({ minReadySeconds: 7, revisionHistoryLimit: 3 })]);
    await eventually(async () => expect((await versioned()).spec?.minReadySeconds).toBe(7));
    await stop();
    await start([version({ revisionHistoryLimit: 4 })]);
    await eventually(async () => expect((await versioned()).spec?.revisionHistoryLimit).toBe(4));
    expect((await versioned()).spec?.minReadySeconds).toBeUndefined();

    // The shipped version does not know this child at all.
    await stop();
    await start();
    await eventually(async () => expect((await server()).spec?.replicas).toBe(5));
    await eventually(() => expect(versioned()).rejects.toThrow('not found'));
  }, 60_000);

  it.each([
    [
      'a size that is too large',
      { size: 11 },
      'spec.size: Invalid value: 11: spec.size in body should be less than or equal to 10',
    ],
    [
      'a size below zero',
      { size: -1 },
      'spec.size: Invalid value: -1: spec.size in body should be greater than or equal to 0',
    ],
    ['no size', {}, 'spec.size: Required value'],
    ['a size of the wrong type', { size: 'three' }, 'spec.size: Invalid value: "string"'],
    ['a key with a wrong capital', { Size: 3, size: 3 }, 'unknown field "spec.Size"'],
  ])('is refused with %s', async (_, spec, words) => {
    const { stderr, exitCode } = await apply(memcachedNamed('bad', spec), { allowFailure: true });
    expect(exitCode).toBe(1);
    expect(stderr).toContain(words);
  });

  it('converges when two hundred are made at once', async () => {
    const items = Array.from({ length: 200 }, (_, index) => memcachedNamed(`many-${index}`, { size: 0 }));
    await apply({ apiVersion: 'v1', kind: 'List', items });

    await eventually(async () => {
      const { items: found } = await admin.list(Memcached, { namespace });
      const many = found.filter(({ metadata }) => metadata.name.startsWith('many-')) as (KubeObject & {
        status?: Status;
      })[];
      expect(many.filter(({ status = {} }) => isReady(status))).toHaveLength(200);
    }, 60);
    const { items: services } = await admin.list(Service, { namespace });
    expect(services.filter(({ metadata }) => /^many-\d+-service$/.test(metadata.name))).toHaveLength(200);
  }, 120_000);

  it('is not written to when its controller restarts and nothing has drifted', async () => {
    await eventually(ready);
    await quiet();
    const writes = await writesDuring(async () => {
      await stop();
      await start();
      await quiet();
    });
    expect(writes).toEqual([]);
  }, 60_000);

  it('costs neither a write nor a read while nothing happens for a minute', async () => {
    const reads = async () => readsOf(await plane().audit(), username).length;
    const before = await reads();
    const writes = await writesDuring(() => sleep(60_000));
    expect(writes).toEqual([]);
    expect((await reads()) - before).toBe(0);
  }, 90_000);

  it('ends together with its children', async () => {
    await plane().kubectl(['delete', 'memcached', '--all', '--wait=false']);
    await eventually(async () => {
      const left = [
        ...(await admin.list(Deployment, { namespace })).items,
        ...(await admin.list(Service, { namespace })).items,
      ];
      expect(left.map(({ metadata }) => metadata.name)).toEqual(['kubernetes']);
    }, 60);
  }, 90_000);
});
