import type { PodTemplateSpec } from '../../../../imports/k8s.js';
import { goJson } from '../../../schema/go-format.js';
import { labelProblems } from '../../../schema/object-meta.js';
import { isSaidEmpty } from '../../said-more.js';
import { type LabelSelector, matches } from '../label-selector.js';
import type { Problems } from '../problems.js';
import type { Unchecked } from '../unchecked.js';
import { annotationProblems } from './annotation-problems.js';
import { annotationsMatchFields, podAnnotationProblems } from './pod-annotation-problems.js';
import { podSpecProblems } from './pod-spec-problems.js';

/** What is wrong with a template of Pods, wherever it stands. */
export function podTemplateProblems(found: Problems, path: string, template: Unchecked<PodTemplateSpec>): void {
  const { metadata = {}, spec = {} } = template;
  found.add(labelProblems(metadata.labels as Record<string, string> | undefined, `${path}.labels`));
  annotationProblems(found, `${path}.annotations`, metadata.annotations);
  podAnnotationProblems(found, `${path}.annotations`, metadata.annotations, spec);
  podSpecProblems(found, `${path}.spec`, spec, { isPod: false });
  annotationsMatchFields(found, `${path}.spec`, metadata.annotations, spec);
  if (spec.ephemeralContainers && spec.ephemeralContainers.length > 0) {
    found.forbidden(`${path}.spec.ephemeralContainers`, 'ephemeral containers not allowed in pod template');
  }
}

/** Pods that no one selects would be made for ever. */
export function selectedProblems(
  found: Problems,
  path: string,
  template: Unchecked<PodTemplateSpec>,
  selector: LabelSelector | undefined,
): void {
  const labels = template.metadata?.labels as Record<string, string> | undefined;
  if (matches(selector, labels)) return;
  const shown = shownLabels(template.metadata);
  found.invalidShown(`${path}.metadata.labels`, shown, '`selector` does not match template `labels`');
}

export function shownLabels(metadata: Unchecked<PodTemplateSpec>['metadata']): string {
  if (metadata?.labels !== undefined) return goJson(metadata.labels);
  return isSaidEmpty(metadata, 'labels') ? '{}' : 'null';
}

/** Workloads that run for ever start their containers again whatever happens, and have no deadline. */
export function runsForEver(
  found: Problems,
  path: string,
  { spec = {} }: Unchecked<PodTemplateSpec>,
  kind: string,
): void {
  if (spec.restartPolicy !== 'Always')
    found.notSupported(`${path}.spec.restartPolicy`, spec.restartPolicy ?? '', ['Always']);
  if (spec.activeDeadlineSeconds !== undefined) {
    found.forbidden(`${path}.spec.activeDeadlineSeconds`, `activeDeadlineSeconds in ${kind} is not Supported`);
  }
}
