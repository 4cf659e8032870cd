import { describe, expect, it } from '@jest/globals';
import {
  Deployment,
  type DeploymentObject,
  Pod,
  type PodObject,
  ReplicaSet,
  type ReplicaSetObject,
} from '../../../imports/k8s.js';
import type { KubeObject } from '../../../src/kube/manifest.js';
import { podSpec, SmallWorld, workload } from './small-world.js';

const revision = 'deployment.kubernetes.io/revision';

function conditionsOf({ status }: DeploymentObject) {
  return (status?.conditions ?? []).map(({ type, status: value, reason }) => `${type}=${value} ${reason}`);
}

async function sizes(world: SmallWorld): Promise<Record<string, number | undefined>> {
  const sets = (await world.list(ReplicaSet)) as readonly (KubeObject & Pick<ReplicaSetObject, 'spec'>)[];
  return Object.fromEntries(sets.map(({ metadata, spec }) => [metadata.annotations![revision]!, spec?.replicas]));
}

function imaged(image: string) {
  return { spec: { template: { spec: { containers: [{ name: 'web', image }] } } } };
}

describe('a Deployment', () => {
  it('comes up: one ReplicaSet, its Pods on Nodes and ready, and says so', async () => {
    const world = new SmallWorld();
    await world.create(Deployment, workload('web', { replicas: 3 }));
    await world.settle();
    const deployment = await world.get<DeploymentObject>(Deployment, 'web');
    expect(deployment.status).toMatchObject({
      replicas: 3,
      updatedReplicas: 3,
      readyReplicas: 3,
      availableReplicas: 3,
      observedGeneration: 1,
    });
    expect(conditionsOf(deployment)).toEqual([
      'Available=True MinimumReplicasAvailable',
      'Progressing=True NewReplicaSetAvailable',
    ]);
    const [set] = await world.list(ReplicaSet);
    expect(set?.metadata.name).toBe(`web-${set?.metadata.labels?.['pod-template-hash']}`);
    const pods = (await world.list(Pod)) as readonly (KubeObject & PodObject)[];
    expect(pods.map(({ status }) => status?.phase)).toEqual(['Running', 'Running', 'Running']);
    expect(new Set(pods.map(({ spec }) => spec?.nodeName))).toEqual(new Set(['node-1', 'node-2']));
    expect(new Set(pods.map(({ status }) => status?.podIP)).size).toBe(3);
  });

  it('rolls over to a new template and back, within its surge and what may be missing', async () => {
    const world = new SmallWorld();
    const strategy = { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 1 } };
    await world.create(Deployment, workload('web', { replicas: 4, strategy }));
    await world.settle();
    let most = 0;
    let fewest = 4;
    const count = () => {
      const sets = world.server.store.list('replicasets.apps') as readonly (KubeObject & ReplicaSetObject)[];
      most = Math.max(
        most,
        sets.reduce((sum, { spec }) => sum + (spec?.replicas ?? 1), 0),
      );
      const pods = world.server.store.list('pods') as readonly (KubeObject & PodObject)[];
      const isReady = ({ metadata, status }: KubeObject & PodObject) =>
        metadata.deletionTimestamp === undefined &&
        status?.conditions?.some((each) => each.type === 'Ready' && each.status === 'True');
      fewest = Math.min(fewest, pods.filter(isReady).length);
    };
    const stop = world.server.store.listen(count);
    await world.patch(Deployment, 'web', imaged('registry.example/web:2'));
    await world.settle();
    stop();
    expect({ most, fewest }).toEqual({ most: 5, fewest: 3 });
    expect(await sizes(world)).toEqual({ '1': 0, '2': 4 });
    await world.patch(Deployment, 'web', imaged('registry.example/web:1'));
    await world.settle();
    expect(await sizes(world)).toEqual({ '2': 0, '3': 4 });
    const latest = (await world.list(ReplicaSet)).find(({ metadata }) => metadata.annotations?.[revision] === '3');
    expect(latest?.metadata.annotations?.['deployment.kubernetes.io/revision-history']).toBe('1');
  });

  it('with the strategy Recreate never has Pods of two templates', async () => {
    const world = new SmallWorld({ pods: { readyAfterSeconds: 2, stopAfterSeconds: 20 } });
    await world.create(Deployment, workload('web', { replicas: 2, strategy: { type: 'Recreate' } }));
    await world.settle();
    const images = new Set<string>();
    const stop = world.server.store.listen(() => {
      const pods = world.server.store.list('pods') as readonly (KubeObject & PodObject)[];
      images.add([...new Set(pods.map(({ spec }) => spec!.containers[0]!.image!.at(-1)))].join('+'));
    });
    await world.patch(Deployment, 'web', imaged('registry.example/web:2'));
    await world.settle();
    stop();
    expect([...images]).toEqual(['1', '', '2']);
  });

  it.each([
    ['CrashLoopBackOff', 'Running'],
    ['ImagePullBackOff', 'Pending'],
  ])('says that it got stuck when its Pods are in %s', async (reason, phase) => {
    const world = new SmallWorld({ pods: { readyAfterSeconds: 1, fails: () => reason } });
    await world.create(Deployment, workload('web', { progressDeadlineSeconds: 60 }));
    await world.settle();
    const [pod] = (await world.list(Pod)) as readonly (KubeObject & PodObject)[];
    expect(pod?.status?.phase).toBe(phase);
    expect(pod?.status?.containerStatuses?.[0]?.state?.waiting?.reason).toBe(reason);
    await world.clock.advance(90_000);
    expect(conditionsOf(await world.get(Deployment, 'web'))).toEqual([
      'Available=False MinimumReplicasUnavailable',
      'Progressing=False ProgressDeadlineExceeded',
    ]);
  });

  it('comes back to life when what made its Pods fail is mended', async () => {
    let reason: string | undefined = 'CrashLoopBackOff';
    const world = new SmallWorld({ pods: { readyAfterSeconds: 1, fails: () => reason } });
    await world.create(Deployment, workload('web'));
    await world.settle();
    reason = undefined;
    await world.clock.advance(20_000);
    const [pod] = (await world.list(Pod)) as readonly (KubeObject & PodObject)[];
    expect(pod?.status?.containerStatuses?.[0]).toMatchObject({ ready: true, restartCount: 1 });
  });

  it('is paused and resumed', async () => {
    const world = new SmallWorld();
    await world.create(Deployment, workload('web', { paused: true }));
    await world.settle();
    expect(await world.list(ReplicaSet)).toEqual([]);
    expect(conditionsOf(await world.get(Deployment, 'web'))).toContain('Progressing=Unknown DeploymentPaused');
    await world.patch(Deployment, 'web', { spec: { paused: false } });
    await world.settle();
    expect(conditionsOf(await world.get(Deployment, 'web'))).toContain('Progressing=True NewReplicaSetAvailable');
  });

  it('forgets ReplicaSets beyond its history, adopts one that fits, and lets go of Pods that do not', async () => {
    const world = new SmallWorld();
    await world.create(Deployment, workload('web', { revisionHistoryLimit: 1 }));
    await world.settle();
    for (const tag of ['2', '3', '4']) {
      await world.patch(Deployment, 'web', imaged(`registry.example/web:${tag}`));
      await world.settle();
    }
    expect(await sizes(world)).toEqual({ '3': 0, '4': 1 });
    const [name] = await world.names(Pod);
    await world.patch(Pod, name!, { metadata: { labels: { 'pod-template-hash': null } } });
    await world.settle();
    expect((await world.get(Pod, name!)).metadata.ownerReferences).toBeUndefined();
    expect(await world.names(Pod)).toHaveLength(2);
    await world.cluster.delete(Deployment, { namespace: 'default', name: 'web' }, { propagationPolicy: 'Orphan' });
    await world.settle();
    expect(await sizes(world)).toEqual({ '3': 0, '4': 1 });
    await world.create(Deployment, {
      metadata: { name: 'heir' },
      spec: {
        selector: { matchLabels: { app: 'web' } },
        template: { metadata: { labels: { app: 'web' } }, spec: podSpec() },
      },
    });
    await world.settle();
    const sets = await world.list(ReplicaSet);
    expect(sets.every(({ metadata }) => metadata.ownerReferences?.[0]?.name === 'heir')).toBe(true);
  });

  it('is scaled in the middle of a roll-out, each ReplicaSet by its share', async () => {
    const world = new SmallWorld({
      pods: {
        readyAfterSeconds: 1,
        fails: (pod) => (pod.spec?.containers[0]?.image?.endsWith('2') ? 'CrashLoopBackOff' : undefined),
      },
    });
    const strategy = { type: 'RollingUpdate', rollingUpdate: { maxSurge: 3, maxUnavailable: 2 } };
    await world.create(Deployment, workload('web', { replicas: 10, strategy }));
    await world.settle();
    await world.patch(Deployment, 'web', imaged('registry.example/web:2'));
    await world.settle();
    expect(await sizes(world)).toEqual({ '1': 8, '2': 5 });
    await world.patch(Deployment, 'web', { spec: { replicas: 15 } });
    await world.settle();
    expect(await sizes(world)).toEqual({ '1': 11, '2': 7 });
  });

  it('has the same history from the same seed', async () => {
    const history = async () => {
      const world = new SmallWorld({}, 'seed 7');
      const seen: string[] = [];
      world.server.store.listen(({ type, resource, object }) => {
        seen.push(
          `${type} ${resource} ${object.metadata.name} ${object.metadata.uid} ${object.metadata.resourceVersion}`,
        );
      });
      await world.create(Deployment, workload('web', { replicas: 3 }));
      await world.settle();
      await world.patch(Deployment, 'web', imaged('registry.example/web:2'));
      await world.settle();
      return seen;
    };
    expect(await history()).toEqual(await history());
  });
});
