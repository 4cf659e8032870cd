import { describe, expect, it } from '@jest/globals';
import { Limiter } from '../../src/client/limiter.js';
import type { Clock } from '../../src/kube/clock.js';
import { VirtualClock } from '../../src/testing/virtual-clock.js';

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
const fine = { isOverloaded: false };

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
    limiter.leave(fine);
    await third;
    expect(entered).toBe(true);
  });

  it('halves when the server is overloaded, once a second, and grows back slowly', async () => {
    const clock = handClock();
    const limiter = new Limiter({ clock, most: 16 });
    const call = async (isOverloaded: boolean) => {
      await limiter.enter(signal);
      limiter.leave({ isOverloaded });
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

  describe('of a server that says nothing', () => {
    const clock = handClock();
    const limiterAfter = async (...times: readonly number[]) => {
      clock.at = 0;
      const limiter = new Limiter({ clock, most: 16 });
      for (const took of times) {
        clock.at += took;
        await limiter.enter(signal);
        limiter.leave({ isOverloaded: false, took });
      }
      return limiter.limit;
    };

    it.each([
      { story: 'answers within a second', times: [3, 30, 300, 990], limit: 16 },
      { story: 'suddenly takes over a second', times: [3, 3, 3, 1500], limit: 8 },
      { story: 'takes longer and longer', times: [3, 3, 1500, 3000, 6000], limit: 2 },
      { story: 'takes long when it is first asked', times: [1500], limit: 8 },
    ])('halves when it takes over a second and twice as long as of late: $story', async ({ times, limit }) => {
      expect(await limiterAfter(...times)).toBe(limit);
    });

    it('grows back where all calls always take long, for a webhook or the distance', async () => {
      expect(await limiterAfter(...Array.from({ length: 300 }, () => 5000))).toBe(16);
    });

    it('stays as it is where some calls take long, for a webhook of theirs, and others are answered meanwhile', async () => {
      const limiter = new Limiter({ clock, most: 16 });
      for (let second = 0; second < 100; second++) {
        clock.at += 1000;
        for (const took of [3, 5000]) {
          await limiter.enter(signal);
          limiter.leave({ isOverloaded: false, took });
        }
      }
      expect(limiter.limit).toBe(16);
    });

    it.each([4, 16])(
      'halves where %i at once were sent one after the other, and nobody is answered any more',
      async (calls) => {
        clock.at = 0;
        const limiter = new Limiter({ clock, most: 16 });
        const prompt = { isOverloaded: false, took: 3 };
        for (let call = 0; call < 100; call++) {
          clock.at += 3;
          limiter.leave(prompt);
        }
        const limits: number[] = [];
        for (let batch = 0; batch < 8; batch++) {
          clock.at += 30_000;
          for (let call = 0; call < calls; call++) {
            // Those that were sent before the last answer, and one that was sent after it.
            limiter.leave({
              isOverloaded: false,
              took: 30_000 + (batch === 0 ? 3 - (3 * call) / calls : 0),
              isGivenUp: true,
            });
          }
          limits.push(limiter.limit);
        }
        expect(limits.slice(3)).toEqual([1, 1, 1, 1, 1]);
      },
    );

    it('hears nothing in what says nothing', async () => {
      const limiter = new Limiter({ clock, most: 16 });
      await limiter.enter(signal);
      limiter.leave(fine);
      expect(limiter.limit).toBe(16);
    });
  });

  it.each([
    { story: 'nobody', since: undefined, limit: 8 },
    { story: 'somebody, more than a second ago', since: 1000, limit: 8 },
    { story: 'somebody, within the last second', since: 999, limit: 16 },
  ])('halves for what is unavailable where the last to be answered was $story', async ({ since, limit }) => {
    const clock = handClock();
    const limiter = new Limiter({ clock, most: 16 });
    if (since !== undefined) {
      limiter.leave({ isOverloaded: false, took: 3 });
      clock.at += since;
    }
    limiter.leave({ isOverloaded: false, isUnavailable: true, took: 3 });
    expect(limiter.limit).toBe(limit);
  });

  it('learns nothing from a call that had no answer', async () => {
    const limiter = new Limiter({ clock: handClock(), most: 16 });
    await limiter.enter(signal);
    limiter.leave({ isOverloaded: true });
    for (let calls = 0; calls < 100; calls++) {
      await limiter.enter(signal);
      limiter.leave();
    }
    expect(limiter.limit).toBe(8);
  });

  it('never starves: one call is always let in', async () => {
    const clock = handClock();
    const limiter = new Limiter({ clock, most: 4 });
    for (clock.at = 0; clock.at < 10_000; clock.at += 1000) {
      await limiter.enter(signal);
      limiter.leave({ isOverloaded: true });
    }
    expect(limiter.limit).toBe(1);
  });

  it('lets in one a second behind those that hang, as many as it ever may, and none sooner while others move', async () => {
    const clock = new VirtualClock();
    const limiter = new Limiter({ clock, most: 4 });
    for (let second = 0; second < 3; second++) {
      await limiter.enter(signal);
      limiter.leave({ isOverloaded: true });
      await clock.advance(1000);
    }
    expect(limiter.limit).toBe(1);
    let entered = 0;
    const enter = () => void Promise.resolve(limiter.enter(signal)).then(() => entered++);
    for (let call = 0; call < 8; call++) enter();
    const after: number[] = [];
    for (let half = 0; half < 10; half++) {
      await clock.advance(500);
      after.push(entered);
    }
    expect(after).toEqual([1, 2, 2, 3, 3, 4, 4, 4, 4, 4]);
    for (let call = 0; call < 4; call++) limiter.leave();
    await clock.advance(0);
    expect(entered).toBe(5);
    for (let call = 0; call < 4; call++) limiter.leave();
    expect(clock.timers).toBe(0);
  });

  it('lets in nobody beside those that move, however slowly, where it was told to let in fewer', async () => {
    const clock = new VirtualClock();
    const limiter = new Limiter({ clock, most: 4 });
    for (let second = 0; second < 3; second++) {
      await limiter.enter(signal);
      limiter.leave({ isOverloaded: true });
      await clock.advance(1000);
    }
    let entered = 0;
    for (let call = 0; call < 8; call++) void Promise.resolve(limiter.enter(signal)).then(() => entered++);
    const after: number[] = [];
    for (let left = 0; left < 6; left++) {
      await clock.advance(900);
      after.push(entered);
      limiter.leave();
    }
    expect(after).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('forgets nobody else with one who gave up waiting', async () => {
    const limiter = new Limiter({ clock: handClock(), most: 1 });
    await limiter.enter(signal);
    const stop = new AbortController();
    const entered: string[] = [];
    const wait = (name: string, until = signal) =>
      limiter.enter(until)?.then(
        () => entered.push(name),
        () => entered.push(`not ${name}`),
      );
    const waiting = [wait('first'), wait('second', stop.signal), wait('third'), wait('fourth')];
    stop.abort(new Error('gave up'));
    for (const _ of ['first', 'third', 'fourth']) limiter.leave();
    await Promise.all(waiting);
    expect(entered.toSorted()).toEqual(['first', 'fourth', 'not second', 'third']);
  });

  it('forgets who gave up waiting', async () => {
    const limiter = new Limiter({ clock: handClock(), most: 1 });
    await limiter.enter(signal);
    const stop = new AbortController();
    const waiting = limiter.enter(stop.signal);
    stop.abort(new Error('gave up'));
    await expect(waiting).rejects.toThrow('gave up');
    limiter.leave(fine);
    expect(limiter.enter(signal)).toBeUndefined();
  });
});
