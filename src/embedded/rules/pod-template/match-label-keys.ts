import type { LabelSelector as Selector } from '../../../../imports/k8s.js';
import { labelKey } from '../../../schema/name-formats.js';
import type { Draft } from '../../draft.js';
import type { Problems } from '../problems.js';
import type { Unchecked } from '../unchecked.js';

interface KeyMatcher {
  readonly matchLabelKeys?: readonly string[] | undefined;
  readonly mismatchLabelKeys?: readonly string[] | undefined;
  labelSelector?: Unchecked<Selector> | undefined;
}

/** Labels of the Pod itself that a selector takes in: https://kubernetes.io/docs/concepts/scheduling-eviction/assign-pod-node/#matchlabelkeys */
export function matchLabelKeysProblems(found: Problems, path: string, matcher: KeyMatcher): void {
  const { matchLabelKeys = [], mismatchLabelKeys = [], labelSelector } = matcher;
  keyProblems(found, `${path}.matchLabelKeys`, matchLabelKeys, labelSelector);
  keyProblems(found, `${path}.mismatchLabelKeys`, mismatchLabelKeys, labelSelector);
  if (labelSelector !== undefined) {
    // A Pod's own label is added to the expressions; what was there before it is one too many.
    const selected = new Set(Object.keys(labelSelector.matchLabels ?? {}));
    for (const { key = '' } of labelSelector.matchExpressions ?? []) {
      const index = matchLabelKeys.lastIndexOf(key);
      if (index >= 0 && selected.has(key)) {
        found.invalid(`${path}[${index}]`, key, 'exists in both matchLabelKeys and labelSelector');
      }
      selected.add(key);
    }
  }
  matchLabelKeys.forEach((key, index) => {
    if (!mismatchLabelKeys.includes(key)) return;
    found.invalid(`${path}.matchLabelKeys[${index}]`, key, 'exists in both matchLabelKeys and mismatchLabelKeys');
  });
}

function keyProblems(found: Problems, path: string, keys: readonly string[], selector: unknown): void {
  if (keys.length === 0) return;
  if (selector === undefined) {
    found.forbidden(path, 'must not be specified when labelSelector is not set');
    return;
  }
  keys.forEach((key, index) => {
    found.format(`${path}[${index}]`, key, labelKey);
  });
}

/** Before a Pod is created, its own labels go into the selectors that name them. */
export function takeInLabels(matcher: KeyMatcher, labels: Draft['metadata']['labels'] = {}): void {
  if (matcher.labelSelector === undefined) return;
  const add = (keys: readonly string[] | undefined, operator: string) => {
    for (const key of keys ?? []) {
      const value = labels[key];
      if (value === undefined) continue;
      matcher.labelSelector!.matchExpressions = [
        ...(matcher.labelSelector!.matchExpressions ?? []),
        { key, operator, values: [value] },
      ];
    }
  };
  add(matcher.matchLabelKeys, 'In');
  add(matcher.mismatchLabelKeys, 'NotIn');
}
