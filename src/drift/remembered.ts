import type { KubeObject, Manifest } from '../kube/manifest.js';
import type { FieldModes } from './drift-policy.js';
import { appliedHash, outdated } from './hash.js';
import { allFieldsOf, type Ownership, ownershipOf } from './ownership.js';
import { type Coverage, coverageOf, type UncoveredField } from './uncovered.js';

/** How a child looked after our own last write of it, or when it was first found as it should be. */
export interface Remembered {
  /** Of what was applied then. */
  readonly hash: string | undefined;
  /** Changes when anybody writes under our name. */
  readonly writes: string;
  /** What was desired then and another's even so, or in another order: nothing that we write makes it ours, or changes that. */
  readonly lost: ReadonlySet<string>;
  /** What was desired then and nobody's, for want of a value. */
  readonly open: ReadonlySet<string>;
}

/** What is to be remembered of a child that was just written, or found, as `manifest` has it. */
export function remember(manifest: Manifest, child: KubeObject, manager: string): Remembered {
  return seenAs(child, ownershipOf(child, manager), manifest);
}

/** `last` of a child whose entries of ours are one by now, and of which nothing else was changed. */
export function withOneEntry(last: Remembered, child: KubeObject, manager: string): Remembered {
  const isAsNoted = child.metadata.annotations?.[appliedHash] === last.hash;
  return isAsNoted ? { ...last, writes: ownershipOf(child, manager).writes } : last;
}

function seenAs(
  child: KubeObject,
  { fields, writes }: Ownership,
  manifest: Manifest,
  { lost, open, moved }: Coverage = coverageOf(manifest, child, fields, allFieldsOf(child)),
): Remembered {
  const hash = child.metadata.annotations?.[appliedHash];
  return { hash, writes, lost: setOf([...lost.map(trailOf), ...moved.map(orderOf)]), open: setOf(open.map(trailOf)) };
}

/** What became of a child since. */
export interface Look {
  /** What was applied last, or undefined when nothing tells. */
  readonly hash: string | undefined;
  /** What was taken from us, or removed, or put in another order. Who looks once cannot tell that somebody did the last. */
  readonly taken: readonly UncoveredField[];
  /** Somebody wrote it under our own name. */
  readonly isOverwritten: boolean;
  /** What is to be remembered of it, if it is found as it should be. */
  readonly seen: Remembered;
}

/** Holds a child against what is remembered of it; a process that remembers nothing goes by what the child shows. */
export function look(
  manifest: Manifest,
  child: KubeObject,
  manager: string,
  last: Remembered | undefined,
  modes?: FieldModes,
): Look {
  const ownership = ownershipOf(child, manager);
  const coverage = coverageOf(manifest, child, ownership.fields, allFieldsOf(child));
  const { lost } = coverage;
  const isOurNote = !lost.some(({ path }) => path === `metadata.annotations.${appliedHash}`);
  const note = isOurNote ? child.metadata.annotations?.[appliedHash] : undefined;
  // By whoever led until now, say, in the very second of our own write: `managedFields` tells no more of the time.
  const isAnothers = last !== undefined && note !== undefined && note !== outdated && note !== last.hash;
  return {
    // Our own note that an apply is to follow tells more than what is remembered from before it.
    hash: last && note !== outdated ? last.hash : note,
    taken: last ? takenSince(last, coverage, modes) : lost,
    isOverwritten: last ? isAnothers || last.writes !== ownership.writes : ownership.isOverwritten,
    // Of one that is known, nothing new is learnt.
    seen: last ?? seenAs(child, ownership, manifest, coverage),
  };
}

function takenSince(last: Remembered, { lost, open, moved }: Coverage, modes: FieldModes | undefined) {
  return [
    ...lost.filter((field) => !last.lost.has(trailOf(field))),
    ...open.filter((field) => !last.open.has(trailOf(field)) && !last.lost.has(trailOf(field))),
    ...moved.filter(
      (field) => !last.lost.has(orderOf(field)) && (modes?.modeOf(field.trail) ?? 'enforce') === 'enforce',
    ),
  ];
}

/** One for all children that have none, which nearly all are: a set of its own takes 200 bytes even so. */
const none: ReadonlySet<string> = new Set();

function setOf(places: readonly string[]): ReadonlySet<string> {
  return places.length === 0 ? none : new Set(places);
}

function trailOf({ trail }: UncoveredField): string {
  return trail.join('\n');
}

/** Where a list is, and the order in which it is there. */
function orderOf(field: UncoveredField): string {
  return `${trailOf(field)}\n${JSON.stringify(field.observed)}`;
}
