import { expect, it } from '@jest/globals';
import { Line } from '../../../src/runtime/queue/line.js';

it('a line has its keys in the order in which they came, wherever one is taken out', () => {
  const line = new Line<string, number>().push('a', 1).push('b', 2).push('c', 3).push('d', 4).push('b', 5);
  expect([[...line.keys()], line.first, line.size, line.get('b')]).toEqual([['a', 'c', 'd', 'b'], ['a', 1], 4, 5]);
  expect([line.delete('d'), line.delete('a'), line.delete('x'), line.has('a')]).toEqual([true, true, false, false]);
  expect([...line.push('e', 6).keys()]).toEqual(['c', 'b', 'e']);
  const seen = [];
  for (const key of line.keys()) seen.push(line.delete(key) && key);
  expect([seen, line.first, line.size]).toEqual([['c', 'b', 'e'], undefined, 0]);
  line.push('f', 7).clear();
  expect([line.push('g', 8).first, [...line.keys()]]).toEqual([['g', 8], ['g']]);
});
