import { describe, expect, it } from '@jest/globals';
import {
  ControllerRevision,
  CronJob,
  type CronJobObject,
  DaemonSet,
  type DaemonSetObject,
  Job,
  type JobObject,
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
});

describe('a Job', () => {
  const job = (more: object = {}, restartPolicy = 'Never') => ({
    metadata: { name: 'once' },
    spec: { template: { spec: { ...podSpec(), restartPolicy } }, ...more },
  });
  const conditions = ({ status }: JobObject) => status?.conditions?.map(({ type, reason }) => `${type} ${reason}`);

  it('runs so many Pods at a time until so many succeeded', async () => {
    const world = new SmallWorld();
    await world.create(Job, job({ completions: 5, parallelism: 2 }));
    await world.clock.advance(0);
    expect(await world.names(Pod)).toHaveLength(2);
    await world.settle();
    const done = await world.get<JobObject>(Job, 'once');
    expect(done.status).toMatchObject({ succeeded: 5, ready: 0, terminating: 0, uncountedTerminatedPods: {} });
    expect(conditions(done)).toEqual(['SuccessCriteriaMet CompletionsReached', 'Complete CompletionsReached']);
    const pods = await world.list(Pod);
    expect(pods.flatMap(({ metadata }) => metadata.finalizers ?? [])).toEqual([]);
  });

  it.each([
    ['Never', 3],
    ['OnFailure', 1],
  ])('fails when its Pods fail too often, with the restart policy %s', async (restartPolicy, failed) => {
    const world = new SmallWorld({ pods: { readyAfterSeconds: 1, fails: () => 'Error' } });
    await world.create(Job, job({ backoffLimit: 2 }, restartPolicy));
    await world.settle();
    await world.clock.advance(120_000);
    const done = await world.get<JobObject>(Job, 'once');
    expect(conditions(done)).toEqual(['FailureTarget BackoffLimitExceeded', 'Failed BackoffLimitExceeded']);
    expect(done.status?.failed).toBe(failed);
  });

  it('gives each Pod its index', async () => {
    const world = new SmallWorld();
    await world.create(Job, job({ completions: 3, parallelism: 3, completionMode: 'Indexed' }));
    await world.settle();
    expect((await world.get<JobObject>(Job, 'once')).status).toMatchObject({ succeeded: 3, completedIndexes: '0-2' });
    const pods = (await world.list(Pod)) as readonly (KubeObject & PodObject)[];
    expect(pods.map(({ spec }) => spec?.hostname)).toEqual(['once-0', 'once-1', 'once-2']);
  });

  it('ends at its deadline, is suspended and resumed, and goes when its time is up', async () => {
    const world = new SmallWorld({ pods: { readyAfterSeconds: 1, succeedAfterSeconds: 1000 } });
    await world.create(Job, job({ activeDeadlineSeconds: 60, ttlSecondsAfterFinished: 30, suspend: true }));
    await world.settle();
    expect(conditions(await world.get(Job, 'once'))).toEqual(['Suspended JobSuspended']);
    await world.patch(Job, 'once', { spec: { suspend: false } });
    await world.clock.advance(30_000);
    expect(await world.names(Pod)).toHaveLength(1);
    await world.clock.advance(40_000);
    expect(conditions(await world.get(Job, 'once'))).toContain('Failed DeadlineExceeded');
    await world.clock.advance(40_000);
    expect(await world.names(Job)).toEqual([]);
    expect(await world.names(Pod)).toEqual([]);
  });

  it('is not run when it asks for what the embedded cluster does not do', async () => {
    const world = new SmallWorld();
    const podFailurePolicy = {
      rules: [{ action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] }],
    };
    await world.create(Job, job({ podFailurePolicy }));
    await world.settle();
    expect(await world.names(Pod)).toEqual([]);
    const [event] = world.server.store.list('events').filter(({ reason }) => reason === 'NotEmbedded');
    expect(event?.['message']).toContain('spec.podFailurePolicy is not part of the embedded API server');
  });
});

describe('a CronJob', () => {
  const cron = (more: object = {}) => ({
    metadata: { name: 'tick' },
    spec: {
      schedule: '*/5 * * * *',
      jobTemplate: { spec: { template: { spec: { ...podSpec(), restartPolicy: 'Never' } } } },
      ...more,
    },
  });

  it('runs on schedule and keeps the history that it may', async () => {
    const world = new SmallWorld();
    await world.create(CronJob, cron({ successfulJobsHistoryLimit: 2 }));
    await world.clock.advance(60 * 60_000);
    const jobs = await world.names(Job);
    const at = Date.parse('2026-01-02T04:00:00Z') / 60_000;
    expect(jobs).toEqual([`tick-${at - 5}`, `tick-${at}`]);
    const { status } = await world.get<CronJobObject>(CronJob, 'tick');
    expect(status).toMatchObject({
      lastScheduleTime: '2026-01-02T04:00:00Z',
      lastSuccessfulTime: '2026-01-02T04:00:02Z',
    });
    expect(status?.active).toBeUndefined();
  });

  it.each([
    ['Allow', 3, 3],
    ['Forbid', 1, 1],
    ['Replace', 1, 1],
  ])('with the concurrency policy %s has the Jobs that it may', async (concurrencyPolicy, running, active) => {
    const world = new SmallWorld({ pods: { readyAfterSeconds: 1, succeedAfterSeconds: 100_000 } });
    await world.create(CronJob, cron({ concurrencyPolicy }));
    await world.clock.advance(15 * 60_000);
    expect(await world.names(Job)).toHaveLength(running);
    expect((await world.get<CronJobObject>(CronJob, 'tick')).status?.active).toHaveLength(active);
  });

  it('runs nothing while it is suspended, and afterwards only what is not too late', async () => {
    const world = new SmallWorld();
    await world.create(CronJob, cron({ suspend: true, startingDeadlineSeconds: 120 }));
    await world.clock.advance(54 * 60_000);
    expect(await world.names(Job)).toEqual([]);
    await world.patch(CronJob, 'tick', { spec: { suspend: false } });
    await world.clock.advance(60_000);
    expect(await world.names(Job)).toEqual([]);
    await world.clock.advance(60_000);
    expect(await world.names(Job)).toHaveLength(1);
  });
});
