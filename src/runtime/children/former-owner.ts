import type { Cluster } from '../../client/cluster.js';
import { mayBeCut } from '../../compose/label-value.js';
import { withName } from '../../kube/field-selector.js';
import type { KubeObject } from '../../kube/manifest.js';
import { refOf, show } from '../../kube/object-ref.js';
import { ownerLabels } from '../../kube/owner-labels.js';
import { LateStoreError } from '../confirmation.js';
import type { WatchedKind } from '../informer/watched-kind.js';

/**
 * Throws a `LateStoreError` where the API server has the custom resource whose `child` is by its labels, which the store did not
 * know of: it may be late.
 */
export async function refuseLivingOwner(
  child: KubeObject,
  {
    custom,
    cluster,
  }: { readonly custom: Pick<WatchedKind, 'resource' | 'namespaces' | 'live'>; readonly cluster: Cluster },
  signal: AbortSignal,
): Promise<void> {
  const { labels = {} } = child.metadata;
  const named = ownerLabels(custom.resource);
  const { [named.uid]: uid, [named.name]: name = '', [named.namespace]: namespace } = labels;
  if (uid === undefined) return;
  const { namespaces } = custom;
  // Who is limited to namespaces has no child outside of its own: there nobody can be whose this is.
  if (!namespaces.includes(undefined) && !namespaces.includes(namespace)) return;
  const where = namespace === undefined ? {} : { namespace };
  const which = name === '' || mayBeCut(name) ? {} : { fieldSelector: withName(name) };
  const { items } = await custom.live(cluster, { ...where, ...which }, signal);
  if (items.some(({ metadata }) => metadata.uid === uid)) throw new LateStoreError(`whose ${show(refOf(child))} is`);
}
