import type { JobObject } from '../../../../imports/k8s.js';
import { goJson } from '../../../schema/go-format.js';
import type { Problems } from '../problems.js';
import type { Unchecked } from '../unchecked.js';
import { has, isFinished, isTrue } from './job-conditions.js';
import { countIndexes, firstInBoth } from './job-indexes.js';
import { isSame } from './selector-of-workload.js';
import { nonNegativeCounts } from './status-fields.js';

type Job = Unchecked<JobObject>;

/**
 * What is wrong with the status that a controller of Jobs writes. What was wrong before, and has not changed, stays.
 *
 * https://kubernetes.io/docs/concepts/workloads/controllers/job/#job-termination-and-cleanup
 */
export function jobStatusProblems(found: Problems, job: Job, old: Job): void {
  const { status = {} } = job;
  nonNegativeCounts(found, status, 'active', 'succeeded', 'failed', 'ready', 'terminating');
  uncountedProblems(found, job);
  conditionProblems(found, job, old);
  finishedProblems(found, job, old);
  indexProblems(found, job, old);
  laterProblems(found, job, old);
  transitionProblems(found, job, old);
}

function uncountedProblems(found: Problems, { status }: Job): void {
  const seen = new Set<string>();
  for (const field of ['succeeded', 'failed'] as const) {
    status?.uncountedTerminatedPods?.[field]?.forEach((uid, index) => {
      const at = `status.uncountedTerminatedPods.${field}[${index}]`;
      if (uid === '') found.invalid(at, uid, 'must not be empty');
      else if (seen.has(uid)) found.duplicate(at, uid);
      seen.add(uid);
    });
  }
}

function changed(job: Job, old: Job, field: keyof NonNullable<Job['status']>): boolean {
  return !isSame(job.status?.[field], old.status?.[field]);
}

function conditionProblems(found: Problems, job: Job, old: Job): void {
  const is = (type: string) => isTrue(job, type);
  const turned = (type: string) => isTrue(job, type) !== isTrue(old, type);
  const refuse = (detail: string) => found.invalidWithoutValue('status.conditions', detail);
  const { startTime, completionTime } = job.status ?? {};
  const timesChanged = changed(job, old, 'startTime') || changed(job, old, 'completionTime');
  if ((turned('Complete') || turned('Failed')) && is('Complete') && is('Failed')) {
    refuse('cannot set Complete=True and Failed=true conditions');
  }
  if ((turned('Complete') || turned('FailureTarget')) && is('Complete') && is('FailureTarget')) {
    refuse('cannot set Complete=True and FailureTarget=true conditions');
  }
  if (turned('Complete') || changed(job, old, 'completionTime')) {
    const at = 'status.completionTime';
    if (completionTime !== undefined && !is('Complete')) {
      found.invalid(at, completionTime, 'cannot set completionTime when there is no Complete=True condition');
    }
    if (completionTime === undefined && is('Complete')) {
      found.required(at, 'completionTime is required for Complete jobs');
    }
  }
  if (timesChanged && startTime && completionTime && Date.parse(completionTime) < Date.parse(startTime)) {
    found.invalid('status.completionTime', completionTime, 'must be equal to or after `startTime`');
  }
  if ((turned('Failed') || changed(job, old, 'failedIndexes')) && is('Failed') && !is('FailureTarget')) {
    refuse('cannot set Failed=True condition without the FailureTarget=true condition');
  }
  if ((turned('Complete') || turned('SuccessCriteriaMet')) && is('Complete') && !is('SuccessCriteriaMet')) {
    refuse('cannot set Complete=True condition without the SuccessCriteriaMet=true condition');
  }
}

function finishedProblems(found: Problems, job: Job, old: Job): void {
  if (!isFinished(job)) return;
  const { active = 0, startTime, uncountedTerminatedPods: uncounted } = job.status ?? {};
  const turned = !isFinished(old);
  if ((turned || changed(job, old, 'active')) && active > 0) {
    found.invalid('status.active', active, 'active>0 is invalid for finished job');
  }
  const isEmpty = job.spec?.suspend === true && job.spec.completions === 0;
  if ((turned || changed(job, old, 'startTime')) && !isEmpty && startTime === undefined) {
    found.required('status.startTime', 'startTime is required for finished job');
  }
  const count = (uncounted?.failed?.length ?? 0) + (uncounted?.succeeded?.length ?? 0);
  if ((turned || changed(job, old, 'uncountedTerminatedPods')) && count > 0) {
    const shown = { Succeeded: uncounted?.succeeded ?? null, Failed: uncounted?.failed ?? null };
    const text = `{"Succeeded":${goJson(shown.Succeeded)},"Failed":${goJson(shown.Failed)}}`;
    found.invalidShown('status.uncountedTerminatedPods', text, 'must be empty for finished job');
  }
}

function indexProblems(found: Problems, job: Job, old: Job): void {
  const { completions, backoffLimitPerIndex, completionMode } = job.spec ?? {};
  const { completedIndexes: completed = '', failedIndexes: failed } = job.status ?? {};
  const completedChanged = changed(job, old, 'completedIndexes');
  const failedChanged = changed(job, old, 'failedIndexes');
  if (completedChanged && completions !== undefined) {
    const fault = countIndexes(completed, completions);
    if (typeof fault === 'string') {
      found.invalid('status.completedIndexes', completed, `error parsing completedIndexes: ${fault}`);
    }
  }
  const at = 'status.failedIndexes';
  if (failedChanged && completions !== undefined && backoffLimitPerIndex !== undefined && failed !== undefined) {
    const fault = countIndexes(failed, completions);
    if (typeof fault === 'string') found.invalid(at, failed, `error parsing failedIndexes: ${fault}`);
  }
  if (completedChanged && completed !== '' && completionMode !== 'Indexed') {
    const detail = 'cannot set non-empty completedIndexes when non-indexed completion mode';
    found.invalid('status.completedIndexes', completed, detail);
  }
  if (failedChanged && backoffLimitPerIndex === undefined && failed !== undefined) {
    found.invalid(at, failed, 'cannot set non-null failedIndexes when backoffLimitPerIndex is null');
  }
  if ((failedChanged || completedChanged) && completions !== undefined && failed !== undefined) {
    const both = firstInBoth(completed, failed, completions);
    if (both !== undefined) {
      found.invalid(at, failed, `failedIndexes and completedIndexes overlap at index: ${both}`);
    }
  }
}

function laterProblems(found: Problems, job: Job, old: Job): void {
  const { terminating, ready, active = 0 } = job.status ?? {};
  const turned = isFinished(job) !== isFinished(old);
  if ((turned || changed(job, old, 'terminating')) && terminating !== undefined && terminating > 0 && isFinished(job)) {
    found.invalid('status.terminating', terminating, 'terminating>0 is invalid for finished job');
  }
  if ((changed(job, old, 'ready') || changed(job, old, 'active')) && ready !== undefined && ready > active) {
    found.invalid('status.ready', ready, 'cannot set more ready pods than active');
  }
  const refuse = (detail: string) => found.invalidWithoutValue('status.conditions', detail);
  if (isTrue(job, 'SuccessCriteriaMet')) {
    if (isTrue(job, 'Failed')) refuse('cannot set SuccessCriteriaMet=True and Failed=true conditions');
    if (isTrue(job, 'FailureTarget')) refuse('cannot set SuccessCriteriaMet=True and FailureTarget=true conditions');
  } else if (job.spec?.successPolicy && isTrue(job, 'Complete')) {
    refuse('cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True');
  }
}

function transitionProblems(found: Problems, job: Job, old: Job): void {
  const refuse = (detail: string) => found.invalidWithoutValue('status.conditions', detail);
  for (const type of ['Failed', 'Complete', 'FailureTarget']) {
    if (isTrue(old, type) && !isTrue(job, type)) refuse(`cannot disable the terminal ${type}=True condition`);
  }
  const now = job.status ?? {};
  const before = old.status ?? {};
  if ((now.failed ?? 0) < (before.failed ?? 0)) {
    found.invalid('status.failed', now.failed ?? 0, 'cannot decrease the failed counter');
  }
  const { completionMode, completions, parallelism, suspend = false } = job.spec ?? {};
  const mayShrink = completionMode === 'Indexed' && completions === parallelism;
  if (!mayShrink && (now.succeeded ?? 0) < (before.succeeded ?? 0)) {
    found.invalid('status.succeeded', now.succeeded ?? 0, 'cannot decrease the succeeded counter');
  }
  if (now.completionTime && before.completionTime && now.completionTime !== before.completionTime) {
    found.invalid('status.completionTime', now.completionTime, 'field is immutable');
  }
  const isResuming = has(old, 'Suspended', 'True') && has(job, 'Suspended', 'False');
  if (before.startTime && now.startTime !== before.startTime && !isResuming && !suspend) {
    const detail = 'field is immutable for unsuspended job once set';
    found.invalid('status.startTime', now.startTime ?? null, detail);
  }
  const isMet = isTrue(job, 'SuccessCriteriaMet');
  if (isTrue(old, 'SuccessCriteriaMet') && !isMet) refuse('cannot disable the SuccessCriteriaMet=True condition');
  if (isTrue(old, 'Complete') && !isTrue(old, 'SuccessCriteriaMet') && isMet) {
    refuse('cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions');
  }
}
