/**
 * What has all of these labels, as the text that `kubectl get --selector` takes, and the `selector` of a kind's `scale`. Empty
 * where there is none, which selects all.
 */
export function labelSelector(labels: Readonly<Record<string, string>>): string {
  return Object.entries(labels)
    .map((label) => label.join('='))
    .join(',');
}
