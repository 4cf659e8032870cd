import { describe, expect, it } from '@jest/globals';
import { stillness } from '../../../src/runtime/author/stillness.js';

describe('whether a count stands still', () => {
  /** The times of the looks at a count that stands still from 0 on at which it is said. */
  const saidAt = (...times: readonly number[]) => {
    const still = stillness(1000, 250);
    still.begin(7, 0);
    return times.filter((time) => still.look(7, time));
  };

  it.each<[string, readonly number[], readonly number[]]>([
    ['after a second of looks that come in time', [250, 500, 750, 1000, 1250], [1000]],
    ['after two looks, where each comes late', [900, 1800], [1800]],
    ['once, however long it lasts', [600, 1200, 1800, 2400, 60_000], [1200]],
    ['by no look alone, before which all of the process may have been stopped', [30_000], []],
    ['by the look after that, where who counts has had a turn as well', [30_000, 30_250], [30_250]],
  ])('is said %s', (_, looks, said) => {
    expect(saidAt(...looks)).toEqual(said);
  });

  it('is said anew of another standstill, and not as long as it goes on', () => {
    const still = stillness(1000, 250);
    still.begin(1, 0);
    expect([still.look(2, 900), still.look(3, 1800), still.look(3, 2400), still.look(3, 3000)]).toEqual([
      false,
      false,
      false,
      true,
    ]);
    expect([still.look(4, 3900), still.look(4, 4600), still.look(4, 5300)]).toEqual([false, false, true]);
  });

  it('is not said for what stood before it was looked at', () => {
    const still = stillness(1000, 250);
    still.begin(1, 0);
    expect(still.look(1, 740)).toBe(false);
    still.begin(1, 800);
    expect(still.look(1, 1100)).toBe(false);
  });
});
