import type { ApiResource } from './api-resource.js';
import type { Manifest } from './manifest.js';

/** On an object, or on the Namespace that it is in: the namespaces whose custom resources may read it, by commas. */
export const shareWith = 'kilter.dev/share-with';

/** On a Namespace: the namespaces whose custom resources may have children in it, by commas. */
export const acceptFrom = 'kilter.dev/accept-from';

/** Who is asked for consent, beside the objects themselves. */
export const namespaceKind: ApiResource = {
  apiVersion: 'v1',
  kind: 'Namespace',
  plural: 'namespaces',
  namespaced: false,
};

/** True when `object` consents to what a custom resource in `namespace` wants. What is not there consents to nothing. */
export function consents(
  object: Pick<Manifest, 'metadata'> | undefined,
  annotation: typeof shareWith | typeof acceptFrom,
  namespace: string,
): boolean {
  const list = object?.metadata.annotations?.[annotation] ?? '';
  return list.split(',').some((name) => name.trim() === namespace);
}
