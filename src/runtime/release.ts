import { isGone } from '../client/api-error.js';
import type { Cluster } from '../client/cluster.js';
import type { Owner } from '../drift/belonging.js';
import { releasedMetadata } from '../drift/released.js';
import type { ApiResource } from '../kube/api-resource.js';
import type { KubeObject } from '../kube/manifest.js';
import { placeOf } from '../kube/object-ref.js';

interface Writer {
  readonly cluster: Cluster;
  /** The kind of the child. */
  readonly resource: ApiResource;
  readonly manager: string;
  readonly signal: AbortSignal;
}

/** Lets go of a child that is to stay: from now on it says nothing of `owner`. Undefined where it is gone already. */
export async function release(
  child: KubeObject,
  owner: Owner,
  { cluster, resource, manager, signal }: Writer,
): Promise<KubeObject | undefined> {
  const { name, namespace, resourceVersion } = child.metadata;
  const metadata = Object.entries(releasedMetadata(child, owner));
  try {
    return await cluster.patch(
      resource,
      placeOf({ name, namespace }),
      {
        type: 'json',
        operations: [
          // Of an older version it is a conflict, and tried again; a `test` that fails would be a refusal for good.
          { op: 'replace', path: '/metadata/resourceVersion', value: resourceVersion },
          ...metadata.map(([field, value]) => ({
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
