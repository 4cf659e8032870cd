import { isBuiltIn } from '../kube/built-in-groups.js';
import type { FieldsV1, KubeObject, ManagedFieldsEntry, Manifest } from '../kube/manifest.js';
import { isEmptyCollection, isMap } from '../kube/plain-map.js';
import { entriesOf } from './ownership.js';
import { childAt, indexAt, tokenOf } from './value-at.js';

/** A map or a list that is to be empty. */
export interface Emptied {
  /** In the segments of `fieldsV1`. */
  readonly trail: readonly string[];
  /** What empties it, in a JSON patch. */
  readonly operation: { readonly op: 'replace'; readonly path: string; readonly value: object };
}

/**
 * Where `desired` has an empty map or list, and `object` nothing but what our next apply removes.
 *
 * That apply leaves null there, which built-in kinds take for nothing. Of a custom resource the server refuses it, or drops it
 * and fills in no default below: https://github.com/kubernetes-sigs/structured-merge-diff/blob/v6.3.0/typed/remove.go
 */
export function emptiedIn(
  desired: Manifest,
  object: KubeObject,
  manager: string,
  subresource?: 'status',
  formerly: readonly string[] = [],
): readonly Emptied[] {
  if (isBuiltIn(desired.apiVersion)) return [];
  const entries = entriesOf(object);
  const names = [manager, ...formerly];
  const ours = entries.filter((entry) => names.some((name) => isOurs(entry, name, subresource)));
  const others = entries.filter((entry) => !ours.includes(entry)).map(({ fieldsV1 = {} }) => fieldsV1);
  const { metadata: _, ...content } = desired;
  const found = ours.flatMap(({ fieldsV1 = {} }) => {
    const emptied: Emptied[] = [];
    visit({ ours: fieldsV1, others, desired: content, observed: object, trail: [], pointer: '' }, emptied);
    return emptied;
  });
  return found.filter(
    ({ operation }, index) => found.findIndex((each) => each.operation.path === operation.path) === index,
  );
}

/** `entries` in which ours has each place as an empty one, so that no apply removes what the server puts there by default. */
export function withEmptied(
  entries: readonly ManagedFieldsEntry[],
  manager: string,
  emptied: readonly Emptied[],
): readonly ManagedFieldsEntry[] {
  return entries.map((entry) =>
    isOurs(entry, manager)
      ? { ...entry, fieldsV1: emptied.reduce((fields, { trail }) => withLeaf(fields, trail), entry.fieldsV1 ?? {}) }
      : entry,
  );
}

/** `desired` without what is to be empty, whose apply leaves no null behind. */
export function withoutEmptied(desired: Manifest, emptied: readonly Emptied[]): Manifest {
  return emptied.reduce<unknown>((rest, { trail }) => without(rest, trail), desired) as Manifest;
}

function without(value: unknown, [segment = '', ...rest]: readonly string[]): unknown {
  if (Array.isArray(value)) {
    const index = indexAt(value, segment, 'loosely');
    return index < 0 ? value : value.with(index, without(value[index], rest));
  }
  if (!isMap(value)) return value;
  const { [segment.slice(2)]: below, ...others } = value;
  return rest.length === 0 ? others : { ...value, [segment.slice(2)]: without(below, rest) };
}

function isOurs(entry: ManagedFieldsEntry, manager: string, subresource?: 'status'): boolean {
  return entry.manager === manager && entry.operation === 'Apply' && (entry.subresource || undefined) === subresource;
}

function withLeaf(fields: FieldsV1, [segment, ...rest]: readonly string[]): FieldsV1 {
  return segment === undefined ? {} : { ...fields, [segment]: withLeaf(fields[segment] ?? {}, rest) };
}

interface Place {
  readonly ours: FieldsV1;
  readonly others: readonly FieldsV1[];
  readonly desired: unknown;
  readonly observed: unknown;
  readonly trail: readonly string[];
  readonly pointer: string;
}

function visit(place: Place, found: Emptied[]): void {
  for (const [segment, ours] of Object.entries(place.ours)) {
    if (segment === '.' || segment.startsWith('v:')) continue;
    const observed = childAt(place.observed, segment, 'exactly');
    const desired = childAt(place.desired, segment, 'loosely');
    if (observed === undefined || desired === undefined) continue;
    const others = place.others.flatMap((each) => (Object.hasOwn(each, segment) ? [each[segment] as FieldsV1] : []));
    const pointer = `${place.pointer}/${tokenOf(place.observed, segment)}`;
    const trail = [...place.trail, segment];
    if (!isEmptyCollection(desired)) visit({ ours, others, desired, observed, trail, pointer }, found);
    else if (hasParts(ours) && !others.some(hasParts)) {
      found.push({ trail, operation: { op: 'replace', path: pointer, value: isMap(desired) ? {} : [] } });
    }
  }
}

function hasParts(node: FieldsV1): boolean {
  return Object.keys(node).some((segment) => segment !== '.');
}
