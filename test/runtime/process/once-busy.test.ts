import { beforeEach, describe, expect, it } from '@jest/globals';
import { loopUtilization, onceBusy } from '../../../src/runtime/process/once-busy.js';
import { VirtualClock } from '../../../src/testing/virtual-clock.js';
import { eventually } from '../../cluster/eventually.js';

describe('a process that is busy', () => {
  let clock: VirtualClock;
  let stop: AbortController;
  let share: number;
  let since: number[];
  beforeEach(() => {
    clock = new VirtualClock();
    stop = new AbortController();
    share = 0.9;
    since = [];
    onceBusy(
      clock,
      () => share,
      () => since.push(clock.monotonic()),
      stop.signal,
    );
  });

  it('is told so after half a minute, and once', async () => {
    await clock.advance(300_000);
    expect(since).toEqual([30_000]);
  });

  it('is not as long as it rests in between', async () => {
    for (let burst = 0; burst < 10; burst++) {
      share = 0.9;
      await clock.advance(20_000);
      share = 0.1;
      await clock.advance(10_000);
    }
    expect(since).toEqual([]);
    share = 0.9;
    await clock.advance(30_000);
    expect(since).toEqual([330_000]);
  });

  it('is left alone when it is to end', async () => {
    await clock.advance(20_000);
    stop.abort();
    await clock.advance(300_000);
    expect(since).toEqual([]);
    expect(clock.timers).toBe(0);
  });
});

it('is busy while it computes, and at rest while it waits', async () => {
  const utilization = loopUtilization();
  // Whoever loses the processor in the midst of its work is busy meanwhile: some rest is left to itself.
  await eventually(async () => {
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(utilization()).toBeLessThan(0.5);
  });
  const end = performance.now() + 100;
  while (performance.now() < end);
  expect(utilization()).toBeGreaterThan(0.5);
});
