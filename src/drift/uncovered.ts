/** A walk over a desired object and over the fields that managers own, side by side. */
import { groupOf } from '../kube/api-resource.js';
import type { FieldsV1, Manifest } from '../kube/manifest.js';
import { builtInGroups, omittedWhenEmpty } from './omitted-when-empty.js';

/** A leaf that is desired and that we do not own (any more). */
export interface UncoveredField {
  /** For people: `spec.template.spec.containers[0].image`. */
  readonly path: string;
  /** The same in the form of `fieldsV1`, to find out who owns it. */
  readonly trail: readonly string[];
  readonly desired: unknown;
  /** Undefined when it is not there. */
  readonly observed: unknown;
}

/** What we own of a desired object, and what we do not. */
export interface Coverage {
  /** Somebody took or removed it. */
  readonly lost: readonly UncoveredField[];
  /**
   * Nobody owns it, and it is as good as not there: an empty value that the server does not store. Who looks once cannot
   * tell that it was not removed; that it was ours before, and is no more, tells.
   */
  readonly open: readonly UncoveredField[];
}

interface Walk {
  readonly lost: UncoveredField[];
  readonly open: UncoveredField[];
  readonly isBuiltIn: boolean;
}

/** One place in all trees at once. `ours` are our entries' nodes there, `all` those of every manager. */
interface Place {
  readonly path: string;
  readonly trail: readonly string[];
  readonly desired: unknown;
  readonly observed: unknown;
  readonly ours: readonly FieldsV1[];
  readonly all: readonly FieldsV1[];
}

/**
 * The leaves of `desired` that are not in `ours`, the fields of our own entries: what somebody else changed or removed.
 *
 * Needs no schema: `f:` is a key, `k:{…}` a list item by its keys, `v:` a set item, and an empty node is a leaf or
 * something that is owned as one. No value is compared, so quantities, defaults and the order of lists cannot raise a
 * false alarm. `all` are the fields of every manager, by which an item is found that is no longer ours.
 */
export function uncoveredFields(
  desired: Manifest,
  observed: unknown,
  ours: readonly FieldsV1[],
  all: readonly FieldsV1[],
): readonly UncoveredField[] {
  return coverageOf(desired, observed, ours, all).lost;
}

/** The same, with what cannot be told apart by one look. */
export function coverageOf(
  desired: Manifest,
  observed: unknown,
  ours: readonly FieldsV1[],
  all: readonly FieldsV1[],
): Coverage {
  const { apiVersion, kind: _, metadata, ...rest } = desired;
  const { name: __, namespace: ___, ...owned } = metadata;
  const walk: Walk = { lost: [], open: [], isBuiltIn: builtInGroups.has(groupOf(apiVersion)) };
  const whole = isHollow(owned) ? rest : { metadata: owned, ...rest };
  visit({ path: '', trail: [], desired: whole, observed, ours, all }, walk);
  return walk;
}

function visit(place: Place, walk: Walk): void {
  const { desired, ours } = place;
  // Owned as one, whatever is in it. An entry that is empty as a whole owns nothing.
  if (place.trail.length > 0 && ours.some(isBare) && !isEmptied(place)) return;
  if (isEmpty(desired)) {
    if (ours.length === 0) empty(place, walk);
  } else if (Array.isArray(desired)) items(place, desired, walk);
  else if (typeof desired === 'object' && desired !== null)
    fields(place, desired as Readonly<Record<string, unknown>>, walk);
  else if (ours.length === 0) report(place, walk);
}

/**
 * True when our POST's entry, which owns maps and lists beside what is in them, has nothing of the latter any more. It then
 * looks as if it owned them as one. Where others own single parts nobody does; and where there are no parts, they were
 * removed.
 */
function isEmptied({ desired, observed, all }: Place): boolean {
  if (typeof desired !== 'object' || desired === null || isHollow(desired)) return false;
  return all.some((node) => !isBare(node)) || observed === undefined || isHollow(observed);
}

function isBare(node: FieldsV1): boolean {
  return Object.keys(node).every((key) => key === '.');
}

/** Zero, false, empty text, an empty map or list, and not ours. */
function empty(place: Place, walk: Walk): void {
  const { desired, observed, all, trail } = place;
  if (observed !== undefined) {
    // What nobody owns the server chose itself, as it does for whoever asks for the cluster IP "". Into a map or a list
    // that is declared empty others may put what they like. Zero that is zero is as it should be, whoever owns it: to the
    // server we did not write it, where it writes zero for nothing.
    if (all.length > 0 && !isHollow(desired) && observed !== desired) report(place, walk);
    return;
  }
  const name = (trail.at(-1) ?? '').slice(2);
  const isStored = !walk.isBuiltIn || (!Array.isArray(desired) && !omittedWhenEmpty.has(name));
  if (isStored) report(place, walk);
  else walk.open.push(asField(place));
}

function fields(place: Place, desired: Readonly<Record<string, unknown>>, walk: Walk): void {
  for (const [key, value] of Object.entries(desired)) {
    const observed = property(place.observed, key);
    visit(step(place, `f:${key}`, place.path === '' ? key : `${place.path}.${key}`, value, observed), walk);
  }
}

function items(place: Place, desired: readonly unknown[], walk: Walk): void {
  const known = place.ours.flatMap((node) => Object.keys(node));
  const others = place.all.flatMap((node) => Object.keys(node));
  if (!known.some(isItem) && !others.some(isItem)) {
    // Nobody owns single items of it: it is atomic, and not ours.
    report(place, walk);
    return;
  }
  const exact = new Set(desired.map((item) => exactSegmentOf(item, known) ?? exactSegmentOf(item, others)));
  const free = (segments: readonly string[]) => segments.filter((segment) => !exact.has(segment));
  for (const [index, item] of desired.entries()) {
    const segment =
      exactSegmentOf(item, known) ??
      exactSegmentOf(item, others) ??
      looseSegmentOf(item, free(known)) ??
      looseSegmentOf(item, free(others));
    const path = `${place.path}[${index}]`;
    const observed = Array.isArray(place.observed) ? observedItem(place.observed, item, segment) : undefined;
    if (segment === undefined) report({ ...place, path, desired: item, observed }, walk);
    else if (segment.startsWith('v:')) {
      if (!known.includes(segment))
        report({ ...place, path, trail: [...place.trail, segment], desired: item, observed }, walk);
    } else visit(step(place, segment, path, item, observed), walk);
  }
}

function step(place: Place, segment: string, path: string, desired: unknown, observed: unknown): Place {
  const below = (nodes: readonly FieldsV1[]) =>
    nodes.flatMap((node) => (Object.hasOwn(node, segment) ? [node[segment] as FieldsV1] : []));
  return { path, trail: [...place.trail, segment], desired, observed, ours: below(place.ours), all: below(place.all) };
}

function report(place: Place, walk: Walk): void {
  walk.lost.push(asField(place));
}

function asField({ path, trail, desired, observed }: Place): UncoveredField {
  return { path, trail, desired, observed };
}

/** The segment that stands for `item`: a set's value, or keys that are all there and fit. */
function exactSegmentOf(item: unknown, segments: readonly string[]): string | undefined {
  return segments.find((segment) =>
    segment.startsWith('v:')
      ? // Not as text: the server escapes other characters than we do.
        JSON.parse(segment.slice(2)) === item
      : keysOf(segment)?.every(([key, value]) => property(item, key) === value),
  );
}

/** The same where a key that is left out has its default. */
function looseSegmentOf(item: unknown, segments: readonly string[]): string | undefined {
  return segments.find((segment) =>
    keysOf(segment)?.every(([key, value]) => [value, undefined].includes(property(item, key) as typeof value)),
  );
}

function keysOf(segment: string): [key: string, value: unknown][] | undefined {
  return segment.startsWith('k:') ? Object.entries(JSON.parse(segment.slice(2)) as object) : undefined;
}

function observedItem(observed: readonly unknown[], item: unknown, segment: string | undefined): unknown {
  const keys = segment === undefined ? undefined : keysOf(segment);
  if (keys) return observed.find((each) => keys.every(([key, value]) => property(each, key) === value));
  return observed.includes(item) ? item : undefined;
}

/** What a server may leave out when it stores it. */
function isEmpty(value: unknown): boolean {
  return value === '' || value === false || value === 0 || value === null || isHollow(value);
}

/** Nothing in it can be changed by anybody, only added to. */
function isHollow(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

function isItem(segment: string): boolean {
  return segment.startsWith('k:') || segment.startsWith('v:');
}

function property(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Readonly<Record<string, unknown>>)[key]
    : undefined;
}
