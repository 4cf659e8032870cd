interface LabelSelector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly {
    readonly key: string;
    readonly operator: string;
    readonly values?: readonly string[];
  }[];
}

/** A label selector as text; custom resources keep theirs as text, replication controllers as a map. */
export function labelSelectorText(selector: unknown): string | undefined {
  if (selector === undefined || typeof selector === 'string') return selector;
  const { matchLabels, matchExpressions = [], ...plain } = selector as LabelSelector;
  const labels = Object.entries({ ...plain, ...matchLabels } as Record<string, string>);
  const terms = [
    ...labels.map(([key, value]) => [key, `${key}=${value}`] as const),
    ...matchExpressions.map(({ key, operator, values = [] }) => [key, expressionText(key, operator, values)] as const),
  ];
  return terms
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, text]) => text)
    .join(',');
}

function expressionText(key: string, operator: string, values: readonly string[]): string {
  switch (operator) {
    case 'In':
      return `${key} in (${[...values].sort().join(',')})`;
    case 'NotIn':
      return `${key} notin (${[...values].sort().join(',')})`;
    case 'DoesNotExist':
      return `!${key}`;
    default:
      return key;
  }
}
