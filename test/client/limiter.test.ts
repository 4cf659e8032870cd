import { describe, expect, it } from '@jest/globals';
import { Limiter } from '../../src/client/limiter.js';
import type { Clock } from '../../src/kube/clock.js';

/** A clock that a test sets. */
function handClock(): Clock & { at: number } {
  return {
    at: 0,
    now: () => 0,
    monotonic() {
      return this.at;
    },
    after: () => () => {},
  };
}
const { signal } = new AbortController();

describe('a limiter', () => {
  it('lets in as many as its limit, and the next when one leaves', async () => {
    const limiter = new Limiter({ clock: handClock(), most: 2 });
    await limiter.enter(signal);
    await limiter.enter(signal);
    let entered = false;
    const third = limiter.enter(signal)?.then(() => {
      entered = true;
    });
    await Promise.resolve();
    expect(entered).toBe(false);
    limiter.leave(false);
    await third;
    expect(entered).toBe(true);
  });

  it('halves when the server is overloaded, once a second, and grows back slowly', async () => {
    const clock = handClock();
    const limiter = new Limiter({ clock, most: 16 });
    const call = async (overloaded: boolean) => {
      await limiter.enter(signal);
      limiter.leave(overloaded);
    };
    await call(true);
    await call(true);
    expect(limiter.limit).toBe(8);
    clock.at = 1000;
    await call(true);
    expect(limiter.limit).toBe(4);
    for (let calls = 0; calls < 5; calls++) await call(false);
    expect(limiter.limit).toBe(5);
    for (let calls = 0; calls < 500; calls++) await call(false);
    expect(limiter.limit).toBe(16);
  });

  it('never starves: one call is always let in', async () => {
    const clock = handClock();
    const limiter = new Limiter({ clock, most: 4 });
    for (clock.at = 0; clock.at < 10_000; clock.at += 1000) {
      await limiter.enter(signal);
      limiter.leave(true);
    }
    expect(limiter.limit).toBe(1);
  });

  it('forgets who gave up waiting', async () => {
    const limiter = new Limiter({ clock: handClock(), most: 1 });
    await limiter.enter(signal);
    const stop = new AbortController();
    const waiting = limiter.enter(stop.signal);
    stop.abort(new Error('gave up'));
    await expect(waiting).rejects.toThrow('gave up');
    limiter.leave(false);
    expect(limiter.enter(signal)).toBeUndefined();
  });
});
