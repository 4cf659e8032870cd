import type { CronJobObject, CronJobStatus } from '../../../imports/k8s.js';
import type { Json } from '../../kube/manifest.js';
import { controllerReferenceTo, isControlledBy } from '../../kube/owner-reference.js';
import { timestamp } from '../../kube/timestamp.js';
import { equal } from '../fields/field-type.js';
import type { Revision } from '../object-store.js';
import { StatusError } from '../status-error.js';
import { cronJobs, jobs, type Live } from './built-in.js';
import { addressOf, type Controller, type Desk, keyOf, type Queue } from './controller.js';
import { parseSchedule, type Schedule } from './cron-schedule.js';
import { isDone, type Job } from './jobs.js';
import { parentsOf } from './parents-of.js';
import { isTerminating } from './pod-state.js';

type CronJob = Live<CronJobObject>;
type Active = NonNullable<CronJobStatus['active']>;

const scheduledAt = 'batch.kubernetes.io/cronjob-scheduled-timestamp';
/** Beyond so many the real controller warns of a clock that jumped. */
const manyMissed = 100;

/** https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ */
export class CronJobs implements Controller {
  readonly name = 'cron-jobs';
  readonly hears = [cronJobs.storage, jobs.storage];

  constructor(private readonly desk: Desk) {}

  observe(change: Revision, queue: Queue): void {
    if (change.resource === cronJobs.storage) queue.add(keyOf(change.object));
    else for (const parent of parentsOf(this.desk, change, { ...cronJobs, shape: {} })) queue.add(parent);
  }

  reconcile(key: string, queue: Queue): void {
    const { namespace, name } = addressOf(key);
    const cronJob = this.desk.index.get(cronJobs, namespace, name);
    if (!cronJob) return;
    const all = this.desk.index.controlledBy(cronJob, jobs);
    let status = this.#observed(cronJob, all);
    const schedule = this.#scheduleOf(cronJob);
    if (schedule) {
      status = this.#start(cronJob, schedule, status);
      const next = schedule.next(Math.max(this.desk.clock.now(), startOf(cronJob)));
      if (next !== undefined) queue.addAfter(key, next - this.desk.clock.now());
    }
    status = this.#forget(cronJob, all, status);
    const { active = [], ...rest } = status;
    const written = { ...rest, ...(active.length > 0 ? { active } : {}) };
    if (equal(written as unknown as Json, (cronJob.status ?? {}) as unknown as Json)) return;
    this.desk.writer.updateStatus(cronJobs, { ...cronJob, status: written });
  }

  /** What became of the Jobs that were running. */
  #observed(cronJob: CronJob, all: readonly Job[]): CronJobStatus {
    const { active = [], ...status } = cronJob.status ?? {};
    let { lastSuccessfulTime } = status;
    for (const job of all) {
      const isKnown = active.some(({ uid }) => uid === job.metadata.uid);
      if (!isDone(job)) {
        if (isKnown) continue;
        const message = `Saw a job that the controller did not create or forgot: ${job.metadata.name}`;
        this.desk.events.warning(cronJob, 'UnexpectedJob', message);
        continue;
      }
      const end = endOf(job);
      if (isKnown) {
        const message = `Saw completed job: ${job.metadata.name}, condition: ${end}`;
        this.desk.events.normal(cronJob, 'SawCompletedJob', message);
      }
      const { completionTime } = job.status ?? {};
      if (end === 'Complete' && completionTime !== undefined && completionTime > (lastSuccessfulTime ?? '')) {
        lastSuccessfulTime = completionTime;
      }
    }
    const running = active.filter(({ uid, name }) => {
      const job = all.find(({ metadata }) => metadata.uid === uid);
      if (!job) this.desk.events.normal(cronJob, 'MissingJob', `Active job went missing: ${name}`);
      return job && !isDone(job);
    });
    return { ...status, active: running, ...(lastSuccessfulTime === undefined ? {} : { lastSuccessfulTime }) };
  }

  #scheduleOf(cronJob: CronJob): Schedule | undefined {
    const { suspend, schedule, timeZone } = cronJob.spec!;
    if (isTerminating(cronJob) || suspend) return undefined;
    const parsed = parseSchedule(schedule, timeZone);
    if (!parsed) {
      const message = `unparseable schedule: ${JSON.stringify(schedule)} : not a schedule`;
      this.desk.events.warning(cronJob, 'UnparseableSchedule', message);
    }
    return parsed;
  }

  #start(cronJob: CronJob, schedule: Schedule, status: CronJobStatus): CronJobStatus {
    const due = this.#due(cronJob, schedule);
    if (due === undefined) return status;
    const { startingDeadlineSeconds, concurrencyPolicy } = cronJob.spec!;
    if (startingDeadlineSeconds !== undefined && due + startingDeadlineSeconds * 1000 < this.desk.clock.now()) {
      const message = `Missed scheduled time to start a job: ${new Date(due).toUTCString().replace('GMT', 'UTC')}`;
      this.desk.events.warning(cronJob, 'MissSchedule', message);
      return status;
    }
    let active: Active = status.active ?? [];
    const name = `${cronJob.metadata.name}-${Math.floor(due / 60_000)}`;
    if (active.some((each) => each.name === name) || status.lastScheduleTime === timestamp(due)) return status;
    if (concurrencyPolicy === 'Forbid' && active.length > 0) {
      const message = 'Not starting job because prior execution is running and concurrency policy is Forbid';
      this.desk.events.normal(cronJob, 'JobAlreadyActive', message);
      return status;
    }
    if (concurrencyPolicy === 'Replace') {
      for (const { uid } of active) {
        const job = this.desk.index.byUid(uid ?? '')?.object;
        if (job) this.#delete(cronJob, job);
      }
      active = [];
    }
    const job = this.#create(cronJob, name, due);
    if (!job) return { ...status, active };
    const { apiVersion, kind, metadata } = job;
    const reference = {
      kind,
      namespace: metadata.namespace!,
      name: metadata.name,
      uid: metadata.uid,
      apiVersion,
      resourceVersion: metadata.resourceVersion,
    };
    return { ...status, active: [...active, reference], lastScheduleTime: timestamp(due) };
  }

  /** The latest moment that has come and was not served yet. */
  #due(cronJob: CronJob, schedule: Schedule): number | undefined {
    const now = this.desk.clock.now();
    const { startingDeadlineSeconds } = cronJob.spec!;
    const deadline = startingDeadlineSeconds === undefined ? 0 : now - startingDeadlineSeconds * 1000;
    const earliest = Math.max(startOf(cronJob), deadline);
    const first = schedule.next(earliest);
    if (first === undefined || first > now) return undefined;
    const second = schedule.next(first);
    if (second === undefined || second > now) return first;
    // Long pauses are leapt over, as the schedule may have been due very often.
    const period = second - first;
    const missed = Math.floor((now - first) / period) + 1;
    if (missed > manyMissed) {
      const message = 'too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew';
      this.desk.events.warning(cronJob, 'TooManyMissedTimes', message);
    }
    let latest: number | undefined;
    let next = schedule.next(first + (missed - 2) * period);
    while (next !== undefined && next <= now) {
      latest = next;
      next = schedule.next(next);
    }
    return latest;
  }

  #create(cronJob: CronJob, name: string, due: number): Job | undefined {
    const { metadata = {}, spec } = cronJob.spec!.jobTemplate;
    const { namespace } = cronJob.metadata;
    try {
      const job = this.desk.writer.create(jobs, namespace, {
        metadata: {
          name,
          ...(metadata.labels === undefined ? {} : { labels: metadata.labels }),
          annotations: { ...metadata.annotations, [scheduledAt]: timestamp(due) },
          ownerReferences: [controllerReferenceTo(cronJob)],
        },
        spec,
      });
      this.desk.events.normal(cronJob, 'SuccessfulCreate', `Created job ${name}`);
      return job;
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      const there = this.desk.index.get(jobs, namespace, name);
      if (there) return isControlledBy(cronJob.metadata, there) ? there : undefined;
      this.desk.events.warning(cronJob, 'FailedCreate', `Error creating job: ${error.message}`);
      throw error;
    }
  }

  /** Deletes the oldest of those that ended, beyond what the history may hold. */
  #forget(cronJob: CronJob, all: readonly Job[], status: CronJobStatus): CronJobStatus {
    const { successfulJobsHistoryLimit = 3, failedJobsHistoryLimit = 1 } = cronJob.spec!;
    for (const [end, limit] of [
      ['Complete', successfulJobsHistoryLimit],
      ['Failed', failedJobsHistoryLimit],
    ] as const) {
      const ended = all.filter((job) => !isTerminating(job) && endOf(job) === end).sort(byStart);
      for (const job of ended.slice(0, Math.max(0, ended.length - limit))) this.#delete(cronJob, job);
    }
    return status;
  }

  #delete(cronJob: CronJob, job: Parameters<Desk['writer']['delete']>[0]): void {
    this.desk.writer.delete(job, { propagationPolicy: 'Background' });
    this.desk.events.normal(cronJob, 'SuccessfulDelete', `Deleted job ${job.metadata.name}`);
  }
}

/** From when on it can be due. */
function startOf({ metadata, status }: CronJob): number {
  return Date.parse(status?.lastScheduleTime ?? metadata.creationTimestamp ?? '') || 0;
}

function endOf({ status }: Job): string | undefined {
  return status?.conditions?.find((each) => each.status === 'True' && ['Complete', 'Failed'].includes(each.type))?.type;
}

function byStart(a: Job, b: Job): number {
  const [first = '9', second = '9'] = [a.status?.startTime, b.status?.startTime];
  return first === second ? (a.metadata.name < b.metadata.name ? -1 : 1) : first < second ? -1 : 1;
}
