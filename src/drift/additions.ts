import type { FieldsV1, KubeObject, ManagedFieldsEntry, Manifest } from '../kube/manifest.js';
import { isHollow } from '../kube/plain-map.js';
import type { DriftPolicy, FieldModes } from './drift-policy.js';
import { beforeFirstApply, entriesOf, ownershipOf } from './ownership.js';
import type { UncoveredField } from './uncovered.js';
import { childAt } from './value-at.js';

/** What others added to a child, by what is to be done about it. */
export interface Additions {
  /** To be removed: the operator is strict there. */
  readonly claimed: readonly UncoveredField[];
  /** To be shown, and left alone. */
  readonly reported: readonly UncoveredField[];
  /** Whatever may be removed should it keep the server from accepting what is desired. */
  readonly removable: readonly UncoveredField[];
}

/** Parts of a cluster that write into other's objects what belongs there, and the name of what was nobody's. */
const ownControllers: ReadonlySet<string> = new Set([
  'kube-controller-manager',
  'cloud-controller-manager',
  'kube-scheduler',
  'kube-apiserver',
  'kubelet',
  beforeFirstApply,
]);

/** Parts of `metadata` in which others write about an object, and not what it is. */
const notes: ReadonlySet<string> = new Set(['f:annotations', 'f:finalizers', 'f:ownerReferences']);

/** What others have added to `observed`, judged by `policy`. */
export function judgedAdditions(
  desired: Manifest,
  observed: KubeObject,
  manager: string,
  policy: DriftPolicy,
): Additions {
  const modes = policy.fieldsOf(desired);
  const found = additionsTo(desired, observed, manager, modes).filter(({ trail }) => modes?.modeOf(trail) !== 'ignore');
  const isStrict = policy.isStrict(desired);
  const removable = found.filter(({ trail }) => modes?.modeOf(trail) !== 'report');
  const claimed = removable.filter(({ trail }) => modes?.isStrict(trail) ?? isStrict);
  return { claimed, removable, reported: found.filter((field) => !claimed.includes(field)) };
}

/**
 * What others have under what `desired` declares, and it does not: an item of a list, a key of a map, a field. Server-side
 * apply leaves it where it is.
 *
 * No value is compared, and nobody's defaults are taken for somebody's. Annotations, finalizers and owner references are
 * there for others to write, so that only a rule which leads there finds them; status and what is written through
 * subresources is not looked at, nor what a cluster's own controllers write, nor what was written in another version.
 */
export function additionsTo(
  desired: Manifest,
  observed: KubeObject,
  manager: string,
  modes?: FieldModes,
): UncoveredField[] {
  const ours = ownershipOf(observed, manager).fields;
  const found = new Map<string, UncoveredField>();
  for (const entry of entriesOf(observed)) {
    if (!isOthers(entry, manager, desired.apiVersion)) continue;
    visit({ theirs: entry.fieldsV1 ?? {}, ours, desired, observed, trail: [], path: '' }, found);
  }
  return [...found.values()].filter(({ trail }) => isMeant(trail, modes));
}

interface Place {
  readonly theirs: FieldsV1;
  readonly ours: readonly FieldsV1[];
  readonly desired: unknown;
  readonly observed: unknown;
  readonly trail: readonly string[];
  readonly path: string;
}

function visit({ theirs, ours, desired, observed, trail, path }: Place, found: Map<string, UncoveredField>): void {
  for (const [segment, node] of Object.entries(theirs)) {
    if (segment === '.') continue;
    const below: Place = {
      theirs: node,
      ours: ours.flatMap((each) => (Object.hasOwn(each, segment) ? [each[segment] as FieldsV1] : [])),
      desired: childAt(desired, segment, 'loosely'),
      observed: childAt(observed, segment, 'exactly'),
      trail: [...trail, segment],
      path: pathOf(path, segment),
    };
    // In metadata notes stand beside labels, also where we declare none of it.
    if (below.desired === undefined && segment === 'f:metadata') visit(below, found);
    else if (below.desired === undefined) {
      // Who declares it empty leaves to others what is in it.
      if (below.ours.length > 0 || below.observed === undefined || isHollow(desired)) continue;
      found.set(below.trail.join('\n'), {
        path: below.path,
        trail: below.trail,
        desired: undefined,
        observed: below.observed,
      });
    } else if (isOwnedAsOne(node)) {
      // It is declared: that somebody else has it is drift, and found as such.
    } else visit(below, found);
  }
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

function pathOf(path: string, segment: string): string {
  const name = segment.slice(2);
  if (segment.startsWith('v:')) return `${path}[${name}]`;
  if (segment.startsWith('k:')) {
    const keys = Object.entries(JSON.parse(name) as object).map(([key, value]) => `${key}=${String(value)}`);
    return `${path}[${keys.join(',')}]`;
  }
  if (!/^[A-Za-z0-9_$-]+$/.test(name)) return `${path}[${JSON.stringify(name)}]`;
  return path === '' ? name : `${path}.${name}`;
}

function isOwnedAsOne(node: FieldsV1): boolean {
  return Object.keys(node).every((key) => key === '.');
}
