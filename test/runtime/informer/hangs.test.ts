import { expect, it } from '@jest/globals';
import { Hangs } from '../../../src/runtime/informer/hangs.js';
import { VirtualClock } from '../../../src/testing/virtual-clock.js';

it('a call without an answer: is told to one after the other, so that not all watches begin anew at once, and the next when all know', async () => {
  const clock = new VirtualClock();
  const hangs = new Hangs(clock);
  const told: string[] = [];
  for (const name of ['a', 'b', 'c']) hangs.subscribe((since) => told.push(`${name} ${since} at ${clock.monotonic()}`));
  hangs.seen(1);
  await clock.advance(60);
  hangs.seen(2);
  await clock.advance(100);
  expect(told).toEqual(['a 1 at 0', 'b 1 at 50', 'c 1 at 100']);
  hangs.seen(3);
  expect(told.at(-1)).toBe('a 3 at 160');
});
