import type { Container, JobObject, JobSpec, PodTemplateSpec } from '../../../../imports/k8s.js';
import { internalJson } from '../pod-template/internal-json.js';
import type { Problems } from '../problems.js';
import type { Unchecked } from '../unchecked.js';
import { isTrue } from './job-conditions.js';
import { immutableSelector, isSame, selectorIn } from './selector-of-workload.js';

type Spec = Unchecked<JobSpec>;
type Template = Unchecked<PodTemplateSpec>;

/** What may not change of a Job that is there. */
export function jobChangeProblems(found: Problems, spec: Spec, oldJob: Unchecked<JobObject>): void {
  const old = oldJob.spec ?? {};
  completionsProblems(found, spec, old);
  immutableSelector(found, 'spec.selector', selectorIn(spec), selectorIn(old));
  templateProblems(found, spec.template ?? {}, old.template ?? {}, oldJob);
  immutable(found, 'spec.completionMode', spec.completionMode, old.completionMode);
  const shown = (value: Spec['podFailurePolicy']) => (value ? internalJson('PodFailurePolicy', value) : 'null');
  if (!isSame(spec.podFailurePolicy, old.podFailurePolicy)) {
    found.invalidShown('spec.podFailurePolicy', shown(spec.podFailurePolicy), 'field is immutable');
  }
  immutable(found, 'spec.backoffLimitPerIndex', spec.backoffLimitPerIndex, old.backoffLimitPerIndex);
  immutable(found, 'spec.managedBy', spec.managedBy, old.managedBy);
  if (!isSame(spec.successPolicy, old.successPolicy)) {
    const now = spec.successPolicy ? internalJson('SuccessPolicy', spec.successPolicy) : 'null';
    found.invalidShown('spec.successPolicy', now, 'field is immutable');
  }
}

function immutable(found: Problems, path: string, value: unknown, old: unknown): void {
  if (!isSame(value, old)) found.invalid(path, value ?? null, 'field is immutable');
}

/** Indexed Jobs may grow and shrink, if they run all of their Pods at once. */
function completionsProblems(found: Problems, spec: Spec, old: Spec): void {
  const { completions } = spec;
  if (spec.completionMode !== 'Indexed') {
    immutable(found, 'spec.completions', completions, old.completions);
    return;
  }
  if (completions === old.completions || completions === undefined || completions === spec.parallelism) return;
  found.invalid('spec.completions', completions, 'can only be modified in tandem with spec.parallelism');
}

/** While a Job is suspended, and none of its Pods runs, where they will run and what they ask for may change. */
function templateProblems(found: Problems, template: Template, old: Template, oldJob: Unchecked<JobObject>): void {
  const { suspend } = oldJob.spec ?? {};
  const { startTime, active = 0 } = oldJob.status ?? {};
  const mayMove = suspend === true && (startTime === undefined || isTrue(oldJob, 'Suspended')) && active === 0;
  const allowed = mayMove ? withSchedulingOf(old, template) : old;
  if (!mayMove) {
    if (!isSame(template, allowed)) {
      found.invalidShown('spec.template', internalJson('PodTemplateSpec', template), 'field is immutable');
    }
    return;
  }
  const spec = { ...allowed.spec };
  for (const field of ['containers', 'initContainers'] as const) {
    const containers = spec[field];
    if (containers) spec[field] = withResourcesOf(containers, template.spec?.[field] ?? []);
  }
  if (!isSame(template.spec, spec)) {
    const shown = internalJson('PodSpec', template.spec ?? {});
    found.invalidShown('spec.template.spec', shown, 'field is immutable');
  }
}

function withSchedulingOf(old: Template, { metadata = {}, spec = {} }: Template): Template {
  const merged = { ...old.spec };
  const affinity = { ...old.spec?.affinity };
  if (spec.affinity?.nodeAffinity === undefined) delete affinity.nodeAffinity;
  else affinity.nodeAffinity = spec.affinity.nodeAffinity;
  const isEmpty = Object.keys(affinity).length === 0;
  if (isEmpty && spec.affinity === undefined) delete merged.affinity;
  else merged.affinity = affinity;
  for (const field of ['nodeSelector', 'tolerations', 'schedulingGates'] as const) {
    if (spec[field] === undefined) delete merged[field];
    else Object.assign(merged, { [field]: spec[field] });
  }
  const { labels, annotations } = metadata;
  return { ...old, metadata: { ...old.metadata, labels, annotations }, spec: merged };
}

function withResourcesOf(
  old: readonly Unchecked<Container>[],
  now: readonly Unchecked<Container>[],
): Unchecked<Container>[] {
  if (old.length !== now.length) return [...old];
  return old.map((container, index) =>
    container.name === now[index]!.name ? { ...container, resources: now[index]!.resources } : container,
  );
}
