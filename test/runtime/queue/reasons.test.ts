import { describe, expect, it } from '@jest/globals';
import { Reasons } from '../../../src/runtime/queue/reasons.js';

const named = (count: number) => Array.from({ length: count }, (_, index) => `reason ${index}`);
const of = (reasons: readonly string[]) => reasons.reduce((all, each) => all.add(each), new Reasons());

describe('the reasons of a round', () => {
  it('are told each once, in the order in which they came', () => {
    expect(of(['b', 'a', 'b']).words).toEqual(['b', 'a']);
  });

  it('are the first ten, and how many more there were', () => {
    expect(of(named(10)).words).toEqual(named(10));
    expect(of(named(13)).words).toEqual([...named(10), 'and 3 more']);
  });

  it('are counted together with those of a round that came to nothing', () => {
    expect(of(['c']).addAll(of(named(12))).words).toEqual(['c', ...named(9), 'and 3 more']);
  });
});
