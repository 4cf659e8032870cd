import { expect, it } from '@jest/globals';
import { MortalClock } from '../../src/testing/mortal-clock.js';
import { VirtualClock } from '../../src/testing/virtual-clock.js';

it('a process that one of its overdue timers stops again runs the others when it goes on for good', async () => {
  const world = new VirtualClock();
  const clock = new MortalClock(world);
  const ran: string[] = [];
  clock.after(1000, () => {
    ran.push('first');
    clock.pause();
  });
  clock.after(2000, () => ran.push('second'));
  clock.pause();
  await world.advance(5000);
  await clock.resume();
  expect(ran).toEqual(['first']);
  await clock.resume();
  expect(ran).toEqual(['first', 'second']);
});
