import type { CronJobObject, CronJobSpec } from '../../../../imports/k8s.js';
import type { Rules } from '../../kinds/served-kind.js';
import type { LabelSelector } from '../label-selector.js';
import { defaultPodTemplate } from '../pod-template/default-pod-spec.js';
import { dropClosedFields } from '../pod-template/drop-closed-fields.js';
import { goSelector, Problems } from '../problems.js';
import { keepSpec, statusApart } from '../status-apart.js';
import { type Unchecked, unchecked } from '../unchecked.js';
import { cronScheduleFault, timeZoneFault } from './cron-schedule-fault.js';
import { defaultConditionStatus, jobSpecWarnings } from './job-rules.js';
import { jobSpecProblems } from './job-spec-problems.js';
import { specAndStatusApart } from './status-fields.js';
import { nameOfPodsWarnings } from './workload-warnings.js';

type Spec = Unchecked<CronJobSpec>;

const { prepareForCreate, prepareForUpdate } = statusApart({});
const policies = ['Allow', 'Forbid', 'Replace'];

/** https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ */
export const cronJobRules: Rules = {
  ...specAndStatusApart,
  default(object) {
    const job = unchecked<CronJobObject>(object);
    job.spec ??= {};
    const { spec } = job;
    spec.concurrencyPolicy ||= 'Allow';
    spec.suspend ??= false;
    spec.successfulJobsHistoryLimit ??= 3;
    spec.failedJobsHistoryLimit ??= 1;
    spec.jobTemplate ??= {};
    spec.jobTemplate.metadata ??= {};
    spec.jobTemplate.spec ??= {};
    spec.jobTemplate.spec.template ??= {};
    defaultPodTemplate(spec.jobTemplate.spec.template);
    defaultConditionStatus(spec.jobTemplate.spec);
  },
  prepareForCreate(object, world) {
    prepareForCreate(object, world);
    dropClosedFields(unchecked<CronJobObject>(object).spec?.jobTemplate?.spec?.template?.spec);
  },
  prepareForUpdate(object, old, world) {
    prepareForUpdate(object, old, world);
    dropClosedFields(unchecked<CronJobObject>(object).spec?.jobTemplate?.spec?.template?.spec);
  },
  prepareForStatusUpdate: keepSpec,
  validate(object) {
    const found = new Problems();
    specProblems(found, unchecked<CronJobObject>(object).spec ?? {}, undefined);
    // Names of Jobs have eleven characters more.
    const { name = '' } = object.metadata;
    if (name.length > 52) found.invalid('metadata.name', name, 'must be no more than 52 characters');
    return found.all;
  },
  validateUpdate(object, old) {
    const found = new Problems();
    specProblems(found, unchecked<CronJobObject>(object).spec ?? {}, unchecked<CronJobObject>(old).spec);
    return found.all;
  },
  generation: 'spec',
  warnings(object, old) {
    const { spec = {} } = unchecked<CronJobObject>(object);
    const job = () => jobSpecWarnings('spec.jobTemplate.spec', spec.jobTemplate?.spec ?? {});
    if (old === undefined) return [...nameOfPodsWarnings(object), ...job()];
    const warnings = object.metadata.generation === old.metadata.generation ? [] : [...job()];
    if (spec.schedule?.includes('TZ')) {
      warnings.push(
        'cannot use TZ or CRON_TZ in spec.spec.schedule, use timeZone instead, see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details',
      );
    }
    return warnings;
  },
};

function specProblems(found: Problems, spec: Spec, old: Spec | undefined): void {
  const { schedule = '', timeZone, concurrencyPolicy = '' } = spec;
  if (schedule === '') found.required('spec.schedule');
  else scheduleProblems(found, 'spec.schedule', schedule, timeZone, old?.schedule?.includes('TZ') ?? false);
  found.nonNegative('spec.startingDeadlineSeconds', spec.startingDeadlineSeconds);
  if (timeZone !== undefined && (old === undefined || old.timeZone !== timeZone)) {
    timeZoneProblems(found, 'spec.timeZone', timeZone);
  }
  if (concurrencyPolicy === '') found.required('spec.concurrencyPolicy');
  else if (!policies.includes(concurrencyPolicy)) {
    found.notSupported('spec.concurrencyPolicy', concurrencyPolicy, policies);
  }
  const job = spec.jobTemplate?.spec ?? {};
  jobSpecProblems(found, 'spec.jobTemplate.spec', job);
  if (job.selector !== undefined) {
    const shown = goSelector(job.selector as LabelSelector);
    found.invalidShown('spec.jobTemplate.spec.selector', shown, '`selector` will be auto-generated');
  }
  if (job.manualSelector === true) {
    found.notSupported('spec.jobTemplate.spec.manualSelector', true, ['nil', 'false']);
  }
  found.nonNegative('spec.successfulJobsHistoryLimit', spec.successfulJobsHistoryLimit);
  found.nonNegative('spec.failedJobsHistoryLimit', spec.failedJobsHistoryLimit);
}

function scheduleProblems(
  found: Problems,
  path: string,
  schedule: string,
  timeZone: string | undefined,
  allowsZone: boolean,
): void {
  const fault = cronScheduleFault(schedule);
  if (fault !== undefined) found.invalid(path, schedule, fault);
  if (!schedule.includes('TZ')) return;
  if (!allowsZone) {
    found.invalid(path, schedule, 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead');
  } else if (timeZone !== undefined) {
    found.invalid(path, schedule, 'cannot use both timeZone field and TZ or CRON_TZ in schedule');
  }
}

function timeZoneProblems(found: Problems, path: string, zone: string): void {
  if (zone === '') {
    found.invalid(path, zone, 'timeZone must be nil or non-empty string');
    return;
  }
  const isOdd = zone
    .split('/')
    .some((part) => part === '.' || part === '..' || part.startsWith('-') || !/^[A-Za-z.\-_0-9+]{1,14}$/.test(part));
  if (isOdd) {
    found.invalid(path, zone, `unknown time zone ${zone}`);
    return;
  }
  if (zone.toLowerCase() === 'local') {
    const detail = 'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones';
    found.invalid(path, zone, detail);
  }
  const fault = timeZoneFault(zone);
  if (fault !== undefined) found.invalid(path, zone, fault);
}
