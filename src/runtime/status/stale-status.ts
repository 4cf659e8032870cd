import type { Cluster, WriteOptions } from '../../client/cluster.js';
import { undeclaredIn } from '../../drift/additions.js';
import { DriftPolicy } from '../../drift/drift-policy.js';
import { emptiedIn } from '../../drift/emptied.js';
import { entriesOf } from '../../drift/ownership.js';
import { pointerTo } from '../../drift/value-at.js';
import type { ApiResource } from '../../kube/api-resource.js';
import type { KubeObject, ManagedFieldsEntry, Manifest } from '../../kube/manifest.js';
import { placeOf } from '../../kube/object-ref.js';
import { atVersion } from '../writes/at-version.js';
import { ownConditionsIn, typesIn } from './own-status.js';

/**
 * Empties what `status` has empty and our last apply filled, for the next one would leave null there, which no schema takes, and
 * removes what it would leave in part. Resolves with `status` for the custom resource as it is then; undefined where there is
 * nothing of that.
 */
export function afterClearing(
  status: Manifest,
  cr: KubeObject,
  managers: readonly string[],
  cluster: Cluster,
  resource: ApiResource,
  write: WriteOptions,
): Promise<Manifest> | undefined {
  const formerly = managers.filter((each) => each !== write.fieldManager);
  const emptied = emptiedIn(status, cr, write.fieldManager, 'status', formerly);
  const stale = staleIn(status, cr, write.fieldManager, formerly);
  if (emptied.length === 0 && stale.length === 0) return undefined;
  const operations = [atVersion(cr), ...emptied.map(({ operation }) => operation), ...stale];
  return cluster.patch(resource, placeOf(cr.metadata), { type: 'json', operations }, write).then(({ metadata }) => ({
    ...status,
    metadata: { ...status.metadata, resourceVersion: metadata.resourceVersion },
  }));
}

/** In a JSON patch. */
interface Remove {
  readonly op: 'remove';
  readonly path: string;
}

/**
 * What removes from `cr` what an apply of `status` would leave there in part, or for good: what the operator said under a name that
 * it had before, and conditions of which somebody else has a part, for one without a message is refused.
 */
function staleIn(status: Manifest, cr: KubeObject, manager: string, formerly: readonly string[]): readonly Remove[] {
  const entries = entriesOf(cr).filter(({ subresource }) => subresource === 'status');
  const isApplied = (entry: ManagedFieldsEntry) => entry.manager === manager && entry.operation === 'Apply';
  const former = entries.filter((entry) => formerly.includes(entry.manager ?? ''));
  const trails = former.flatMap(({ fieldsV1 = {} }) =>
    undeclaredIn(fieldsV1, status, cr, DriftPolicy.enforcing).map(({ trail }) => trail),
  );
  const applied = new Set(entries.filter(isApplied).flatMap(typesIn));
  const shared = new Set(entries.filter((entry) => !isApplied(entry)).flatMap(typesIn));
  const { conditions = [] } = status['status'] as { readonly conditions?: readonly { readonly type: string }[] };
  const ended = ownConditionsIn(cr, [manager, ...formerly])
    .filter(({ type }) => applied.has(type) && shared.has(type))
    .filter(({ type }) => !conditions.some((each) => each.type === type))
    .map(({ type }) => ['f:status', 'f:conditions', `k:${JSON.stringify({ type })}`]);
  const paths = new Set([...trails, ...ended].flatMap((trail) => pointerTo(cr, trail) ?? []));
  // The last item of a list goes first, so that the places of the others stay.
  const inOrder = [...paths].sort((a, b) => b.localeCompare(a, 'en', { numeric: true }));
  return inOrder.map((path) => ({ op: 'remove', path }));
}
