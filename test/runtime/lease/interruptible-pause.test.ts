import { getEventListeners } from 'node:events';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { InterruptiblePause } from '../../../src/runtime/lease/interruptible-pause.js';
import { settled, VirtualClock } from '../../../src/testing/virtual-clock.js';

describe('a pause that can be interrupted', () => {
  let clock: VirtualClock;
  let pause: InterruptiblePause;
  let over: number[];
  const wait = async () => {
    void pause.wait(2000, new AbortController().signal).then(() => over.push(clock.monotonic()));
    await settled();
  };
  beforeEach(() => {
    clock = new VirtualClock();
    pause = new InterruptiblePause(clock);
    over = [];
  });

  it('is as long as it was to be where nobody interrupts it', async () => {
    await wait();
    await clock.advance(1999);
    expect(over).toEqual([]);
    await clock.advance(1);
    expect(over).toEqual([2000]);
  });

  it('is over at once when it is interrupted, and leaves no timer behind', async () => {
    await wait();
    await clock.advance(500);
    pause.interrupt();
    await settled();
    expect([over, clock.timers]).toEqual([[500], 0]);
  });

  it('leaves nothing on a signal that is the same for each of them, for as long as a process leads', async () => {
    const { signal } = new AbortController();
    for (let each = 0; each < 3; each++) {
      const waiting = pause.wait(2000, signal);
      await clock.advance(2000);
      await waiting;
    }
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it.each([
    ['before it begins', false],
    ['before it begins, after another was over', true],
  ])('is over at once when it is interrupted %s, and no other after it', async (_, hadOne) => {
    if (hadOne) {
      await wait();
      await clock.advance(2000);
      over.length = 0;
    }
    const now = clock.monotonic();
    pause.interrupt();
    await wait();
    expect(over).toEqual([now]);
    await wait();
    await clock.advance(1999);
    expect(over).toEqual([now]);
    await clock.advance(1);
    expect(over).toEqual([now, now + 2000]);
  });
});
