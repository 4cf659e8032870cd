import type { FieldsV1, KubeObject, ManagedFieldsEntry, Manifest } from '../kube/manifest.js';
import { isEmptyCollection } from '../kube/plain-map.js';
import type { DriftPolicy, FieldModes } from './drift-policy.js';
import { shownPath } from './hidden.js';
import { allInOne, entriesOf, isNobodys, ownershipOf } from './ownership.js';
import type { UncoveredField } from './uncovered.js';
import { childAt, isKeyOf } from './value-at.js';

/** What others added to a child, by what is to be done about it. */
export interface Additions {
  /** To be removed: the operator is strict there. */
  readonly claimed: readonly UncoveredField[];
  /** To be shown, and left alone. */
  readonly reported: readonly UncoveredField[];
}

/** Parts of a cluster that write into other's objects what belongs there. */
const ownControllers: ReadonlySet<string> = new Set([
  'kube-controller-manager',
  'cloud-controller-manager',
  'kube-scheduler',
  'kube-apiserver',
  'kubelet',
  ...allInOne,
]);

/** Parts of `metadata` in which others write about an object, and not what it is. */
const notes: ReadonlySet<string> = new Set(['f:annotations', 'f:finalizers', 'f:ownerReferences']);

/**
 * What others have added to `observed`, judged by `policy`. What is nobody's may be what the server made of our own. What is shared
 * counts where something else is desired now: the next apply leaves to others what they have of what we had as well.
 */
export function judgedAdditions(
  desired: Manifest,
  observed: KubeObject,
  manager: string,
  policy: DriftPolicy,
  shared = { isShared: false },
): Additions {
  const modes = policy.fieldsOf(desired);
  const named = entriesOf(observed).filter((entry) => !isNobodys(entry));
  const found = additionsIn(named, desired, observed, manager, policy, shared).filter(
    ({ trail }) => modes?.modeOf(trail) !== 'ignore',
  );
  const isStrict = policy.isStrict(desired);
  const claimed = found.filter(
    ({ trail }) => modes?.modeOf(trail) !== 'report' && (modes?.isStrict(trail) ?? isStrict),
  );
  return { claimed, reported: found.filter((field) => !claimed.includes(field)) };
}

/**
 * Whatever of others may be removed should it keep the server from accepting what is desired: also what was ours as well and
 * is desired no more, which an apply of ours leaves to them, in part or as a whole.
 */
export function removableAdditions(
  desired: Manifest,
  observed: KubeObject,
  manager: string,
  policy: DriftPolicy,
): readonly UncoveredField[] {
  const modes = policy.fieldsOf(desired);
  const found = additionsIn(entriesOf(observed), desired, observed, manager, policy, { isShared: true });
  return found.filter(({ trail }) => ['enforce', undefined].includes(modes?.modeOf(trail)));
}

/**
 * What others, by their `entries`, have under what `desired` declares, and it does not: an item of a list, a key of a map, a
 * field. Server-side apply leaves it where it is.
 *
 * No value is compared, and nobody's defaults are taken for somebody's. Annotations, finalizers and owner references are
 * there for others to write, so that only a rule which leads there finds them; status and what is written through
 * subresources is not looked at, nor what a cluster's own controllers write, nor what was written in another version. What we
 * have as well is ours, unless what is shared counts, too.
 */
function additionsIn(
  entries: readonly ManagedFieldsEntry[],
  desired: Manifest,
  observed: KubeObject,
  manager: string,
  policy: DriftPolicy,
  { isShared } = { isShared: false },
): UncoveredField[] {
  const ours = ownershipOf(observed, manager).fields;
  const found = new Map<string, Omit<UncoveredField, 'path'>>();
  for (const { fieldsV1 = {} } of entries.filter((entry) => isOthers(entry, manager, desired.apiVersion))) {
    visit({ theirs: fieldsV1, ours, isShared, desired, observed, trail: [] }, found);
  }
  const modes = policy.fieldsOf(desired);
  return [...found.values()]
    .filter(({ trail }) => isMeant(trail, modes))
    .map((field) => ({ ...field, path: shownPath(desired, field.trail, policy) }));
}

/** What is in `fields`, of whoever has them, and not in `desired`. */
export function undeclaredIn(
  fields: FieldsV1,
  desired: Manifest,
  observed: KubeObject,
  policy: DriftPolicy,
): UncoveredField[] {
  const found = new Map<string, Omit<UncoveredField, 'path'>>();
  visit({ theirs: fields, ours: [], isShared: false, desired, observed, trail: [] }, found);
  return [...found.values()].map((field) => ({ ...field, path: shownPath(desired, field.trail, policy) }));
}

interface Place {
  readonly theirs: FieldsV1;
  readonly ours: readonly FieldsV1[];
  readonly isShared: boolean;
  readonly desired: unknown;
  readonly observed: unknown;
  readonly trail: readonly string[];
}

function visit(
  { theirs, ours, isShared, desired, observed, trail }: Place,
  found: Map<string, Omit<UncoveredField, 'path'>>,
): void {
  for (const [segment, node] of Object.entries(theirs)) {
    // Of an item that is declared so are its keys, also those that are left to their defaults.
    if (segment === '.' || isKeyOf(trail.at(-1) ?? '', segment)) continue;
    const below: Place = {
      theirs: node,
      ours: ours.flatMap((each) => (Object.hasOwn(each, segment) ? [each[segment] as FieldsV1] : [])),
      isShared,
      desired: declaredAt(desired, segment, ours),
      observed: childAt(observed, segment, 'exactly'),
      trail: [...trail, segment],
    };
    // In metadata notes stand beside labels, also where we declare none of it.
    if (below.desired === undefined && segment === 'f:metadata') visit(below, found);
    else if (below.desired === undefined) {
      // Who declares it empty leaves to others what is in it.
      if ((below.ours.length > 0 && !isShared) || below.observed === undefined || isEmptyCollection(desired)) continue;
      found.set(below.trail.join('\n'), {
        trail: below.trail,
        desired: undefined,
        observed: below.observed,
      });
    } else if (isOwnedAsOne(node)) {
      // It is declared: that somebody else has it is drift, and found as such.
    } else visit(below, found);
  }
}

/**
 * What is declared at `segment`. An item of which keys are left to their defaults is declared at whatever fits, unless we have
 * it at another place: beside our port 443, of TCP by default, another's of UDP is not the same.
 */
function declaredAt(desired: unknown, segment: string, ours: readonly FieldsV1[]): unknown {
  const found = childAt(desired, segment, 'loosely');
  if (!segment.startsWith('k:') || found === undefined || childAt(desired, segment, 'exactly') !== undefined)
    return found;
  const known = ours.flatMap((node) => Object.keys(node));
  const isElsewhere = (other: string) =>
    other.startsWith('k:') &&
    childAt([found], other, 'loosely') !== undefined &&
    // Unless another item is declared to be just that.
    childAt(desired, other, 'exactly') === undefined;
  return known.includes(segment) || !known.some(isElsewhere) ? found : undefined;
}

function isOthers(
  { manager = '', subresource, apiVersion }: ManagedFieldsEntry,
  ours: string,
  version: string,
): boolean {
  return manager !== ours && !subresource && !ownControllers.has(manager) && apiVersion === version;
}

function isMeant(trail: readonly string[], modes: FieldModes | undefined): boolean {
  if (trail[0] === 'f:status') return false;
  const at = trail.findIndex((segment, index) => notes.has(segment) && trail[index - 1] === 'f:metadata');
  if (at >= 0) return modes?.names(trail, at + 1) ?? false;
  return trail[0] !== 'f:metadata' || trail[1] === 'f:labels';
}

function isOwnedAsOne(node: FieldsV1): boolean {
  return Object.keys(node).every((key) => key === '.');
}
