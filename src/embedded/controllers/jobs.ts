import type { JobCondition, JobObject, JobStatus } from '../../../imports/k8s.js';
import type { Json, KubeObject, OwnerReference } from '../../kube/manifest.js';
import { controllerOf } from '../../kube/owner-reference.js';
import { timestamp } from '../../kube/timestamp.js';
import { equal } from '../fields/field-type.js';
import type { Revision } from '../object-store.js';
import { jobs, type Live, pods } from './built-in.js';
import { claimChildren } from './claim-children.js';
import { conditionOf } from './conditions.js';
import { addressOf, type Controller, type Desk, keyOf, type Queue } from './controller.js';
import { nonZero } from './counts.js';
import { indexesIn, indexOf, indexText } from './job-indexes.js';
import { isTracked, JobPods, tracking, untracked } from './job-pods.js';
import { parentsOf } from './parents-of.js';
import { isActive, isReady, isTerminating, type Pod } from './pod-state.js';

export type Job = Live<JobObject>;

type Verdict = Pick<JobCondition, 'type' | 'reason' | 'message'>;

const complete = {
  type: 'SuccessCriteriaMet',
  reason: 'CompletionsReached',
  message: 'Reached expected number of succeeded pods',
};
const firstBackOffSeconds = 10;
const longestBackOffSeconds = 600;

/** https://kubernetes.io/docs/concepts/workloads/controllers/job/ */
export class Jobs implements Controller {
  readonly name = 'jobs';
  readonly hears = [jobs.storage, pods.storage];
  readonly #pods: JobPods;

  constructor(private readonly desk: Desk) {
    this.#pods = new JobPods(desk);
  }

  observe(change: Revision, queue: Queue): void {
    const { type, resource, object } = change;
    if (resource !== jobs.storage) {
      for (const parent of parentsOf(this.desk, change, jobs)) queue.add(parent);
      if (isTracked(object) && this.#isOrphan(object)) queue.add(`${orphan}${keyOf(object)}`);
      return;
    }
    queue.add(keyOf(object));
    if (type !== 'DELETED') return;
    for (const owned of this.desk.index.ownedBy(object.metadata.uid)) {
      if (isTracked(owned.object)) queue.add(`${orphan}${keyOf(owned.object)}`);
    }
  }

  reconcile(key: string, queue: Queue): void {
    if (key.startsWith(orphan)) {
      const { namespace, name } = addressOf(key.slice(orphan.length));
      const pod = this.desk.index.get(pods, namespace, name);
      if (pod && this.#isOrphan(pod)) untracked(this.desk, pod);
      return;
    }
    const { namespace, name } = addressOf(key);
    const job = this.desk.index.get(jobs, namespace, name);
    if (!job) return;
    const { managedBy } = job.spec!;
    if (managedBy !== undefined && managedBy !== 'kubernetes.io/job-controller') return;
    const all = claimChildren(this.desk, job, job.spec!.selector, pods, () => true, tracking);
    if (isDone(job)) this.#clear(job, all, queue);
    else if (!this.#refuse(job)) this.#sync(job, all, queue);
  }

  /** Whether nobody is left to count a Pod, which must not be held for that. */
  #isOrphan(pod: KubeObject): boolean {
    const reference = controllerOf(pod);
    if (!reference) return true;
    return isJob(reference) && this.desk.index.byUid(reference.uid)?.storage !== jobs.storage;
  }

  /** Never a wrong answer to what it does not do. */
  #refuse(job: Job): boolean {
    const { podFailurePolicy, successPolicy, backoffLimitPerIndex } = job.spec!;
    const asked = { podFailurePolicy, successPolicy, backoffLimitPerIndex };
    const refused = Object.entries(asked).filter(([, value]) => value !== undefined);
    if (refused.length === 0) return false;
    const names = refused.map(([field]) => `spec.${field}`).join(', ');
    this.desk.events.warning(job, 'NotEmbedded', `${names} is not part of the embedded API server: the Job is not run`);
    return true;
  }

  /** Lets go of what is left of a Job that has ended, and of the Job itself when its time is up. */
  #clear(job: Job, all: readonly Pod[], queue: Queue): void {
    for (const pod of all) if (isTracked(pod)) untracked(this.desk, pod);
    const { ttlSecondsAfterFinished } = job.spec!;
    if (ttlSecondsAfterFinished === undefined || isTerminating(job)) return;
    const ended = job.status?.conditions?.find(({ type, status }) => endings.includes(type) && status === 'True');
    const left = Date.parse(ended?.lastTransitionTime ?? '') + ttlSecondsAfterFinished * 1000 - this.desk.clock.now();
    if (left > 0) queue.addAfter(keyOf(job), left);
    else this.desk.writer.delete(job, { propagationPolicy: 'Foreground' });
  }

  #sync(job: Job, all: readonly Pod[], queue: Queue): void {
    const { spec } = job;
    const now = timestamp(this.desk.clock.now());
    const suspended = spec!.suspend === true;
    const before = job.status ?? {};
    let active = all.filter(isActive);
    const tracked = all.filter(isTracked);
    const isIndexed = spec!.completionMode === 'Indexed';
    const newSucceeded = tracked.filter(({ status }) => status?.phase === 'Succeeded');
    const newFailed = tracked.filter((pod) => hasFailed(job, pod));
    const indexes = indexesIn(before.completedIndexes);
    for (const pod of newSucceeded) {
      const index = indexOf(pod);
      if (isIndexed && index !== undefined && index < (spec!.completions ?? 0)) indexes.add(index);
    }
    const succeeded = isIndexed ? indexes.size : (before.succeeded ?? 0) + newSucceeded.length;
    let failed = (before.failed ?? 0) + newFailed.length;
    let startTime = before.startTime ?? (suspended ? undefined : now);
    let conditions: readonly JobCondition[] = before.conditions ?? [];
    this.#pods.remember(job, newSucceeded.length, newFailed.length, failed);

    let verdict = verdictOf(conditions) ?? this.#failure(job, failed, all, startTime);
    let terminating = all.filter((pod) => isTerminating(pod) && !isEnded(pod)).length;
    const removed = (gone: readonly Pod[], isCounted: boolean) => {
      for (const pod of gone) this.#pods.delete(job, pod, isCounted);
      active = active.filter((pod) => !gone.includes(pod));
      terminating += gone.length;
    };
    let lateFailures: readonly Pod[] = [];
    if (verdict) {
      if (verdict.type === 'FailureTarget') lateFailures = active.filter(isTracked);
      removed(active, true);
    } else if (!isTerminating(job)) {
      const { gone, created } = this.#pods.manage(job, active, terminating, succeeded, indexes, queue);
      removed(gone, false);
      active = [...active, ...created];
      const isComplete =
        active.length === 0 && (spec!.completions === undefined ? succeeded > 0 : succeeded >= spec!.completions);
      if (isComplete) verdict = complete;
      else {
        const suspension = suspensionOf(conditions, suspended, now);
        if (suspension) {
          conditions = [...conditions.filter(({ type }) => type !== 'Suspended'), suspension];
          startTime = suspended ? undefined : now;
          this.desk.events.normal(job, suspended ? 'Suspended' : 'Resumed', suspension.message!);
        }
      }
    }
    if (verdict && !conditionOf(conditions, verdict.type)) conditions = [...conditions, { ...verdict, ...isTrue(now) }];
    // First the count is written down, then Pods may go: nothing is counted twice or never.
    const counted = [...newSucceeded, ...newFailed, ...lateFailures];
    failed += lateFailures.length;
    const ended = verdict && terminating === 0 ? endOf(verdict, now) : undefined;
    if (ended) conditions = [...conditions, ended];
    const status: JobStatus = {
      ...(conditions.length > 0 ? { conditions } : {}),
      ...(startTime === undefined ? {} : { startTime }),
      ...(ended?.type === 'Complete' ? { completionTime: now } : {}),
      ...nonZero({ active: active.length, succeeded, failed }),
      terminating,
      ...(isIndexed && indexes.size > 0 ? { completedIndexes: indexText(indexes) } : {}),
      uncountedTerminatedPods: {},
      ready: active.filter(isReady).length,
    };
    if (!equal(status as unknown as Json, before as unknown as Json))
      this.desk.writer.updateStatus(jobs, { ...job, status });
    for (const pod of counted) untracked(this.desk, pod);
    if (ended?.type === 'Complete') this.desk.events.normal(job, 'Completed', 'Job completed');
    else if (ended) this.desk.events.warning(job, ended.reason!, ended.message!);
    this.#wakeAtDeadline(job, startTime, queue);
  }

  #failure(job: Job, failed: number, all: readonly Pod[], startTime: string | undefined): Verdict | undefined {
    const { backoffLimit = 6, activeDeadlineSeconds, template, suspend } = job.spec!;
    const restarts = template.spec?.restartPolicy === 'OnFailure' ? restartsIn(all) : 0;
    if (failed > backoffLimit || (restarts > 0 && restarts >= backoffLimit)) {
      return failure('BackoffLimitExceeded', 'Job has reached the specified backoff limit');
    }
    if (activeDeadlineSeconds === undefined || startTime === undefined || suspend) return undefined;
    const isPast = this.desk.clock.now() >= Date.parse(startTime) + activeDeadlineSeconds * 1000;
    return isPast ? failure('DeadlineExceeded', 'Job was active longer than specified deadline') : undefined;
  }

  #wakeAtDeadline(job: Job, startTime: string | undefined, queue: Queue): void {
    const { activeDeadlineSeconds } = job.spec!;
    if (activeDeadlineSeconds === undefined || startTime === undefined) return;
    const left = Date.parse(startTime) + activeDeadlineSeconds * 1000 - this.desk.clock.now();
    if (left > 0) queue.addAfter(keyOf(job), left);
  }
}

const endings = ['Complete', 'Failed'];
/** What stands before the key of a Pod whose Job is gone. */
const orphan = 'orphan ';

function isJob({ apiVersion, kind }: OwnerReference): boolean {
  return apiVersion === jobs.apiVersion && kind === jobs.kind;
}

export function isDone({ status }: Job): boolean {
  return status?.conditions?.some((each) => endings.includes(each.type) && each.status === 'True') ?? false;
}

/** How long to wait before a Pod comes in place of the latest of so many failed ones. */
export function backOffMilliseconds(failures: number): number {
  return Math.min(firstBackOffSeconds * 2 ** (failures - 1), longestBackOffSeconds) * 1000;
}

function failure(reason: string, message: string): Verdict {
  return { type: 'FailureTarget', reason, message };
}

/** What was decided before, and only waits for the last Pods to go. */
function verdictOf(conditions: readonly JobCondition[]): Verdict | undefined {
  const found = conditions.find(({ type }) => type === 'SuccessCriteriaMet' || type === 'FailureTarget');
  return found && { type: found.type, reason: found.reason, message: found.message };
}

function endOf({ type, reason, message }: Verdict, now: string): JobCondition {
  return { type: type === 'FailureTarget' ? 'Failed' : 'Complete', reason, message, ...isTrue(now) };
}

function isTrue(now: string) {
  return { status: 'True', lastProbeTime: now, lastTransitionTime: now };
}

function suspensionOf(conditions: readonly JobCondition[], suspended: boolean, now: string): JobCondition | undefined {
  const known = conditionOf(conditions, 'Suspended');
  const status = suspended ? 'True' : 'False';
  if (known ? known.status === status : !suspended) return undefined;
  const [reason, message] = suspended ? ['JobSuspended', 'Job suspended'] : ['JobResumed', 'Job resumed'];
  return { type: 'Suspended', status, lastProbeTime: now, lastTransitionTime: now, reason, message };
}

/** A Pod that is being deleted counts as failed, unless only those that really failed are replaced. */
function hasFailed({ spec }: Job, pod: Pod): boolean {
  if (pod.status?.phase === 'Failed') return true;
  return spec!.podReplacementPolicy !== 'Failed' && isTerminating(pod) && pod.status?.phase !== 'Succeeded';
}

function isEnded({ status }: Pod): boolean {
  return status?.phase === 'Succeeded' || status?.phase === 'Failed';
}

function restartsIn(all: readonly Pod[]): number {
  const running = all.filter(({ status }) => status?.phase === 'Running' || status?.phase === 'Pending');
  const statuses = running.flatMap(({ status }) => [
    ...(status?.containerStatuses ?? []),
    ...(status?.initContainerStatuses ?? []),
  ]);
  return statuses.reduce((sum, { restartCount }) => sum + restartCount, 0);
}
