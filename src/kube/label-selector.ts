type Labels = Readonly<Record<string, string>>;

/**
 * What has all of these labels, as the text that `kubectl get --selector` takes, and the `selector` of a kind's `scale`. Empty
 * where there is none, which selects all. Undefined for undefined, as of a child that is not there yet:
 * `labelSelector(server?.spec?.selector.matchLabels)`.
 */
export function labelSelector(labels: Labels): string;
export function labelSelector(labels: Labels | undefined): string | undefined;
export function labelSelector(labels: Labels | undefined): string | undefined {
  return (
    labels &&
    Object.entries(labels)
      .map((label) => label.join('='))
      .join(',')
  );
}
