import { expect, it } from '@jest/globals';
import { othersTurn } from '../../src/kube/clock.js';
import { Breather } from '../../src/runtime/breather.js';
import { VirtualClock } from '../../src/testing/virtual-clock.js';

it('lets others have their turn once a while, for all workers at once', async () => {
  const clock = new VirtualClock();
  const breather = new Breather(clock, othersTurn);
  expect(breather.turn()).toBeUndefined();
  clock.leap(20);
  const turns: string[] = [];
  setImmediate(() => turns.push('others'));
  const pause = breather.turn();
  expect(breather.turn()).toBe(pause);
  await pause;
  turns.push('a worker');
  expect(turns).toEqual(['others', 'a worker']);
  expect(breather.turn()).toBeUndefined();
});
