import { describe, expect, it } from '@jest/globals';
import type { Difference } from '../../src/drift/difference.js';
import { type Fight, heldUntil, isFight, nextRound, overAt, quarrels, showFight } from '../../src/drift/fights.js';

const seconds = (count: number) => count * 1000;
const minutes = (count: number) => count * 60_000;
const difference = (manager: string | undefined, field: string, rest: Partial<Difference> = {}): Difference => ({
  path: `spec.${field}`,
  trail: ['f:spec', `f:${field}`],
  desired: 3,
  observed: 9,
  by: manager === undefined ? undefined : { manager, operation: 'Update', time: undefined },
  ...rest,
});
const round = { over: 'rival', desired: 'hash', difference: difference('rival', 'replicas') };
/** What is known after a round at each of `moments`. */
const roundsAt = (...moments: readonly number[]): Fight =>
  moments.reduce<Fight | undefined>((fight, now) => nextRound(fight, round, now), undefined) as Fight;

describe('a fight', () => {
  it.each<[string, readonly number[], boolean]>([
    ['is not begun by one round', [0], false],
    ['is not begun by two', [0, 10], false],
    ['is begun by three in a row', [0, 10, 20], true],
    ['is begun by three within minutes', [0, minutes(4), minutes(8)], true],
    ['is not what happens now and then', [0, minutes(6), minutes(12), minutes(18), minutes(24)], false],
  ])('%s', (_, moments, expected) => {
    expect(isFight(roundsAt(...moments))).toBe(expected);
  });

  it('is put off for twice as long after each round, up to an hour', () => {
    const delays: number[] = [];
    let fight = roundsAt(0);
    for (let rounds = 1; rounds < 14; rounds++) {
      delays.push((heldUntil(fight) - fight.lastAt) / 1000);
      fight = nextRound(fight, round, heldUntil(fight));
    }
    expect(delays).toEqual([0, 0, 15, 30, 60, 120, 240, 480, 960, 1920, 3600, 3600, 3600]);
  });

  it('begins anew when something else is desired', () => {
    const fight = nextRound(roundsAt(0, 1, 2), { ...round, desired: 'other' }, 3);
    expect(isFight(fight)).toBe(false);
    expect(heldUntil(fight)).toBe(3);
  });

  it('is over when the rival stays away for twice the delay, or five minutes', () => {
    const young = roundsAt(0, 1, 2);
    expect(overAt(young) - young.lastAt).toBe(minutes(5));
    let old = young;
    while (old.rounds < 9) old = nextRound(old, round, heldUntil(old));
    expect(overAt(old) - old.lastAt).toBe(seconds(2 * 960));
    expect(nextRound(old, round, overAt(old) + minutes(20)).rounds).toBe(1);
  });
});

describe('a quarrel', () => {
  it('is of one writer, over all that it wrote, in whatever order', () => {
    const drift = [difference('a', 'x'), difference('b', 'y'), difference('a', 'z'), difference(undefined, 'gone')];
    expect(quarrels(drift).map(({ difference: { path, by } }) => `${path} ${by?.manager}`)).toEqual([
      'spec.x a',
      'spec.y b',
      'spec.gone undefined',
    ]);
    expect(new Set(quarrels(drift.toReversed()).map(({ over }) => over))).toEqual(
      new Set(quarrels(drift).map(({ over }) => over)),
    );
  });

  it('is another one when it is over another field', () => {
    expect(quarrels([difference('a', 'x')])[0]?.over).not.toBe(quarrels([difference('a', 'y')])[0]?.over);
  });
});

it.each<[Difference, string]>([
  [difference('rival', 'replicas'), 'spec.replicas: we write 3, "rival" (Update) writes 9'],
  [
    difference(undefined, 'replicas', { observed: undefined }),
    'spec.replicas: we write 3, somebody who leaves no trace removes it',
  ],
  [difference('rival', 'extra', { desired: undefined }), 'spec.extra: we remove it, "rival" (Update) writes 9'],
])('a fight names the field, the rival and the two values', (of, shown) => {
  expect(showFight({ ...roundsAt(0), difference: of })).toBe(shown);
});
