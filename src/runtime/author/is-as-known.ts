import { isGone } from '../../client/api-error.js';
import type { Cluster } from '../../client/cluster.js';
import type { ApiResource } from '../../kube/api-resource.js';
import type { KubeObject } from '../../kube/manifest.js';
import { placeOf } from '../../kube/object-ref.js';
import { asksTheSame } from './known-code.js';

/**
 * True when the API server has this very custom resource, asked for the same, and does not delete it. Its labels and annotations
 * count, by which it may be suspended. For what must not be done on the word of a store alone, whose watch may be late without
 * knowing: that of a standby which has just come to lead, for instance. Throws `KindNotServedError` where nobody can say.
 */
export async function isAsKnown(
  { metadata: known }: KubeObject,
  { cluster, resource }: { readonly cluster: Cluster; readonly resource: ApiResource },
  signal: AbortSignal,
): Promise<boolean> {
  const target = placeOf(known);
  try {
    const { metadata } = await cluster.get(resource, target, { signal });
    return asksStill(known, metadata);
  } catch (error) {
    if (isGone(error)) return false;
    throw error;
  }
}

/** True where `now` is the custom resource that was `known`, asks for the same, and is not being deleted. */
export function asksStill(known: KubeObject['metadata'], now: KubeObject['metadata']): boolean {
  return asksTheSame(known, now) && now.deletionTimestamp === undefined;
}
