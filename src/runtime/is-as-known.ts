import { isGone } from '../client/api-error.js';
import type { Cluster } from '../client/cluster.js';
import type { ApiResource } from '../kube/api-resource.js';
import type { KubeObject } from '../kube/manifest.js';
import { placeOf } from '../kube/object-ref.js';

/**
 * True when the API server has this very custom resource at this generation, and does not delete it. For what must not
 * be done on the word of a store alone, whose watch may be late without knowing: that of a standby which has just come to
 * lead, for instance. Throws `KindNotServedError` where nobody can say.
 */
export async function isAsKnown(
  { metadata: { name, namespace, uid, generation } }: KubeObject,
  { cluster, resource }: { readonly cluster: Cluster; readonly resource: ApiResource },
  signal: AbortSignal,
): Promise<boolean> {
  const target = placeOf({ name, namespace });
  try {
    const { metadata } = await cluster.get(resource, target, { signal });
    return metadata.uid === uid && metadata.generation === generation && metadata.deletionTimestamp === undefined;
  } catch (error) {
    if (isGone(error)) return false;
    throw error;
  }
}
