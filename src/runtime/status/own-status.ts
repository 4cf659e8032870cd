import type { Cluster, WriteOptions } from '../../client/cluster.js';
import { beforeFirstApply, entriesOf } from '../../drift/ownership.js';
import type { ApiResource } from '../../kube/api-resource.js';
import type { Condition } from '../../kube/condition.js';
import type { FieldsV1, KubeObject, ManagedFieldsEntry } from '../../kube/manifest.js';
import { placeOf } from '../../kube/object-ref.js';

/** Types that only an operator says of its custom resource, beside `<Kind>Available` of what it may do without. */
const vocabulary: ReadonlySet<string> = new Set(['Ready', 'Reconciling', 'Stalled', 'Paused', 'Drifted', 'Fighting']);

type Fields = Readonly<Record<string, unknown>>;

export function statusOf(cr: KubeObject): Fields {
  return ((cr as { status?: unknown }).status ?? {}) as Fields;
}

/** The conditions that a custom resource shows. */
export function conditionsIn(cr: KubeObject): readonly Condition[] {
  return (statusOf(cr)['conditions'] ?? []) as readonly Condition[];
}

/** True when a status of ours is about what is desired now. */
export function isOfThisGeneration(cr: KubeObject): boolean {
  return statusOf(cr)['observedGeneration'] === cr.metadata.generation;
}

/** The status of its condition `Ready`. */
export function readyIn(cr: KubeObject): 'True' | 'False' | 'Unknown' {
  const status = conditionsIn(cr).find(({ type }) => type === 'Ready')?.status;
  return status === 'True' || status === 'False' ? status : 'Unknown';
}

/** True where it says that it is suspended, as it does until a round has been since it was resumed. */
export function saysPaused(cr: KubeObject): boolean {
  return conditionsIn(cr).some(({ type, status }) => type === 'Paused' && status === 'True');
}

/** What it says of drift that is left alone. */
export function driftShownBy(cr: KubeObject): string | undefined {
  return conditionsIn(cr).find(({ type }) => type === 'Drifted')?.message;
}

/**
 * Those of them that one of `managers` said, which are the names that the operator has and had, or that nobody but an
 * operator would have said. The others are other people's.
 */
export function ownConditionsIn(cr: KubeObject, managers: readonly string[]): readonly Condition[] {
  const [ours, others] = [new Set<string>(), new Set<string>()];
  for (const entry of entriesOf(cr)) {
    if (entry.manager === beforeFirstApply) continue;
    for (const type of typesIn(entry)) (isOf(entry, managers) ? ours : others).add(type);
  }
  return conditionsIn(cr).filter(({ type }) => ours.has(type) || (vocabulary.has(type) && !others.has(type)));
}

/** The fields of status that the last writes of `managers` set. */
export function ownFieldsIn(cr: KubeObject, managers: readonly string[]): ReadonlySet<string> {
  const entries = entriesOf(cr).filter((entry) => entry.subresource === 'status' && isOf(entry, managers));
  return new Set(entries.flatMap((entry) => Object.keys(statusIn(entry)).map((segment) => segment.slice(2))));
}

/** Those of them that `cr` shows still, though they are not `said` any more. */
export function droppedFieldsOf(cr: KubeObject, said: Fields, managers: readonly string[]): readonly string[] {
  const status = statusOf(cr);
  return [...ownFieldsIn(cr, managers)].filter((field) => !Object.hasOwn(said, field) && Object.hasOwn(status, field));
}

/** The names of others who have some of what is `said` in `cr`; none where it is as we said, or changed under our name. */
export function othersWhoSay(cr: KubeObject, said: Fields, managers: readonly string[]): readonly string[] {
  const types = ((said['conditions'] ?? []) as readonly Condition[]).map(({ type }) => type);
  const isOver = (entry: ManagedFieldsEntry) =>
    entry.subresource === 'status' &&
    (Object.keys(statusIn(entry)).some((field) => field !== 'f:conditions' && Object.hasOwn(said, field.slice(2))) ||
      typesIn(entry).some((type) => types.includes(type)));
  const others = entriesOf(cr).filter((entry) => !isOf(entry, managers) && isOver(entry));
  return [...new Set(others.flatMap(({ manager }) => manager ?? []))];
}

/**
 * Removes what an apply of `said` has left of our status, and answers the custom resource as it is then. An apply ends only
 * what its manager is known to have said: not what the operator said under a name that it had before, and after somebody
 * reset `managedFields` no condition.
 */
export async function withoutLost(
  cr: KubeObject,
  said: Fields,
  managers: readonly string[],
  cluster: Cluster,
  resource: ApiResource,
  write: WriteOptions,
): Promise<KubeObject> {
  const kept = (said['conditions'] ?? []) as readonly Condition[];
  const lost = ownConditionsIn(cr, managers).filter(({ type }) => !kept.some((each) => each.type === type));
  const dropped = droppedFieldsOf(cr, said, managers);
  if (lost.length === 0 && dropped.length === 0) return cr;
  const status: Record<string, unknown> = Object.fromEntries(dropped.map((field) => [field, null]));
  if (lost.length > 0) status['conditions'] = conditionsIn(cr).filter((condition) => !lost.includes(condition));
  const body = { metadata: { resourceVersion: cr.metadata.resourceVersion }, status };
  return cluster.patch(resource, placeOf(cr.metadata), { type: 'merge', body }, write);
}

function isOf({ manager }: ManagedFieldsEntry, managers: readonly string[]): boolean {
  return manager !== undefined && managers.includes(manager);
}

function statusIn({ fieldsV1 }: ManagedFieldsEntry): FieldsV1 {
  return fieldsV1?.['f:status'] ?? {};
}

/** The types of the conditions that an entry of `managedFields` has. */
export function typesIn(entry: ManagedFieldsEntry): readonly string[] {
  const keys = Object.keys(statusIn(entry)['f:conditions'] ?? {}).filter((key) => key.startsWith('k:'));
  return keys.map((key) => (JSON.parse(key.slice(2)) as { readonly type: string }).type);
}
