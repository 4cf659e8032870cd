import { describe, expect, it } from '@jest/globals';
import {
  ControllerRevision,
  DaemonSet,
  type DaemonSetObject,
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
  type PersistentVolumeClaimObject,
  Pod,
  type PodObject,
  StatefulSet,
  type StatefulSetObject,
} from '../../../imports/k8s.js';
import type { KubeObject } from '../../../src/kube/manifest.js';
import { podSpec, SmallWorld, workload } from './small-world.js';

const imaged = (image: string) => ({ spec: { template: { spec: { containers: [{ name: 'web', image }] } } } });

describe('a StatefulSet', () => {
  const claim = (name: string) => ({
    metadata: { name },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  });

  it('starts its Pods one after the other, each with its claims', async () => {
    const world = new SmallWorld({ pods: { readyAfterSeconds: 5 } });
    await world.create(
      StatefulSet,
      workload('db', { replicas: 3, serviceName: 'db', volumeClaimTemplates: [claim('data')] }),
    );
    await world.clock.advance(1000);
    expect(await world.names(Pod)).toEqual(['db-0']);
    await world.settle();
    expect(await world.names(Pod)).toEqual(['db-0', 'db-1', 'db-2']);
    expect(await world.names(PersistentVolumeClaim)).toEqual(['data-db-0', 'data-db-1', 'data-db-2']);
    const { status } = await world.get<PersistentVolumeClaimObject>(PersistentVolumeClaim, 'data-db-0');
    expect(status).toMatchObject({ phase: 'Bound', capacity: { storage: '1Gi' } });
    const set = await world.get<StatefulSetObject>(StatefulSet, 'db');
    expect(set.status).toMatchObject({
      replicas: 3,
      readyReplicas: 3,
      currentReplicas: 3,
      updatedReplicas: 3,
      availableReplicas: 3,
    });
    expect(set.status?.currentRevision).toBe(set.status?.updateRevision);
  });

  it('starts all at once when told so, and stops the last first', async () => {
    const world = new SmallWorld({ pods: { readyAfterSeconds: 5, stopAfterSeconds: 5 } });
    await world.create(StatefulSet, workload('db', { replicas: 3, podManagementPolicy: 'Parallel' }));
    await world.clock.advance(0);
    expect(await world.names(Pod)).toHaveLength(3);
    await world.settle();
    await world.patch(StatefulSet, 'db', { spec: { replicas: 1 } });
    await world.settle();
    expect(await world.names(Pod)).toEqual(['db-0']);
  });

  it('rolls from the last Pod down to its partition', async () => {
    const world = new SmallWorld();
    const updateStrategy = { type: 'RollingUpdate', rollingUpdate: { partition: 1 } };
    await world.create(StatefulSet, workload('db', { replicas: 3, updateStrategy }));
    await world.settle();
    await world.patch(StatefulSet, 'db', imaged('registry.example/web:2'));
    await world.settle();
    const images = async () =>
      ((await world.list(Pod)) as readonly (KubeObject & PodObject)[]).map(({ spec }) =>
        spec?.containers[0]?.image?.at(-1),
      );
    expect(await images()).toEqual(['1', '2', '2']);
    expect((await world.get<StatefulSetObject>(StatefulSet, 'db')).status).toMatchObject({
      currentReplicas: 1,
      updatedReplicas: 2,
    });
    expect(await world.names(ControllerRevision)).toHaveLength(2);
    await world.cluster.delete(Pod, { namespace: 'default', name: 'db-0' });
    await world.settle();
    expect(await images()).toEqual(['1', '2', '2']);
    await world.patch(StatefulSet, 'db', { spec: { updateStrategy: { rollingUpdate: { partition: 0 } } } });
    await world.settle();
    expect(await images()).toEqual(['2', '2', '2']);
    const { status } = await world.get<StatefulSetObject>(StatefulSet, 'db');
    expect(status?.currentRevision).toBe(status?.updateRevision);
  });

  it('takes its claims along when it says so', async () => {
    const world = new SmallWorld();
    const persistentVolumeClaimRetentionPolicy = { whenDeleted: 'Delete', whenScaled: 'Delete' };
    const more = { replicas: 2, volumeClaimTemplates: [claim('data')], persistentVolumeClaimRetentionPolicy };
    await world.create(StatefulSet, workload('db', more));
    await world.settle();
    await world.patch(StatefulSet, 'db', { spec: { replicas: 1 } });
    await world.settle();
    expect(await world.names(PersistentVolumeClaim)).toEqual(['data-db-0']);
    await world.cluster.delete(StatefulSet, { namespace: 'default', name: 'db' });
    await world.settle();
    expect(await world.names(PersistentVolumeClaim)).toEqual([]);
    expect(await world.names(PersistentVolume)).toEqual([]);
  });

  const ownersOf = async (world: SmallWorld, name: string) =>
    (await world.get(PersistentVolumeClaim, name)).metadata.ownerReferences?.map((owner) => [
      `${owner.kind}/${owner.name}`,
      owner.controller,
    ]);

  it('owns the claims that it has when it says later that they go with it, and lets go of them again', async () => {
    const world = new SmallWorld({ pods: { readyAfterSeconds: 1, stopAfterSeconds: 5 } });
    await world.create(StatefulSet, workload('db', { replicas: 2, volumeClaimTemplates: [claim('data')] }));
    await world.settle();
    const keep = async (whenDeleted: string, whenScaled: string) => {
      const persistentVolumeClaimRetentionPolicy = { whenDeleted, whenScaled };
      await world.patch(StatefulSet, 'db', { spec: { persistentVolumeClaimRetentionPolicy } });
      await world.settle();
    };
    expect(await ownersOf(world, 'data-db-0')).toBeUndefined();
    await keep('Delete', 'Retain');
    expect(await ownersOf(world, 'data-db-0')).toEqual([['StatefulSet/db', true]]);
    await keep('Delete', 'Delete');
    expect(await ownersOf(world, 'data-db-1')).toEqual([['StatefulSet/db', true]]);
    await keep('Retain', 'Delete');
    expect(await ownersOf(world, 'data-db-1')).toBeUndefined();
    await world.patch(StatefulSet, 'db', { spec: { replicas: 1 } });
    await world.clock.advance(1000);
    // The claim goes with the last Pod, once that is gone.
    expect(await ownersOf(world, 'data-db-1')).toEqual([['Pod/db-1', true]]);
    await world.settle();
    expect(await world.names(PersistentVolumeClaim)).toEqual(['data-db-0']);
  });

  it('waits for the claim that goes with a Pod before the Pod comes back', async () => {
    const world = new SmallWorld({ pods: { readyAfterSeconds: 1, stopAfterSeconds: 5 } });
    const persistentVolumeClaimRetentionPolicy = { whenDeleted: 'Retain', whenScaled: 'Delete' };
    const more = { replicas: 2, volumeClaimTemplates: [claim('data')], persistentVolumeClaimRetentionPolicy };
    await world.create(StatefulSet, workload('db', more));
    await world.settle();
    const before = await world.get(PersistentVolumeClaim, 'data-db-1');
    await world.patch(StatefulSet, 'db', { spec: { replicas: 1 } });
    await world.clock.advance(1000);
    await world.patch(StatefulSet, 'db', { spec: { replicas: 2 } });
    await world.settle();
    const after = await world.get(PersistentVolumeClaim, 'data-db-1');
    expect(after.metadata.uid).not.toBe(before.metadata.uid);
    expect(after.metadata.deletionTimestamp).toBeUndefined();
    expect(await world.names(Pod)).toEqual(['db-0', 'db-1']);
  });

  it('starts a Pod anew on a claim of its own when both were deleted', async () => {
    const world = new SmallWorld({ pods: { readyAfterSeconds: 1, stopAfterSeconds: 5 } });
    await world.create(StatefulSet, workload('db', { replicas: 1, volumeClaimTemplates: [claim('data')] }));
    await world.settle();
    const before = await world.get(PersistentVolumeClaim, 'data-db-0');
    await world.cluster.delete(PersistentVolumeClaim, { namespace: 'default', name: 'data-db-0' });
    await world.cluster.delete(Pod, { namespace: 'default', name: 'db-0' });
    await world.settle();
    const after = await world.get(PersistentVolumeClaim, 'data-db-0');
    expect(after.metadata.uid).not.toBe(before.metadata.uid);
    expect(after.metadata.deletionTimestamp).toBeUndefined();
    expect(await world.names(Pod)).toEqual(['db-0']);
  });
});

describe('a DaemonSet', () => {
  it('has a Pod on each Node that its selector and tolerations allow', async () => {
    const world = new SmallWorld({ nodes: ['a', 'b', 'c'] });
    await world.patch(Node, 'a', { metadata: { labels: { disk: 'ssd' } } });
    await world.patch(Node, 'b', {
      metadata: { labels: { disk: 'ssd' } },
      spec: { taints: [{ key: 'gpu', effect: 'NoSchedule' }] },
    });
    const spec = { ...podSpec(), nodeSelector: { disk: 'ssd' } };
    await world.create(DaemonSet, workload('agent', { template: { metadata: { labels: { app: 'agent' } }, spec } }));
    await world.settle();
    const nodes = async () =>
      ((await world.list(Pod)) as readonly (KubeObject & PodObject)[]).map((pod) => pod.spec?.nodeName).sort();
    expect(await nodes()).toEqual(['a']);
    await world.patch(Node, 'b', { spec: { taints: null } });
    await world.settle();
    expect(await nodes()).toEqual(['a', 'b']);
    await world.patch(Node, 'a', { metadata: { labels: { disk: null } } });
    await world.settle();
    expect(await nodes()).toEqual(['b']);
    expect((await world.get<DaemonSetObject>(DaemonSet, 'agent')).status).toMatchObject({
      desiredNumberScheduled: 1,
      currentNumberScheduled: 1,
      numberReady: 1,
      numberAvailable: 1,
      numberMisscheduled: 0,
      updatedNumberScheduled: 1,
    });
  });

  it.each([
    [{ maxUnavailable: 1 }, 2, 3],
    [{ maxUnavailable: 0, maxSurge: 1 }, 3, 4],
  ])('rolls by %j', async (rollingUpdate, fewest, most) => {
    const world = new SmallWorld({ nodes: ['a', 'b', 'c'] });
    const updateStrategy = { type: 'RollingUpdate', rollingUpdate };
    await world.create(DaemonSet, workload('agent', { updateStrategy }));
    await world.settle();
    const counts = { fewest: 3, most: 3 };
    const stop = world.server.store.listen(() => {
      const all = world.server.store.list('pods').filter(({ metadata }) => metadata.deletionTimestamp === undefined);
      const isReady = (pod: KubeObject & PodObject) =>
        pod.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True');
      counts.fewest = Math.min(counts.fewest, (all as (KubeObject & PodObject)[]).filter(isReady).length);
      counts.most = Math.max(counts.most, all.length);
    });
    await world.patch(DaemonSet, 'agent', imaged('registry.example/web:2'));
    await world.settle();
    stop();
    expect(counts).toEqual({ fewest, most });
    expect((await world.get<DaemonSetObject>(DaemonSet, 'agent')).status).toMatchObject({
      updatedNumberScheduled: 3,
      numberReady: 3,
    });
  });

  it('has revisions that are called like it, however long its name is', async () => {
    const world = new SmallWorld({ nodes: ['a'] });
    const name = 'x'.repeat(242);
    await world.create(DaemonSet, { ...workload('db'), metadata: { name } });
    await world.settle();
    expect(await world.names(ControllerRevision)).toEqual([
      expect.stringMatching(new RegExp(`^${name}-[a-z0-9]{1,10}$`)),
    ]);
    expect(await world.names(Pod)).toHaveLength(1);
  });

  it('has no Pod when its name leaves no room for that of a revision', async () => {
    const world = new SmallWorld({ nodes: ['a'] });
    await world.create(DaemonSet, { ...workload('db'), metadata: { name: 'x'.repeat(253) } });
    await expect(world.settle()).rejects.toThrow('a controller failed');
    expect(await world.names(Pod)).toEqual([]);
  });
});
