import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { LoopWatch } from '../../../src/runtime/process/loop-watch.js';
import { healthOf } from '../../../src/runtime/process/probes.js';
import { VirtualClock } from '../../../src/testing/virtual-clock.js';

describe('a watch of the event loop', () => {
  let clock: VirtualClock;
  let loop: LoopWatch;
  let stop: AbortController;
  let delays: number[];

  beforeEach(() => {
    clock = new VirtualClock();
    loop = new LoopWatch(clock);
    stop = new AbortController();
    delays = [];
    loop.subscribe((milliseconds) => delays.push(milliseconds));
    loop.start(stop.signal);
  });
  afterEach(() => stop.abort());

  /** Nothing runs for so long, and then everything that is due. */
  const block = async (milliseconds: number) => {
    clock.leap(milliseconds);
    await clock.advance(0);
  };

  it('finds no delay where there is none', async () => {
    await clock.advance(60_000);
    expect(delays).toHaveLength(60);
    expect(Math.max(...delays)).toBe(0);
    expect([loop.delayMilliseconds, loop.worstMilliseconds]).toEqual([0, 0]);
  });

  it('remembers by a clock that never shows the same moment twice', async () => {
    let reads = 0;
    const real = { ...clock, monotonic: () => clock.monotonic() + reads++ / 10_000, after: clock.after.bind(clock) };
    const watch = new LoopWatch(real as unknown as VirtualClock);
    watch.start(stop.signal);
    await block(4000);
    await clock.advance(5000);
    expect(Math.round(watch.worstMilliseconds)).toBe(3000);
  });

  it('finds how late its timer was, and remembers the worst for half a minute', async () => {
    await block(4000);
    expect([loop.delayMilliseconds, loop.worstMilliseconds]).toEqual([3000, 3000]);
    await clock.advance(1000);
    expect([loop.delayMilliseconds, loop.worstMilliseconds]).toEqual([0, 3000]);
    await block(2000);
    expect(loop.worstMilliseconds).toBe(3000);
    await clock.advance(28_000);
    expect(loop.worstMilliseconds).toBe(1000);
    await clock.advance(2000);
    expect(loop.worstMilliseconds).toBe(0);
  });

  it('remembers each for half a minute, also one that was not the worst when it came', async () => {
    await block(13_000);
    await clock.advance(15_000);
    await block(12_000);
    await clock.advance(4000);
    expect(loop.worstMilliseconds).toBe(11_000);
    expect(healthOf('/healthz', { informers: () => [], loop }).code).toBe(503);
    await clock.advance(26_000);
    expect(loop.worstMilliseconds).toBe(0);
  });

  it('sees a timer that is overdue before it has come', () => {
    clock.leap(13_000);
    expect([loop.delayMilliseconds, loop.worstMilliseconds]).toEqual([12_000, 12_000]);
    expect(delays).toEqual([]);
  });

  it('leaves no timer behind', () => {
    stop.abort();
    expect(clock.timers).toBe(0);
  });

  it.each([
    [2999, 200, 200],
    [3000, 200, 503],
    [10_999, 200, 503],
    [11_000, 503, 503],
  ])(
    'fails probes when the loop was blocked: after %d ms healthz says %d and readyz %d',
    async (milliseconds, alive, ready) => {
      const options = { informers: () => [], loop };
      await block(milliseconds);
      expect([healthOf('/healthz', options).code, healthOf('/readyz', options).code]).toEqual([alive, ready]);
      await clock.advance(31_000);
      expect([healthOf('/healthz', options).code, healthOf('/readyz', options).code]).toEqual([200, 200]);
    },
  );
});
