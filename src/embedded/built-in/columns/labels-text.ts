import type { LabelSelector } from '../../../../imports/k8s.js';

/** Labels as `kubectl get` shows them: `a=b,c=d`. */
export function labelsText(labels: Readonly<Record<string, string>> | null | undefined): string {
  const pairs = Object.entries(labels ?? {}).map(([key, value]) => `${key}=${value}`);
  return pairs.length === 0 ? '<none>' : pairs.sort().join(',');
}

/** A selector as `kubectl get` shows it, and takes it: `app=a,tier in (b,c),!old`. */
export function selectorText(selector: LabelSelector | undefined): string {
  const { matchLabels, matchExpressions } = selector ?? {};
  const requirements = [
    ...Object.entries(matchLabels ?? {}).map(([key, value]) => ({ key, text: `${key}=${value}` })),
    ...(matchExpressions ?? []).map(({ key, operator, values }) => ({
      key,
      text: requirementText(key, operator, [...(values ?? [])].sort()),
    })),
  ];
  return requirements
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(({ text }) => text)
    .join(',');
}

function requirementText(key: string, operator: string, values: readonly string[]): string {
  if (operator === 'Exists') return key;
  if (operator === 'DoesNotExist') return `!${key}`;
  return `${key} ${operator === 'In' ? 'in' : 'notin'} (${values.join(',')})`;
}
