import { type Difference, differences, eventDifferences } from './difference.js';
import type { Operation } from './operation.js';
import { Session } from './session.js';
import type { Target } from './target.js';

/** A difference, and at which operation it showed. */
export interface Found extends Difference {
  readonly operation: Operation;
  /** What both answered, for the story. */
  readonly codes: { readonly here: number; readonly there: number };
}

export interface Run {
  readonly found: readonly Found[];
  /** How many operations were run on both. */
  readonly operations: number;
  /** The codes of all answers, by operation. */
  readonly codes: ReadonlyMap<number, { readonly here: number; readonly there: number }>;
}

export interface Sides {
  /** The server on trial. */
  readonly here: Target;
  /** The real one. */
  readonly there: Target;
}

/**
 * Runs the same operations on both and compares every answer, and at the end the events of every watch.
 *
 * Goes on after a difference in how both refuse, for that leaves both worlds alike, and after one in who owns what, of which
 * it then tells no more. After any other it stops: what would follow would only be consequences.
 */
export async function runTrace(operations: readonly Operation[], sides: Sides, names: () => string): Promise<Run> {
  const here = new Session(sides.here, names());
  const there = new Session(sides.there, names());
  const found: Found[] = [];
  const codes = new Map<number, { here: number; there: number }>();
  try {
    await Promise.all([here.begin(operations), there.begin(operations)]);
    let isAlike = true;
    for (const operation of operations) {
      const [ours, theirs] = await Promise.all([here.step(operation), there.step(operation)]);
      const both = { here: ours.code, there: theirs.code };
      codes.set(operation.id, both);
      const differing = differences(ours, theirs).map((difference) => ({ ...difference, operation, codes: both }));
      const isOwnershipTold = found.some(({ aspect }) => isOfOwners(aspect));
      found.push(...differing.filter(({ aspect }) => !(isOfOwners(aspect) && isOwnershipTold)));
      isAlike = differing.every(({ aspect }) => isOfOwners(aspect)) || (ours.code >= 400 && theirs.code >= 400);
      if (!isAlike) break;
    }
    if (isAlike) {
      const isOwnershipTold = found.some(({ aspect }) => isOfOwners(aspect));
      const told = await watched(operations, here, there);
      found.push(...told.filter(({ aspect }) => !(isOfOwners(aspect) && isOwnershipTold)));
    }
  } finally {
    await Promise.all([here.end(operations), there.end(operations)]);
  }
  return { found, operations: codes.size, codes };
}

function isOfOwners(aspect: string): boolean {
  return aspect.includes('metadata.managedFields');
}

async function watched(operations: readonly Operation[], here: Session, there: Session): Promise<Found[]> {
  const [ours, theirs] = await Promise.all([here.finish(), there.finish()]);
  const codes = { here: 200, there: 200 };
  return operations.flatMap((operation) => {
    if (!ours.has(operation.id) && !theirs.has(operation.id)) return [];
    const [told, expected] = [ours.get(operation.id), theirs.get(operation.id)];
    // The real server's silence is the harness's fault: it could not make anything happen that this watch tells.
    if (!expected) return [];
    const differences: Difference[] = told
      ? eventDifferences(told, expected)
      : [{ aspect: 'events: the watch stays silent', here: '', there: JSON.stringify(expected).slice(0, 300) }];
    return differences.map((difference) => ({ ...difference, operation, codes }));
  });
}
