import { isGone } from '../../client/api-error.js';
import type { Cluster } from '../../client/cluster.js';
import type { ApiResource } from '../../kube/api-resource.js';
import type { KubeObject } from '../../kube/manifest.js';
import { placeOf } from '../../kube/object-ref.js';
import type { WatchedKind } from '../informer/watched-kind.js';
import { asksTheSame } from './known-code.js';

/** Who is asked, and whose watch is late where that says something else. */
interface Witnesses {
  readonly cluster: Cluster;
  readonly resource: ApiResource;
  readonly custom: Pick<WatchedKind, 'get' | 'missed'>;
}

/**
 * True when the API server has this very custom resource, asked for the same, and does not delete it. Its labels and annotations
 * count, by which it may be suspended. For what must not be done on the word of a store alone, whose watch may be late without
 * knowing: that of a standby which has just come to lead, for instance. Throws `KindNotServedError` where nobody can say.
 */
export async function isAsKnown(known: KubeObject, server: Witnesses, signal: AbortSignal): Promise<boolean> {
  const now = await namesakeOf(known, server, signal);
  if (now !== undefined && asksStill(known.metadata, now.metadata)) return true;
  const { namespace, name } = known.metadata;
  const stored = server.custom.get(namespace, name);
  // The watch is to show what the server has.
  if (stored && asksStill(known.metadata, stored.metadata)) server.custom.missed(namespace);
  return false;
}

/** What has the name of `cr` by the API server, which may be another by now; undefined where that is gone. */
export async function namesakeOf(
  cr: KubeObject,
  { cluster, resource }: { readonly cluster: Cluster; readonly resource: ApiResource },
  signal: AbortSignal,
): Promise<KubeObject | undefined> {
  return cluster.get(resource, placeOf(cr.metadata), { signal }).catch((error: unknown) => {
    if (!isGone(error)) throw error;
    return undefined;
  });
}

/** True where `now` is the custom resource that was `known`, asks for the same, and is not being deleted. */
export function asksStill(known: KubeObject['metadata'], now: KubeObject['metadata']): boolean {
  return asksTheSame(known, now) && now.deletionTimestamp === undefined;
}
