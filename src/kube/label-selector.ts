type Labels = Readonly<Record<string, string>>;

/**
 * A selector of objects that have all of `labels`, as text: `app=web,tier=front`. It is what `kubectl get --selector` takes, and
 * what the `selector` of a kind's `scale` has to hold. No labels give an empty text, which selects every object; undefined, as of
 * a child that is not there yet, gives undefined: `labelSelector(server?.spec?.selector.matchLabels)`.
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
