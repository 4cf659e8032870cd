import type { JobObject, JobSpec } from '../../../../imports/k8s.js';
import type { KubeObject } from '../../../kube/manifest.js';
import { dns1123Label } from '../../../schema/name-formats.js';
import type { Rules } from '../../kinds/served-kind.js';
import { type LabelSelector, matches, selectorProblems } from '../label-selector.js';
import { defaultPodTemplate } from '../pod-template/default-pod-spec.js';
import { dropClosedFields } from '../pod-template/drop-closed-fields.js';
import { selectedProblems } from '../pod-template/pod-template-problems.js';
import { podTemplateWarnings } from '../pod-template/pod-warnings.js';
import { goSelector, Problems } from '../problems.js';
import { keepSpec, statusApart } from '../status-apart.js';
import { type Unchecked, unchecked } from '../unchecked.js';
import { jobChangeProblems } from './job-change-problems.js';
import { jobSpecProblems } from './job-spec-problems.js';
import { jobStatusProblems } from './job-status-problems.js';
import { selectorIn } from './selector-of-workload.js';
import { specAndStatusApart } from './status-fields.js';
import { nameOfPodsWarnings } from './workload-warnings.js';

type Spec = Unchecked<JobSpec>;

const { prepareForCreate, prepareForUpdate } = statusApart({});
const ofName = ['job-name', 'batch.kubernetes.io/job-name'];
const controllerUid = 'batch.kubernetes.io/controller-uid';
const ofUid = ['controller-uid', controllerUid];

/** https://kubernetes.io/docs/concepts/workloads/controllers/job/ */
export const jobRules: Rules = {
  ...specAndStatusApart,
  deletionWarnings: ({ propagationPolicy }) => (propagationPolicy === undefined ? [preservesPods] : []),
  default(object) {
    const job = unchecked<JobObject>(object);
    job.spec ??= {};
    const { spec } = job;
    if (spec.completions === undefined && spec.parallelism === undefined) spec.completions = 1;
    spec.parallelism ??= 1;
    spec.backoffLimit ??= spec.backoffLimitPerIndex === undefined ? 6 : 2 ** 31 - 1;
    spec.template ??= {};
    defaultPodTemplate(spec.template);
    defaultConditionStatus(spec);
    const labels = spec.template.metadata?.labels;
    if (labels !== undefined && Object.keys(object.metadata.labels ?? {}).length === 0) {
      // The very same map, so that a Job that goes by its template also gets the labels that the server adds to it.
      object.metadata.labels = labels as Record<string, string>;
    }
    spec.completionMode ??= 'NonIndexed';
    spec.suspend ??= false;
    spec.podReplacementPolicy ??= spec.podFailurePolicy ? 'Failed' : 'TerminatingOrFailed';
    spec.manualSelector ??= false;
  },
  prepareForCreate(object, world) {
    prepareForCreate(object, world);
    const { spec } = unchecked<JobObject>(object);
    if (spec === undefined) return;
    if (!spec.manualSelector) generateSelector(object, spec);
    const labels = spec.template?.metadata?.labels as Record<string, string> | undefined;
    if (labels !== undefined && object.metadata.labels === labels) object.metadata.labels = { ...labels };
    dropClosedFields(spec.template?.spec);
  },
  completeWhenRead(object) {
    const labels = unchecked<JobObject>(object).spec?.template?.metadata?.labels;
    if (labels === undefined || Object.keys(object.metadata.labels ?? {}).length > 0) return false;
    object.metadata.labels = { ...labels } as Record<string, string>;
    return true;
  },
  prepareForUpdate(object, old, world) {
    prepareForUpdate(object, old, world);
    dropClosedFields(unchecked<JobObject>(object).spec?.template?.spec);
  },
  prepareForStatusUpdate: keepSpec,
  validate(object) {
    const found = new Problems();
    jobProblems(found, object);
    return found.all;
  },
  validateUpdate(object, old) {
    const found = new Problems();
    jobProblems(found, object);
    const { spec = {} } = unchecked<JobObject>(object);
    // The server says it twice, once for the Job that is to be and once for the change.
    specProblems(found, spec);
    jobChangeProblems(found, spec, unchecked<JobObject>(old));
    return found.all;
  },
  validateStatusUpdate(object, old) {
    const found = new Problems();
    jobStatusProblems(found, unchecked<JobObject>(object), unchecked<JobObject>(old));
    return found.all;
  },
  generation: 'spec',
  defaultPropagation: 'Orphan',
  warnings(object, old) {
    const { spec = {} } = unchecked<JobObject>(object);
    if (old === undefined) return [...nameOfPodsWarnings(object), ...jobSpecWarnings('spec', spec)];
    return object.metadata.generation === old.metadata.generation ? [] : jobSpecWarnings('spec', spec);
  },
};

/** https://kubernetes.io/docs/concepts/workloads/controllers/job/#specifying-your-own-pod-selector */
function generateSelector(
  object: { readonly metadata: { readonly name?: string; readonly uid?: string } },
  spec: Spec,
) {
  const { name = '', uid = '' } = object.metadata;
  spec.template ??= {};
  spec.template.metadata ??= {};
  spec.template.metadata.labels ??= {};
  const { labels } = spec.template.metadata;
  for (const label of ofName) labels[label] ??= name;
  for (const label of ofUid) labels[label] ??= uid;
  spec.selector ??= {};
  const matchLabels: Record<string, string | undefined> = { ...spec.selector.matchLabels };
  matchLabels[controllerUid] ??= uid;
  spec.selector.matchLabels = matchLabels;
}

/** What every template of a Job gets, also that of a CronJob. */
export function defaultConditionStatus(spec: Spec): void {
  for (const rule of spec.podFailurePolicy?.rules ?? []) {
    for (const condition of rule.onPodConditions ?? []) condition.status ||= 'True';
  }
}

export function jobSpecWarnings(path: string, spec: Spec): readonly string[] {
  const warnings: string[] = [];
  if (spec.completionMode === 'Indexed' && (spec.completions ?? 0) > 100_000 && (spec.parallelism ?? 0) > 10_000) {
    warnings.push(
      `${path}: In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might not be able to track completedIndexes when a big number of indexes fail`,
    );
  }
  return [...warnings, ...podTemplateWarnings(`${path}.template`, spec.template ?? {})];
}

function jobProblems(found: Problems, object: KubeObject): void {
  const { spec = {} } = unchecked<JobObject>(object);
  const { name = '' } = object.metadata;
  generatedProblems(found, object, spec);
  specProblems(found, spec);
  if (spec.completionMode !== 'Indexed' || !spec.completions || spec.completions < 0) return;
  const hostname = `${name}-${spec.completions - 1}`;
  if (dns1123Label(hostname).length > 0) {
    found.invalid('metadata.name', name, `will not able to create pod with invalid DNS label: ${hostname}`);
  }
}

function specProblems(found: Problems, spec: Spec): void {
  jobSpecProblems(found, 'spec', spec);
  const selector = selectorIn(spec);
  if (selector === undefined) found.required('spec.selector');
  const problems = selectorProblems(selector, 'spec.selector');
  found.add(problems);
  if (problems.length === 0) selectedProblems(found, 'spec.template', spec.template ?? {}, selector);
}

/** Labels and selector that the server makes may not be others. */
function generatedProblems(found: Problems, { metadata: { name = '', uid = '' } }: KubeObject, spec: Spec): void {
  if (spec.manualSelector || spec.selector === undefined) return;
  const expected: Record<string, string> = {};
  const labels = (spec.template?.metadata?.labels ?? {}) as Readonly<Record<string, string>>;
  // The old names come first.
  for (const [label, value] of [
    [ofUid[0]!, uid],
    [ofName[0]!, name],
    [ofUid[1]!, uid],
    [ofName[1]!, name],
  ] as const) {
    expected[label] = value;
    const at = `spec.template.metadata.labels[${label}]`;
    if (labels[label] === undefined) found.required(at, `must be '${value}'`);
    else if (labels[label] !== value) found.invalid(at, labels, `must be '${value}'`);
  }
  const selector = spec.selector as LabelSelector;
  if (selectorProblems(selector, '').length === 0 && !matches(selector, expected)) {
    found.invalidShown('spec.selector', goSelector(selector), '`selector` not auto-generated');
  }
}

const preservesPods =
  'child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning';
