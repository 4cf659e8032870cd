import { describe, expect, it } from '@jest/globals';
import { healingOf } from './healing.js';
import { verdictOf } from './mark.js';
import { marksOf } from './marks.js';
import type { Leg } from './race.js';
import type { Results } from './results.js';
import { someCreation } from './some-creation.js';

const heals = 100;
/** Of whom a child took `milliseconds` to come back, each time. */
const leg = (contender: string, milliseconds: number): Leg => {
  const samples = Array<number>(heals).fill(milliseconds);
  return { contender, creation: someCreation, healing: healingOf(samples, samples) };
};
const verdicts = (rounds: Results['rounds'], more: Partial<Results> = {}) => {
  const results = { rounds, heals, growth: [], customResources: 1000, ...more } as unknown as Results;
  return new Map(marksOf(results).map((mark) => [mark.what, verdictOf(mark)]));
};

describe('the marks', () => {
  it('are the same ones, whatever was measured', () => {
    const whole = [...verdicts([[leg('kilter', 4), leg('controller-runtime', 5)]]).keys()];
    expect([...verdicts([]).keys()]).toEqual(whole);
    expect([...verdicts([[leg('kilter', 4)]]).keys()]).toEqual(whole);
  });

  it.each(['p50', 'p99'])('say that kilter was behind when it was so in one round, by its %s', (which) => {
    const never = `W2, deleted, ${which} ÷ controller-runtime`;
    const ahead = [leg('kilter', 4), leg('controller-runtime', 5)];
    const behind = [leg('kilter', 6), leg('controller-runtime', 5)];
    expect(verdicts([ahead, ahead, ahead]).get(never)).toBe('reached, in 3 of 3 rounds');
    expect(verdicts([ahead, behind, ahead]).get(never)).toBe('**no**, in 2 of 3 rounds');
  });

  it.each([
    ['was not there', []],
    ['failed', [{ contender: 'controller-runtime', endedEarly: 'it ended with code 1' }]],
  ])('against controller-runtime are not reached when it %s', (_, others) => {
    const found = [...verdicts([[leg('kilter', 4), ...others]])].filter(([what]) => what.includes('÷ controller'));
    expect(found).toHaveLength(7);
    for (const [, verdict] of found) expect(verdict).toBe('**not measured**');
  });

  it('do not forget a round that kilter did not end', () => {
    const ended = { contender: 'kilter', endedEarly: 'the time was up' };
    expect(verdicts([[leg('kilter', 4)], [ended]]).get('W2, changed, p50, ms')).toBe('**no**, in 1 of 2 rounds');
    expect(verdicts([[leg('kilter', 4)], [ended]]).get('W2, changed, p99, ms')).toBe('**no**, in 1 of 2 rounds');
  });

  it.each([
    [81, 'yes'],
    // 86 MB.
    [82, '**no**'],
  ])('of memory are in MB, whereas %i MiB are kept', (rss, verdict) => {
    const rest = { callsPerMinute: 0, cpuPercent: 0.1, rss };
    const rounds = [[{ ...leg('kilter', 4), rest }]];
    expect(verdicts(rounds).get('RSS with 1,000, after all workloads, MB')).toBe(verdict);
    expect(verdicts(rounds, { customResources: 200 }).get('RSS with 1,000, after all workloads, MB')).toBe(
      '**not measured**',
    );
  });
});
