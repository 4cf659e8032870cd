import { expect, it } from '@jest/globals';
import { FairLine } from '../../../src/runtime/queue/fair-line.js';

it('a line in which too much waits gives up the last of the group with most, where another has less after that', () => {
  const line = new FairLine<string>();
  for (const name of ['a1', 'a2', 'a3']) line.push('a', name);
  line.push('b', 'b1');
  expect(line.makeRoomFor('b')).toBe('a3');
  line.push('b', 'b2');
  expect([line.makeRoomFor('a'), line.makeRoomFor('b'), line.size]).toEqual([undefined, undefined, 4]);
  // Each would take from the other for ever.
  expect(line.shift()).toBe('a1');
  expect([line.makeRoomFor('a'), line.size]).toEqual([undefined, 3]);
});
