import type { PodTemplateSpec } from '../../../../imports/k8s.js';
import type { Json } from '../../../kube/manifest.js';
import { equal } from '../../fields/field-type.js';
import { isEmptySelector, type LabelSelector, selectorProblems } from '../label-selector.js';
import { podTemplateProblems, runsForEver, selectedProblems } from '../pod-template/pod-template-problems.js';
import { goSelector, type Problems } from '../problems.js';
import type { Unchecked } from '../unchecked.js';

/** The selector of a workload, which must be there and select something in particular. */
export function requiredSelector(
  found: Problems,
  path: string,
  selector: LabelSelector | undefined,
  kind: string,
): void {
  if (selector === undefined) {
    found.required(path);
    return;
  }
  found.add(selectorProblems(selector, path));
  if (isEmptySelector(selector)) {
    found.invalidShown(path, goSelector(selector), `empty selector is invalid for ${kind}`);
  }
}

/** The template of a ReplicaSet, and of a Deployment, whose ReplicaSets have it. */
export function templateOfReplicas(
  found: Problems,
  path: string,
  template: Unchecked<PodTemplateSpec>,
  selector: LabelSelector | undefined,
): void {
  if (selectorProblems(selector, '').length > 0) {
    const at = path.replace(/template$/, 'selector');
    found.invalidShown(at, goSelector(selector), 'invalid label selector');
    return;
  }
  if (selector === undefined || !isEmptySelector(selector)) selectedProblems(found, path, template, selector);
  podTemplateProblems(found, path, template);
  runsForEver(found, path, template, 'ReplicaSet');
}

/** Which Pods are a workload's own is decided once. */
export function immutableSelector(
  found: Problems,
  path: string,
  selector: LabelSelector | undefined,
  old: LabelSelector | undefined,
): void {
  if (!isSame(selector, old)) found.invalidShown(path, goSelector(selector), 'field is immutable');
}

/** True for equal values; both are as the server keeps them, without anything that counts as absent. */
export function isSame(a: unknown, b: unknown): boolean {
  return equal(a as Json | undefined, b as Json | undefined);
}

/** The selector that a specification has; where the API has no other way to say that there is none, it is null. */
export function selectorIn(spec: { readonly selector?: unknown } | undefined): LabelSelector | undefined {
  return (spec?.selector ?? undefined) as LabelSelector | undefined;
}
