import type { LabelSelector } from '../../../imports/k8s.js';
import { matches } from '../rules/label-selector.js';

type Labels = Readonly<Record<string, string>> | undefined;

/** True when `labels` satisfy the selector of a built-in kind. An empty one takes everything, an absent one nothing. */
export function selects(selector: LabelSelector | undefined, labels: Labels = {}): boolean {
  return matches(selector as Parameters<typeof matches>[0], labels);
}

/** True when `labels` have all of `wanted`. */
export function hasAll(labels: Labels = {}, wanted: Readonly<Record<string, string>>): boolean {
  return Object.entries(wanted).every(([key, value]) => Object.hasOwn(labels, key) && labels[key] === value);
}
