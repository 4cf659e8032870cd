import { isGone } from '../../client/api-error.js';
import type { Cluster } from '../../client/cluster.js';
import type { ApiResource } from '../../kube/api-resource.js';
import type { KubeObject } from '../../kube/manifest.js';
import { placeOf } from '../../kube/object-ref.js';
import { atVersion } from './at-version.js';

export interface MetadataWriter {
  readonly cluster: Pick<Cluster, 'patch'>;
  /** The kind of the object. */
  readonly resource: ApiResource;
  readonly manager: string;
  readonly signal: AbortSignal;
}

/** Puts these fields in the place of those that `object` has in its metadata. Undefined where it is gone already. */
export async function writeMetadata(
  object: KubeObject,
  metadata: object,
  { cluster, resource, manager, signal }: MetadataWriter,
): Promise<KubeObject | undefined> {
  try {
    return await cluster.patch(
      resource,
      placeOf(object.metadata),
      {
        type: 'json',
        operations: [
          atVersion(object),
          ...Object.entries(metadata).map(([field, value]) => ({
            op: 'add' as const,
            path: `/metadata/${field}`,
            value: value as unknown,
          })),
        ],
      },
      { fieldManager: manager, signal },
    );
  } catch (error) {
    if (isGone(error)) return undefined;
    throw error;
  }
}
