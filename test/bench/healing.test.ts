import { describe, expect, it } from '@jest/globals';
import { healingOf } from './healing.js';
import { jsonOf, type Results } from './results.js';

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

describe('what is kept of the samples of W2', () => {
  it('is each of them, beside the middle and the slowest in a hundred', () => {
    expect(healingOf([3.14789, 1, 2], upTo(200))).toEqual({
      deletedMedian: 2,
      deletedSlowest: 3.14789,
      changedMedian: 101,
      changedSlowest: 199,
      deleted: [3.15, 1, 2],
      changed: upTo(200),
    });
  });

  it('is stored on one line for each kind, and is read back as it was', () => {
    const results = {
      commands: ['npm run bench -- --peers [ 1, 2 ]'],
      rounds: [[{ contender: 'kilter', healing: healingOf([3.5, -1, 2e-9], [4]) }]],
      growth: [],
    } as unknown as Results;
    expect(jsonOf(results)).toContain('"deleted": [3.5,-1,0],\n');
    expect(jsonOf(results)).toContain('"changed": [4]\n');
    expect(JSON.parse(jsonOf(results))).toEqual(results);
  });
});
