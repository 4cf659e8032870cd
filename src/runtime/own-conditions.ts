import type { Cluster, WriteOptions } from '../client/cluster.js';
import { beforeFirstApply, entriesOf } from '../drift/ownership.js';
import type { ApiResource } from '../kube/api-resource.js';
import type { Condition } from '../kube/condition.js';
import type { KubeObject, ManagedFieldsEntry } from '../kube/manifest.js';
import { placeOf } from '../kube/object-ref.js';

/** Types that only an operator says of its custom resource, beside `<Kind>Available` of what it may do without. */
const vocabulary: ReadonlySet<string> = new Set([
  ...['Ready', 'Reconciling', 'Stalled'],
  ...['Paused', 'Drifted', 'Fighting'],
]);

/** The conditions that a custom resource shows. */
export function conditionsIn(cr: KubeObject): readonly Condition[] {
  const { status } = cr as { readonly status?: { readonly conditions?: readonly Condition[] } };
  return status?.conditions ?? [];
}

/** Those of them that `manager` said, or that nobody else would have said. The others are other people's. */
export function ownConditionsIn(cr: KubeObject, manager: string): readonly Condition[] {
  const [ours, others] = [new Set<string>(), new Set<string>()];
  for (const entry of entriesOf(cr)) {
    if (entry.manager === beforeFirstApply) continue;
    for (const type of typesIn(entry)) (entry.manager === manager ? ours : others).add(type);
  }
  return conditionsIn(cr).filter(({ type }) => ours.has(type) || (vocabulary.has(type) && !others.has(type)));
}

/**
 * Removes those of our conditions that an apply of `said` has left, and answers the custom resource as it is then. Where
 * somebody reset `managedFields` the API server does not know any more that they are ours, and no apply would end them.
 */
export async function withoutLost(
  cr: KubeObject,
  said: readonly { readonly type: string }[],
  cluster: Cluster,
  resource: ApiResource,
  write: WriteOptions,
): Promise<KubeObject> {
  const lost = ownConditionsIn(cr, write.fieldManager).filter(({ type }) => !said.some((each) => each.type === type));
  if (lost.length === 0) return cr;
  const { name, namespace, resourceVersion } = cr.metadata;
  const conditions = conditionsIn(cr).filter((condition) => !lost.includes(condition));
  const body = { metadata: { resourceVersion }, status: { conditions } };
  return cluster.patch(resource, placeOf({ name, namespace }), { type: 'merge', body }, write);
}

/** The types of the conditions that an entry of `managedFields` has. */
function typesIn({ fieldsV1 }: ManagedFieldsEntry): Set<string> {
  const keys = Object.keys(fieldsV1?.['f:status']?.['f:conditions'] ?? {}).filter((key) => key.startsWith('k:'));
  return new Set(keys.map((key) => (JSON.parse(key.slice(2)) as { readonly type: string }).type));
}
