/** A walk over a desired object and over the fields that managers own, side by side. */
import { groupOf } from '../kube/api-resource.js';
import { isBuiltIn } from '../kube/built-in-groups.js';
import type { FieldsV1, Manifest } from '../kube/manifest.js';
import { isEmptyCollection, isEmptyValue, property } from '../kube/plain-map.js';
import { type FoundItem, isReordered, ordersOf } from './item-order.js';
import { exactSegmentOf, isItem, looseSegmentOf, missingSegmentOf, observedItem } from './item-segments.js';
import { omittedWhenEmpty } from './omitted-when-empty.js';

/** A leaf that is desired and that we do not own (any more). */
export interface UncoveredField {
  /** For people: `spec.template.spec.containers[0].image`. */
  readonly path: string;
  /** The same in the form of `fieldsV1`, to find out who owns it. */
  readonly trail: readonly string[];
  readonly desired: unknown;
  /** Undefined when it is not there. */
  readonly observed: unknown;
  /** It is a list, and all that is not as desired is the order of its items, which are then named by their keys. */
  readonly isOrder?: true;
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
  /** Lists that have their items in another order. */
  readonly moved: readonly UncoveredField[];
}

interface Walk {
  readonly lost: UncoveredField[];
  readonly open: UncoveredField[];
  readonly moved: UncoveredField[];
  readonly isBuiltIn: boolean;
  /** True for a kind into whose lists and maps the server puts nothing of its own. Into the tolerations of a Pod, say, it does. */
  readonly isKept: boolean;
}

/** One place in all trees at once, by the way that leads there. Hardly any is ever told of, so that its names can wait. */
interface Place {
  readonly above: Place | undefined;
  /** In the form of `fieldsV1`. Empty for the whole. */
  readonly segment: string;
  /** Of an item of a list. */
  readonly index: number | undefined;
  readonly desired: unknown;
  readonly observed: unknown;
  /** Our entries' nodes there. */
  readonly ours: readonly FieldsV1[];
  /** Those of every manager, once somebody has asked for them. */
  all?: readonly FieldsV1[];
}

/**
 * The leaves of `desired` that are not in `ours`, the fields of our own entries: what somebody else changed or removed.
 *
 * Needs no schema: `f:` is a key, `k:{…}` a list item by its keys, `v:` a set item, and an empty node is a leaf or
 * something that is owned as one. No value is compared, so quantities and defaults cannot raise a false alarm. `all` are
 * the fields of every manager, by which an item is found that is no longer ours.
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
  const isOfServer = isBuiltIn(apiVersion);
  // But for the rules of a ClusterRole that gathers those of others.
  const isKept = !isOfServer || (keptGroups.has(groupOf(apiVersion)) && desired['aggregationRule'] === undefined);
  const walk: Walk = { lost: [], open: [], moved: [], isBuiltIn: isOfServer, isKept };
  const whole = isEmptyCollection(owned) ? rest : { metadata: owned, ...rest };
  visit({ above: undefined, segment: '', index: undefined, desired: whole, observed, ours, all }, walk);
  return walk;
}

/** Of built-in kinds. In others admission or a controller fills what is empty: the tolerations of a Pod, the metrics of an autoscaler. */
const keptGroups: ReadonlySet<string> = new Set([
  'apps',
  'batch',
  'networking.k8s.io',
  'policy',
  'rbac.authorization.k8s.io',
]);

function visit(place: Place, walk: Walk): void {
  const { desired, ours } = place;
  // Owned as one, whatever is in it. An entry that is empty as a whole owns nothing.
  if (place.above && ours.some(isBare) && !isEmptied(place)) return;
  if (isEmptyValue(desired)) {
    if (ours.length === 0) empty(place, walk);
  } else if (Array.isArray(desired)) items(place, desired, walk);
  else if (typeof desired === 'object' && desired !== null)
    fields(place, desired as Readonly<Record<string, unknown>>, walk);
  else if (ours.length === 0) report(place, walk);
}

/**
 * True when our POST's entry, which owns maps and lists beside what is in them, has nothing of the latter any more. It then
 * looks as if it owned them as one. Where others own single parts nobody does; and where parts are not there, they were
 * removed: what is owned as one is there as a whole.
 */
function isEmptied(place: Place): boolean {
  const { desired, observed } = place;
  if (typeof desired !== 'object' || desired === null || isEmptyCollection(desired)) return false;
  return allAt(place).some((node) => !isBare(node)) || isEmptyCollection(observed) || lacksPart(desired, observed);
}

/** True when `observed` has nothing in a place where `desired` has more than what the server may leave out. */
function lacksPart(desired: unknown, observed: unknown): boolean {
  if (observed === undefined) return !isEmptyValue(desired);
  if (typeof desired !== 'object' || desired === null || Array.isArray(desired)) return false;
  return Object.entries(desired).some(([key, value]) => lacksPart(value, property(observed, key)));
}

function isBare(node: FieldsV1): boolean {
  for (const key in node) if (key !== '.') return false;
  return true;
}

/** Zero, false, empty text, an empty map or list, and not ours. */
function empty(place: Place, walk: Walk): void {
  const { desired, observed, segment } = place;
  if (observed !== undefined) {
    // What nobody owns the server chose itself, as it does for whoever asks for the cluster IP "". Others may put what they like
    // into a map or a list that is declared empty, unless its owner has all of it and the server puts nothing of its own there.
    // A zero that is zero is as it should be, whoever owns it: where the server stores zero for an absent field, it takes ours
    // for absent.
    const owners = allAt(place);
    const isFilled = walk.isKept && !isEmptyCollection(observed) && owners.every(isBare);
    if (owners.length > 0 && (isEmptyCollection(desired) ? isFilled : observed !== desired)) report(place, walk);
    return;
  }
  const name = segment.slice(2);
  const isStored = walk.isBuiltIn ? !Array.isArray(desired) && !omittedWhenEmpty.has(name) : !isOfMetadata(place);
  if (isStored) report(place, walk);
  else walk.open.push(asField(place));
}

/** True for what the metadata of an embedded resource may have, of which the server stores nothing empty, as of its own. */
function isOfMetadata({ above, segment }: Place): boolean {
  return above?.segment === 'f:metadata' && /^f:(annotations|finalizers|labels|ownerReferences)$/.test(segment);
}

function fields(place: Place, desired: Readonly<Record<string, unknown>>, walk: Walk): void {
  for (const key of Object.keys(desired)) {
    visit(step(place, `f:${key}`, undefined, desired[key], property(place.observed, key)), walk);
  }
}

function items(place: Place, desired: readonly unknown[], walk: Walk): void {
  const known = segmentsIn(place.ours);
  // Hardly ever is an item to be looked for among those of others.
  let all: readonly string[] | undefined;
  const others = () => {
    all ??= segmentsIn(allAt(place));
    return all;
  };
  const sibling = known.find(isItem) ?? others().find(isItem);
  if (sibling === undefined) {
    // Nobody owns single items of it: it is atomic, and not ours.
    report(place, walk);
    return;
  }
  const exact = desired.map((item) => exactSegmentOf(item, known) ?? exactSegmentOf(item, others()));
  const free = (segments: readonly string[]) => segments.filter((segment) => !exact.includes(segment));
  const found: FoundItem[] = [];
  for (const [index, item] of desired.entries()) {
    const segment = exact[index] ?? looseSegmentOf(item, free(known)) ?? looseSegmentOf(item, free(others()));
    const observed = Array.isArray(place.observed) ? observedItem(place.observed, item, segment) : undefined;
    if (segment === undefined) report(step(place, missingSegmentOf(item, sibling), index, item, observed), walk);
    else if (segment.startsWith('v:')) {
      if (!known.includes(segment)) report(step(place, segment, index, item, observed), walk);
    } else {
      if (observed !== undefined) found.push({ segment, observed });
      visit(step(place, segment, index, item, observed), walk);
    }
  }
  const list = place.observed as readonly unknown[];
  if (isReordered(found, list)) walk.moved.push({ ...asField(place), ...ordersOf(found, list), isOrder: true });
}

function segmentsIn(nodes: readonly FieldsV1[]): readonly string[] {
  const [only, another] = nodes;
  return only && !another ? Object.keys(only) : nodes.flatMap((node) => Object.keys(node));
}

function step(above: Place, segment: string, index: number | undefined, desired: unknown, observed: unknown): Place {
  return { above, segment, index, desired, observed, ours: below(above.ours, segment) };
}

function allAt(place: Place): readonly FieldsV1[] {
  place.all ??= place.above ? below(allAt(place.above), place.segment) : [];
  return place.all;
}

function below(nodes: readonly FieldsV1[], segment: string): readonly FieldsV1[] {
  const found: FieldsV1[] = [];
  for (const node of nodes) if (Object.hasOwn(node, segment)) found.push(node[segment] as FieldsV1);
  return found;
}

function report(place: Place, walk: Walk): void {
  walk.lost.push(asField(place));
}

function asField(place: Place): UncoveredField {
  const { desired, observed } = place;
  const trail: string[] = [];
  let path = '';
  for (let at: Place | undefined = place; at; at = at.above) {
    if (at.segment !== '') trail.unshift(at.segment);
    path = labelOf(at) + path;
  }
  return { path: path.startsWith('.') ? path.slice(1) : path, trail, desired, observed };
}

/** For people: `.replicas`, `[0]`. */
function labelOf({ segment, index }: Place): string {
  if (index !== undefined) return `[${index}]`;
  return segment === '' ? '' : `.${segment.slice(2)}`;
}
