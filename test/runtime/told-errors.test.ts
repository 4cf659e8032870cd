import { describe, expect, it } from '@jest/globals';
import { ToldErrors } from '../../src/runtime/told-errors.js';

describe('what was told of errors', () => {
  it('is news once, and again when it is another or was over', () => {
    const told = new ToldErrors();
    expect(['x', 'x', 'y', 'x'].map((message) => told.isNews('a', message))).toEqual([true, false, true, true]);
    expect(told.isNews('b', 'x')).toBe(true);
    told.forget('a');
    expect([told.isNews('a', 'x'), told.isNews('b', 'x')]).toEqual([true, false]);
  });
});
