import { isBuiltIn } from '../kube/built-in-groups.js';
import type { FieldsV1, KubeObject, ManagedFieldsEntry, Manifest } from '../kube/manifest.js';
import { isMap, property } from '../kube/plain-map.js';
import { entriesOf, foldedEntries, unite, without } from './ownership.js';
import { childAt, valuesAt } from './value-at.js';

/**
 * The entries of `object` in which what lies at `trails` is ours alone, so that our next apply, which does not say it,
 * removes it. Server-side apply has no other way: https://kubernetes.io/docs/reference/using-api/server-side-apply/#transferring-ownership
 *
 * Entries of subresources and of other versions stay as they are. With `trails` empty our own entries are folded into one.
 * `leftOver` is what nobody has, to be ours as well.
 */
export function claimedEntries(
  object: KubeObject,
  manager: string,
  trails: readonly (readonly string[])[],
  leftOver: readonly (readonly string[])[] = [],
): ManagedFieldsEntry[] | undefined {
  const entries = foldedEntries(object, manager) ?? entriesOf(object);
  if (trails.length + leftOver.length === 0)
    return entries === object.metadata.managedFields ? undefined : [...entries];
  const isOurs = (entry: ManagedFieldsEntry) =>
    entry.manager === manager && entry.operation === 'Apply' && !entry.subresource;
  const { apiVersion } = object;
  const ours: ManagedFieldsEntry = entries.find(isOurs) ?? {
    manager,
    operation: 'Apply',
    apiVersion,
    fieldsType: 'FieldsV1',
  };
  const others = entries.filter((entry) => !isOurs(entry));
  const isMeant = (entry: ManagedFieldsEntry) => !entry.subresource && entry.apiVersion === apiVersion;
  const taken = others
    .filter(isMeant)
    .flatMap(({ fieldsV1 = {} }) => trails.map((trail) => subtreeAt(fieldsV1, trail)))
    .reduce(unite, {});
  const found = leftOver.map((trail) => trail.reduceRight<FieldsV1>((below, segment) => ({ [segment]: below }), {}));
  return [
    { ...ours, fieldsV1: [taken, ...found].reduce(unite, ours.fieldsV1 ?? {}) },
    ...others
      .map((entry) => (isMeant(entry) ? { ...entry, fieldsV1: without(entry.fieldsV1 ?? {}, taken) } : entry))
      .filter(({ fieldsV1 = {} }) => Object.keys(fieldsV1).length > 0),
  ];
}

/** What of `fields` lies at `trail`, with the way there. */
export function subtreeAt(fields: FieldsV1, [segment, ...rest]: readonly string[]): FieldsV1 {
  if (segment === undefined) return fields;
  if (!Object.hasOwn(fields, segment)) return {};
  const node = fields[segment] as FieldsV1;
  const below = subtreeAt(node, rest);
  return rest.length > 0 && Object.keys(below).length === 0 ? {} : { [segment]: below };
}

/**
 * Those of `additions` at whose place, or below it, the server refuses what is desired. `fields` are as it names them. Where
 * nothing is there, those beside it: of a volume that somebody made another kind of volume, both kinds are refused by the name
 * of one. A custom kind has a rule for that, which is refused by the name of what both are in.
 */
export function inTheWay<T extends { readonly trail: readonly string[] }>(
  additions: readonly T[],
  fields: readonly string[],
  desired: Manifest,
): T[] {
  const found = fields.map(withoutIndices).flatMap((field) => {
    const at = additions.filter(({ trail }) => field === placeOf(trail) || field.startsWith(`${placeOf(trail)}.`));
    return at.length > 0 ? at : additions.filter(({ trail }) => isBeside(trail, field, desired));
  });
  return [...new Set(found)];
}

/** True for what is added to something that is declared, and is no item of a list. What is right in the spec is beside too much. */
function isBeside(trail: readonly string[], field: string, desired: Manifest): boolean {
  const parent = trail.slice(0, -1);
  if (parent.length < 2 || !trail.at(-1)?.startsWith('f:')) return false;
  const [place, cut] = [placeOf(parent), field.lastIndexOf('.')];
  if (!isBuiltIn(desired.apiVersion) && field === place) return true;
  const declared = [...parent, `f:${field.slice(cut + 1)}`].reduce<unknown>(
    (at, segment) => childAt(at, segment, 'loosely'),
    desired,
  );
  return field.slice(0, cut) === place && declared !== undefined;
}

/**
 * Where `additions` have the very key that the server refuses, in that map or in one beside it, whichever of the two it names:
 * a key may be in one of `data` and `binaryData` of a ConfigMap alone.
 */
export function sameKeyIn(
  additions: readonly { readonly trail: readonly string[]; readonly observed: unknown }[],
  fields: readonly string[],
): string[][] {
  return fields.flatMap((field) => {
    const [, map, key] = /^([^[\]]+)\[(.+)\]$/.exec(field) ?? [];
    if (map === undefined || key === undefined) return [];
    const maps = map.split('.').length;
    const around = map.split('.', maps - 1).map((name) => `f:${name}`);
    return additions
      .filter(({ trail }) => around.every((segment, index) => trail[index] === segment))
      .flatMap(({ trail, observed }) => {
        if (trail.length === maps + 1 && trail.at(-1) === `f:${key}`) return [[...trail]];
        return trail.length === maps && isMap(observed) && Object.hasOwn(observed, key) ? [[...trail, `f:${key}`]] : [];
      });
  });
}

/** As the server names it, but for the items of lists. */
function placeOf(trail: readonly string[]): string {
  return trail.flatMap((segment) => (segment.startsWith('f:') ? [segment.slice(2)] : [])).join('.');
}

/**
 * The fields that the server refuses in `object` and that nobody declares: neither `desired` nor anybody else, but for those at
 * `trails`. They are defaults of something that is no longer desired, and no apply removes a field that nobody owns.
 */
export function leftOverIn(
  object: KubeObject,
  desired: Manifest,
  fields: readonly string[],
  trails: readonly (readonly string[])[],
): string[][] {
  const isTaken = (place: readonly string[]) =>
    trails.some((trail) => trail.every((segment, index) => place[index] === segment));
  const isOwned = (place: readonly string[]) =>
    entriesOf(object).some(({ fieldsV1 = {} }) => Object.keys(subtreeAt(fieldsV1, place)).length > 0);
  // What the server itself says of an object nobody can drop.
  const named = fields.filter((field) => !field.includes('[') && !field.startsWith('metadata.'));
  return [...placesOf(named), ...fields.flatMap((field) => besideInItem(object, desired, field))].filter(
    (place) =>
      valuesAt(object, place).length > 0 &&
      valuesAt(desired, place).length === 0 &&
      (isTaken(place) || !isOwned(place)),
  );
}

/**
 * What there is beside what is refused in an item of a list: of a volume that was given no kind, which made it an `emptyDir`, and
 * is to be of another, `spec.volumes[0].secret`. All else in a list has an owner, or goes with it.
 */
function besideInItem(object: KubeObject, desired: Manifest, field: string): string[][] {
  const [, path, refused] = /^([^[\]]+)\[\d+\]\.([^.[\]]+)$/.exec(field) ?? [];
  if (path === undefined || refused === undefined) return [];
  const list = path.split('.').map((name) => `f:${name}`);
  const [there, wanted] = [valuesAt(object, list)[0], valuesAt(desired, list)[0]];
  const nodes = entriesOf(object).map(({ fieldsV1 = {} }) => list.reduce((at, step) => at[step] ?? {}, fieldsV1));
  const items = [...new Set(nodes.flatMap((node) => Object.keys(node)))].filter((segment) => segment.startsWith('k:'));
  return items
    .filter((segment) => property(childAt(wanted, segment, 'loosely'), refused) !== undefined)
    .flatMap((segment) =>
      Object.keys(childAt(there, segment, 'exactly') ?? {}).map((key) => [...list, segment, `f:${key}`]),
    );
}

/** What the server says of one field that it refuses. */
export interface Cause {
  readonly reason?: string;
  readonly field?: string;
  readonly message?: string;
}

/** True when something is refused in both for the same reason at the same place, whichever item of a list it is. */
export function shareCause(some: readonly Cause[], others: readonly Cause[]): boolean {
  const keyOf = ({ reason, field = '' }: Cause) => `${reason} ${withoutIndices(field)}`;
  const known = new Set(some.map(keyOf));
  return others.some((cause) => known.has(keyOf(cause)));
}

function withoutIndices(field: string): string {
  return field.replaceAll(/\[[^\]]*\]/g, '');
}

/** Where the server refuses something, up to the list that it is in: `spec.ports[1].name` is about `spec.ports`. */
export function placesOf(fields: readonly string[]): string[][] {
  const places = fields.map((field) => field.replace(/\[.*/, '')).filter((place) => place !== '');
  return [...new Set(places)].map((place) => place.split('.').map((name) => `f:${name}`));
}
