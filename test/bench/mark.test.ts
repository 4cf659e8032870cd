import { describe, expect, it } from '@jest/globals';
import { atLeast, atMost, type ByRound, neverAbove, type Samples, slowestAtMost, verdictOf } from './mark.js';

describe('a mark', () => {
  it.each<[ByRound, string, string]>([
    [[0.9], '0.9', 'yes'],
    [[1.1], '1.1', '**no**'],
    [[1.2, 0.8, 0.9], '0.9 (0.8–1.2)', 'reached, in 2 of 3 rounds'],
    [[1.2, 0.8, 1.1], '1.1 (0.8–1.2)', '**no**, in 1 of 3 rounds'],
    [[0.7, undefined, 0.9], '0.8 (0.7–0.9)', 'reached, in 2 of 3 rounds'],
    [[0.8, undefined, undefined], '0.8', '**no**, in 1 of 3 rounds'],
    [[0.8, undefined], '0.8', '**no**, in 1 of 2 rounds'],
    [[undefined, undefined], '', '**not measured**'],
    [[], '', '**not measured**'],
  ])(
    'of at most 1 holds the median of %j to it, and a round without a number for missed',
    (values, reached, verdict) => {
      const mark = atMost('what', 1, values, 1);
      expect([mark.reached, verdictOf(mark)]).toEqual([reached, verdict]);
      expect(mark.isReached).toBe(/^(yes|reached)/.test(verdict));
    },
  );

  it('of at least something has a round without a number for missed too', () => {
    expect(verdictOf(atLeast('what', 1, [2, undefined, 3], 1))).toBe('reached, in 2 of 3 rounds');
    expect(verdictOf(atLeast('what', 1, [2, undefined], 1))).toBe('**no**, in 1 of 2 rounds');
  });

  it.each<[ByRound, string]>([
    [[0.9, 1, 0.8], 'reached, in 3 of 3 rounds'],
    [[0.5, 1.01, 0.5], '**no**, in 2 of 3 rounds'],
    [[0.5, undefined, 0.5], '**no**, in 2 of 3 rounds'],
    [[], '**not measured**'],
  ])('of never above 1 is held to it in the worst round of %j', (values, verdict) => {
    expect(verdictOf(neverAbove('what', 1, values, 2))).toBe(verdict);
  });
});

describe('the mark of a p99', () => {
  const size = { samples: 200, digits: 1 };
  const samples = (slow: number): Samples => {
    const all = Array.from({ length: 200 }, (_, index) => (index < slow ? 40 : 4));
    return { slowest: slow >= 2 ? 40 : 4, all };
  };

  it('is held to by the samples of all rounds together', () => {
    const mark = slowestAtMost('p99', 15, [samples(3), samples(3), samples(0)], size);
    expect(mark.reached).toBe('40.0 of 600 samples; by round 40.0 (4.0–40.0)');
    expect(verdictOf(mark)).toBe('**no**, in 1 of 3 rounds');
    expect(verdictOf(slowestAtMost('p99', 15, [samples(3), samples(1), samples(1)], size))).toBe(
      'reached, in 2 of 3 rounds',
    );
  });

  it('is of the samples alone where there was one round', () => {
    const mark = slowestAtMost('p99', 15, [samples(1)], size);
    expect([mark.reached, verdictOf(mark)]).toEqual(['4.0 of 200 samples', 'yes']);
  });

  it('is not reached where a round ended before it, whose samples never came', () => {
    const mark = slowestAtMost('p99', 15, [samples(0), undefined, samples(0)], size);
    expect([mark.reached, verdictOf(mark)]).toEqual(['4.0 of 400 samples; by round 4.0', '**no**, in 2 of 3 rounds']);
  });

  it('is that of the rounds where their samples were not kept', () => {
    const mark = slowestAtMost('p99', 15, [{ slowest: 12 }, { slowest: 18 }, { slowest: 14 }], size);
    expect(mark.reached).toBe('14.0 (12.0–18.0); samples not recorded');
    expect(mark.isReached).toBe(true);
  });

  it('is not measured without a round', () => {
    expect(verdictOf(slowestAtMost('p99', 15, [], size))).toBe('**not measured**');
  });
});
