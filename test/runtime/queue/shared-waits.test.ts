import { beforeEach, describe, expect, it } from '@jest/globals';
import { WorkQueue } from '../../../src/runtime/queue/work-queue.js';
import { VirtualClock } from '../../../src/testing/virtual-clock.js';
import { stepsOf } from '../../steps-of.js';

const isShared = { isShared: true };

describe('keys that wait since the API server failed them', () => {
  let clock: VirtualClock;
  let queue: WorkQueue;
  beforeEach(() => {
    clock = new VirtualClock();
    queue = new WorkQueue({ clock, random: () => 0 });
  });
  /** The keys that are ready, which are worked on at once. */
  const drain = async () => {
    const keys: string[] = [];
    while (queue.depth > 0) {
      const { key } = await queue.take(new AbortController().signal);
      keys.push(key);
      queue.done(key);
    }
    return keys;
  };
  const fail = (...keys: readonly string[]) => {
    for (const key of keys) queue.retry(key, 'failed', undefined, isShared);
  };
  /** Each has failed for 10 s, and waits for as long. */
  const failLong = async (...keys: readonly string[]) => {
    for (let failure = 0; failure < 12; failure++) {
      fail(...keys);
      await clock.advance(5 * 2 ** failure);
      await drain();
    }
    fail(...keys);
  };
  const well = (key: string) => queue.ended(key, { isWell: true });

  it('come two by two, when one is well', async () => {
    await failLong('a', 'b', 'c', 'd', 'e');
    well('a');
    expect(await drain()).toEqual(['b', 'c']);
    well('b');
    expect(await drain()).toEqual(['d', 'e']);
  });

  it('wait for their time where the one that has ended did so for a cause of its own, or never waited', async () => {
    await failLong('a', 'b');
    queue.ended('a', { isWell: false });
    well('x');
    expect(await drain()).toEqual([]);
  });

  it('have what was left of their wait, where they fail ahead of its end, and are brought on no more before', async () => {
    await failLong('a', 'b', 'c');
    well('a');
    expect(await drain()).toEqual(['b', 'c']);
    fail('b');
    well('c');
    expect(await drain()).toEqual([]);
    await clock.advance(20_479);
    await drain();
    fail('b');
    await clock.advance(2);
    expect(await drain()).toContain('b');
  });

  it('wait the shortest time again after an edit', async () => {
    await failLong('a', 'b');
    queue.forget('a');
    queue.add('a', 'edited');
    expect(await drain()).toEqual(['a']);
    fail('a');
    await clock.advance(5);
    expect(await drain()).toEqual(['a']);
  });

  it('are brought on no sooner than the server asked of them', async () => {
    await failLong('a');
    queue.hold('b', 'asked to wait', 3000);
    await clock.advance(2999);
    well('a');
    expect(await drain()).toEqual([]);
    for (let wait = 0; wait < 13; wait++) {
      queue.hold('b', 'asked to wait', 3000);
      await clock.advance(60_000);
      await drain();
    }
    queue.hold('b', 'asked to wait', 3000);
    await failLong('a');
    well('a');
    expect(await drain()).toEqual(['b']);
  });

  it('are tried to see one at a time, those first that were tried longest ago', async () => {
    await failLong('a', 'b', 'c');
    await clock.advance(5000);
    expect(await drain()).toEqual(['a']);
    await clock.advance(5000);
    expect(await drain()).toEqual([]);
    fail('a');
    await clock.advance(5000);
    expect(await drain()).toEqual(['b']);
  });

  it('leave no timer when the last is well, or gone', async () => {
    await failLong('a', 'b');
    queue.drop('a');
    well('b');
    queue.drop('b');
    expect(clock.timers).toBe(0);
  });

  it.each([
    ['were brought on and have not ended', (key: string) => fail(key)],
    ['the server has asked to wait', (key: string) => queue.hold(key, 'asked to wait', 1_000_000)],
  ])('cost each the same, however many %s', async (_, wait) => {
    const cost = (count: number) => {
      const keys = Array.from({ length: count }, (_, index) => `${count}/${index}`);
      for (const key of keys) wait(key);
      const half = keys.slice(0, count / 2);
      return stepsOf(() => half.forEach(well)) / half.length;
    };
    const few = cost(1000);
    expect(cost(4000)).toBeLessThanOrEqual(2 * few);
  });
});
