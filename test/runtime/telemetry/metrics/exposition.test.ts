import { describe, expect, it } from '@jest/globals';
import { parseExposition, sampleOf } from './exposition.js';

const family = (name: string, type: string, ...samples: readonly string[]) =>
  [`# HELP ${name} What it is.`, `# TYPE ${name} ${type}`, ...samples, ''].join('\n');

describe('the reader of the text format', () => {
  it('reads names, labels and values', () => {
    const read = parseExposition(
      family('a_total', 'counter', String.raw`a_total{x="1",y="a\"b,c=\"}"} 3`, 'a_total 4'),
    );
    expect(sampleOf(read, 'a_total', { y: String.raw`a\"b,c=\"}`, x: '1' })).toBe(3);
    expect(sampleOf(read, 'a_total')).toBe(4);
    expect(sampleOf(read, 'a_total', { x: '1' })).toBeUndefined();
  });

  it('accepts a sound histogram', () => {
    const samples = ['h_bucket{le="0.1"} 1', 'h_bucket{le="+Inf"} 2', 'h_sum 0.5', 'h_count 2'];
    expect(parseExposition(family('h', 'histogram', ...samples))).toHaveLength(1);
  });

  it.each([
    ['a counter without its ending', family('a', 'counter', 'a 1')],
    ['a gauge that calls itself a total', family('a_total', 'gauge', 'a_total 1')],
    ['milliseconds', family('a_milliseconds', 'gauge', 'a_milliseconds 1')],
    ['one series twice', family('a', 'gauge', 'a{x="1",y="2"} 1', 'a{y="2",x="1"} 1')],
    ['a label that is not quoted', family('a', 'gauge', 'a{x=1} 1')],
    ['a line break in a label', family('a', 'gauge', 'a{x="1\n2"} 1')],
    ['a value that is no number', family('a', 'gauge', 'a one')],
    ['a sample of another family', family('a', 'gauge', 'b 1')],
    ['a sample without a family', 'a 1\n'],
    ['no help', '# TYPE a gauge\na 1\n'],
    ['a counter below zero', family('a_total', 'counter', 'a_total -1')],
    ['an end in the middle of a line', family('a', 'gauge', 'a 1').trimEnd()],
    [
      'buckets that fall',
      family('h', 'histogram', 'h_bucket{le="1"} 3', 'h_bucket{le="+Inf"} 2', 'h_sum 1', 'h_count 2'),
    ],
    ['a count that is not the last bucket', family('h', 'histogram', 'h_bucket{le="+Inf"} 2', 'h_sum 1', 'h_count 3')],
    ['a histogram without its last bucket', family('h', 'histogram', 'h_bucket{le="1"} 2', 'h_sum 1', 'h_count 2')],
  ])('refuses %s', (_, text) => {
    expect(() => parseExposition(text)).toThrow();
  });
});
