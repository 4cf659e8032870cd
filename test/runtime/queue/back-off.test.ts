import { describe, expect, it } from '@jest/globals';
import { BackOff, type BackOffOptions } from '../../../src/runtime/queue/back-off.js';

const waits = (count: number, options: Partial<BackOffOptions> = {}) => {
  const backOff = new BackOff({ firstSeconds: 1, mostSeconds: 30, jitter: 1, random: () => 0, ...options });
  return Array.from({ length: count }, () => backOff.next() / 1000);
};

describe('back-off', () => {
  it('doubles up to its limit', () => {
    expect(waits(7)).toEqual([1, 2, 4, 8, 16, 30, 30]);
  });

  it.each([
    ['none, by luck', 1, 0, [1, 2, 4]],
    ['half of what it may add', 1, 0.5, [1.5, 3, 6]],
    ['a tenth at most', 0.1, 1, [1.1, 2.2, 4.4]],
  ])('adds jitter: %s', (_, jitter, luck, expected) => {
    expect(waits(3, { jitter, random: () => luck })).toEqual(expected);
  });

  it('stays finite after any number of failures', () => {
    expect(waits(2000).at(-1)).toBe(30);
  });

  it('begins anew when something worked', () => {
    const backOff = new BackOff({ firstSeconds: 1, mostSeconds: 30, jitter: 0, random: () => 0 });
    backOff.next();
    backOff.next();
    backOff.reset();
    expect(backOff.next()).toBe(1000);
  });
});
