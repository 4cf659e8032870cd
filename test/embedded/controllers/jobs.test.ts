import { describe, expect, it } from '@jest/globals';
import { CronJob, type CronJobObject, Job, type JobObject, Pod, type PodObject } from '../../../imports/k8s.js';
import type { KubeObject } from '../../../src/kube/manifest.js';
import { podSpec, SmallWorld } from './small-world.js';

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

  it('lets go of the Pods whose indexes it has no longer', async () => {
    const world = new SmallWorld({ pods: { readyAfterSeconds: 1, succeedAfterSeconds: 1000 } });
    await world.create(Job, job({ completions: 4, parallelism: 4, completionMode: 'Indexed' }));
    await world.clock.advance(3000);
    const body = { spec: { completions: 2, parallelism: 2 } };
    await world.cluster.patch(
      Job,
      { namespace: 'default', name: 'once' },
      { type: 'merge', body },
      { fieldManager: 'tester' },
    );
    await world.clock.advance(60_000);
    const pods = (await world.list(Pod)) as readonly (KubeObject & PodObject)[];
    expect(pods.map(({ spec }) => spec?.hostname)).toEqual(['once-0', 'once-1']);
  });

  it.each([
    ['Background', []],
    ['Foreground', []],
    ['Orphan', [[undefined, undefined]]],
  ] as const)('holds no Pod when it is deleted as it runs, by the policy %s', async (propagationPolicy, left) => {
    const world = new SmallWorld({ pods: { readyAfterSeconds: 1, succeedAfterSeconds: 1000 } });
    await world.create(Job, job());
    await world.clock.advance(3000);
    await world.cluster.delete(Job, { namespace: 'default', name: 'once' }, { propagationPolicy });
    await world.settle();
    const pods = await world.list(Pod);
    expect(pods.map(({ metadata }) => [metadata.finalizers, metadata.ownerReferences])).toEqual(left);
  });

  it('is complete though it is suspended when nothing is left to do', async () => {
    const world = new SmallWorld();
    await world.create(Job, job({ completions: 0, suspend: true }));
    await world.settle();
    const done = await world.get<JobObject>(Job, 'once');
    expect(conditions(done)).toEqual(['SuccessCriteriaMet CompletionsReached', 'Complete CompletionsReached']);
  });

  it('counts a Pod that it adopts, and holds none that it lets go', async () => {
    const world = new SmallWorld({ pods: { readyAfterSeconds: 1, succeedAfterSeconds: 10 } });
    const spec = { ...podSpec(), restartPolicy: 'Never' };
    for (const name of ['one', 'two']) await world.create(Pod, { metadata: { name, labels: { app: 'once' } }, spec });
    const template = { metadata: { labels: { app: 'once' } }, spec };
    const selector = { matchLabels: { app: 'once' } };
    const wanted = { completions: 2, parallelism: 2, manualSelector: true, selector, template };
    await world.create(Job, { metadata: { name: 'once' }, spec: wanted });
    await world.clock.advance(0);
    await world.patch(Pod, 'two', { metadata: { labels: { app: 'other' } } });
    await world.settle();
    expect((await world.get<JobObject>(Job, 'once')).status).toMatchObject({ succeeded: 2 });
    const pods = await world.list(Pod);
    expect(pods.map(({ metadata }) => metadata.name)).toEqual([expect.stringMatching(/^once-/), 'one', 'two']);
    expect(pods.flatMap(({ metadata }) => metadata.finalizers ?? [])).toEqual([]);
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
