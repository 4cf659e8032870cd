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

/** One requirement of a label selector or, with its further operators, of a node selector. */
export function requirementHolds(
  labels: Readonly<Record<string, string>>,
  key: string,
  operator: string,
  values: readonly string[] = [],
): boolean {
  const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    case 'Gt':
      return value !== undefined && Number(value) > Number(values[0]);
    case 'Lt':
      return value !== undefined && Number(value) < Number(values[0]);
    default:
      return false;
  }
}
