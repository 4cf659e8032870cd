import type { ListOptions, Target, WriteOptions } from '../client/cluster.js';
import type { ApiResource } from '../kube/api-resource.js';
import type { Manifest } from '../kube/manifest.js';
import type { Call } from './call.js';

/** What a list or a watch is about. */
export function within({ kind }: ApiResource, { namespace }: ListOptions): Pick<Call, 'kind' | 'namespace'> {
  return namespace === undefined ? { kind } : { kind, namespace };
}

/** What a call to one object is about. */
export function about(
  { kind }: ApiResource,
  { metadata: { name, namespace } }: Pick<Manifest, 'metadata'> | { readonly metadata: Target },
  { subresource, dryRun }: Pick<WriteOptions, 'subresource' | 'dryRun'>,
): Omit<Call, 'verb'> {
  return {
    kind,
    ...(name === undefined ? {} : { name }),
    ...(namespace === undefined ? {} : { namespace }),
    ...(subresource === undefined ? {} : { subresource }),
    ...(dryRun ? { dryRun } : {}),
  };
}
