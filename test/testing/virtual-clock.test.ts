import { describe, expect, it } from '@jest/globals';
import { seededRandom } from '../../src/testing/seeded-random.js';
import { settled, VirtualClock } from '../../src/testing/virtual-clock.js';

describe('virtual time', () => {
  it('runs timers in the order of their time, and of their setting where that is equal', async () => {
    const clock = new VirtualClock();
    const random = seededRandom(3);
    const set = Array.from({ length: 500 }, (_, index) => ({ index, at: Math.floor(random() * 50) }));
    const ran: number[] = [];
    const cancels = set.map(({ index, at }) => clock.after(at, () => ran.push(index)));
    const cancelled = set.filter(() => random() < 0.3);
    for (const { index } of cancelled) cancels[index]?.();

    expect(clock.timers).toBe(500 - cancelled.length);
    await clock.advance(50);
    const left = set.filter((timer) => !cancelled.includes(timer));
    expect(ran).toEqual(left.sort((a, b) => a.at - b.at || a.index - b.index).map(({ index }) => index));
    expect(clock.timers).toBe(0);
  });

  it('stands at the time of a timer while that runs, and runs what it sets', async () => {
    const clock = new VirtualClock('2026-01-01T00:00:00Z');
    const seen: number[] = [];
    clock.after(10, () => {
      seen.push(clock.monotonic());
      clock.after(5, () => seen.push(clock.monotonic()));
    });
    await clock.advance(20);
    expect(seen).toEqual([10, 15]);
    expect(clock.monotonic()).toBe(20);
    expect(clock.now()).toBe(Date.parse('2026-01-01T00:00:00.020Z'));
  });

  it('never goes back where two move it on at the same time, one of them less far', async () => {
    const clock = new VirtualClock();
    const seen: number[] = [];
    const later = () => settled().then(() => clock.after(1000, () => seen.push(clock.monotonic())));
    clock.after(5000, () => void later());
    await Promise.all([clock.advance(10_000), clock.advance(1)]);
    expect(seen).toEqual([6000]);
    expect(clock.monotonic()).toBe(10_000);
  });

  it('runs no timer that was cancelled by another at the same time', async () => {
    const clock = new VirtualClock();
    let ran = false;
    clock.after(1, () => cancel());
    const cancel = clock.after(1, () => {
      ran = true;
    });
    await clock.advance(1);
    expect([ran, clock.next]).toEqual([false, undefined]);
  });
});
