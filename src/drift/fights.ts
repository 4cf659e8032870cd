import { type Damping, delayAfter, truceAfter } from './damping.js';
import { type Difference, showValue } from './difference.js';

/**
 * Somebody changes back what we put back, again and again: the same fields, the same writer.
 *
 * It is the alternation that counts, and not how much is written: who changes a field once, many children at once, or
 * something else each time fights with nobody.
 */
export interface Fight {
  /** Who writes the fields that we write, and which: the same for as long as it is the same fight. */
  readonly over: string;
  /** What was desired then. When that changes, it is over. */
  readonly desired: string;
  /** How often in a row we put it back. */
  readonly rounds: number;
  /** When we did so last, in milliseconds of a clock that never goes back. */
  readonly lastAt: number;
  /** The first of the fields, for people. */
  readonly difference: Difference;
}

const damping: Damping = {
  roundsOfFight: 3,
  firstDelay: 15_000,
  longestDelay: 60 * 60_000,
  patience: 5 * 60_000,
};

/** True when it is no accident any more. */
export function isFight({ rounds }: Fight): boolean {
  return rounds >= damping.roundsOfFight;
}

/** Until when the fields are left as the rival wrote them: twice as long after each round, up to an hour. */
export function heldUntil(fight: Fight): number {
  return isFight(fight) ? fight.lastAt + delayOf(fight) : fight.lastAt;
}

/** When the rival has stayed away for so long that it is over. */
export function overAt(fight: Fight): number {
  return fight.lastAt + truceAfter(fight.rounds, damping);
}

/** What is known after one more round at `now`. */
export function nextRound(
  before: Fight | undefined,
  round: { readonly over: string; readonly desired: string; readonly difference: Difference },
  now: number,
): Fight {
  const goesOn = before && before.desired === round.desired && now < overAt(before) + delayOf(before);
  return { ...round, rounds: goesOn ? before.rounds + 1 : 1, lastAt: now };
}

/** What drifted, by who wrote it: one fight each. */
export function quarrels(drift: readonly Difference[]): { readonly over: string; readonly difference: Difference }[] {
  const byWriter = new Map<string, Difference[]>();
  for (const difference of drift) {
    const writer = difference.by ? `${difference.by.manager} ${difference.by.operation}` : '';
    byWriter.set(writer, [...(byWriter.get(writer) ?? []), difference]);
  }
  return [...byWriter].map(([writer, differences]) => ({
    over: [writer, ...differences.map(({ trail }) => trail.join(' ')).sort()].join('\n'),
    difference: differences[0] as Difference,
  }));
}

/** `spec.replicas: we write 3, "other" (Update) writes 9`. The same for as long as both do. */
export function showFight({ difference: { path, desired, observed, by } }: Fight): string {
  const rival = by ? `"${by.manager}" (${by.operation})` : 'somebody who leaves no trace';
  const theirs = observed === undefined ? 'removes it' : `writes ${showValue(observed)}`;
  return `${path}: we ${desired === undefined ? 'remove it' : `write ${showValue(desired)}`}, ${rival} ${theirs}`;
}

function delayOf({ rounds }: Fight): number {
  return delayAfter(rounds, damping);
}
