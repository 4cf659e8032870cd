import { beforeEach, describe, expect, it } from '@jest/globals';
import { giveBackMemory, processHeap } from '../../../src/runtime/process/give-back-memory.js';
import { VirtualClock } from '../../../src/testing/virtual-clock.js';
import { runBundled } from './run-bundled.js';

const mebibyte = 2 ** 20;

describe('a process that has done much', () => {
  let clock: VirtualClock;
  let stop: AbortController;
  /** In MiB, and the CPU it takes in a second, in milliseconds. */
  let heap: { live: number; garbage: number; slack: number; busy: number };
  let collected: number[];
  beforeEach(() => {
    clock = new VirtualClock();
    stop = new AbortController();
    heap = { live: 20, garbage: 12, slack: 12, busy: 0 };
    collected = [];
    const now = () => ({
      used: (heap.live + heap.garbage) * mebibyte,
      total: (heap.live + heap.garbage + heap.slack) * mebibyte,
      cpuMilliseconds: (clock.monotonic() / 1000) * heap.busy,
      collect: () => {
        collected.push(clock.monotonic());
        // What one collection frees, the next gives back.
        heap.slack = heap.garbage > 0 ? heap.slack : 1;
        heap.garbage = 0;
      },
    });
    giveBackMemory(clock, now, stop.signal);
  });

  it('collects its garbage when it rests, gives back what that frees, and then lets be', async () => {
    await clock.advance(60_000);
    expect(collected).toEqual([2000, 4000]);
    expect(heap).toMatchObject({ garbage: 0, slack: 1 });
  });

  it('does not while it works', async () => {
    heap.busy = 50;
    await clock.advance(60_000);
    expect(collected).toEqual([]);
  });

  it('takes work that leaves little behind for no burst, however often it comes', async () => {
    await clock.advance(60_000);
    for (let burst = 0; burst < 10; burst++) {
      heap.busy = 50;
      await clock.advance(10_000);
      heap.busy = 0;
      await clock.advance(10_000);
    }
    expect(collected).toHaveLength(2);
  });

  it('does so again after the next burst, and not for a little', async () => {
    await clock.advance(60_000);
    heap.garbage = 3;
    await clock.advance(60_000);
    expect(collected).toHaveLength(2);
    heap.garbage = 8;
    await clock.advance(60_000);
    expect(collected).toHaveLength(3);
  });

  it('does not insist where nothing is given back', async () => {
    heap.garbage = 0;
    heap.slack = 30;
    heap.live = 21;
    for (let second = 0; second < 60; second++) {
      await clock.advance(1000);
      heap.slack = 30;
    }
    expect(collected).toHaveLength(3);
  });

  it('ends with its signal', async () => {
    stop.abort();
    await clock.advance(60_000);
    expect(collected).toEqual([]);
    expect(clock.timers).toBe(0);
  });
});

describe('the heap of this process', () => {
  it('is collected', async () => {
    const gone = new WeakRef({ some: 'garbage' });
    // Whoever looked at it keeps it until this turn is over.
    await new Promise((resolve) => setImmediate(resolve));
    processHeap().collect();
    expect(gone.deref()).toBeUndefined();
    expect(processHeap().total).toBeGreaterThanOrEqual(processHeap().used);
    expect('gc' in globalThis).toBe(false);
  });

  it('is known while no file can be opened, as where others hold all connections that the process may have', async () => {
    const source = `
      import { openSync } from 'node:fs';
      import { processHeap } from './src/runtime/process/give-back-memory.ts';
      try {
        for (;;) openSync('/dev/null');
      } catch {}
      const { used, total } = processHeap();
      console.log(used > 1e6 && total >= used);
    `;
    expect(await runBundled(source, [], 64)).toBe('true\n');
  });
});
