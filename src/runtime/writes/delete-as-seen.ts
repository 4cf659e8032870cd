import { isGone } from '../../client/api-error.js';
import type { KubeObject } from '../../kube/manifest.js';
import { placeOf } from '../../kube/object-ref.js';
import type { Writing } from './noted-writes.js';

/**
 * Deletes `object` just as it was looked at, as the garbage collector does: what is somebody else's by now stays, and is a
 * `ConflictError`. What is gone already is as good as deleted.
 */
export async function deleteAsSeen(
  { metadata }: KubeObject,
  { cluster, resource, signal }: Pick<Writing, 'cluster' | 'resource' | 'signal'>,
): Promise<void> {
  const { uid, resourceVersion } = metadata;
  const asSeen = { uid, resourceVersion, propagationPolicy: 'Background', signal } as const;
  try {
    await cluster.delete(resource, placeOf(metadata), asSeen);
  } catch (error) {
    // A conflict may be more than another object of that name.
    if (!isGone(error)) throw error;
  }
}
