import { describe, expect, it } from '@jest/globals';
import { othersTurn } from '../../../src/kube/clock.js';
import { Breather } from '../../../src/runtime/process/breather.js';
import { VirtualClock } from '../../../src/testing/virtual-clock.js';

it('lets others have their turn once a while, for all workers at once', async () => {
  const clock = new VirtualClock();
  const breather = new Breather({ clock, othersTurn });
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

describe("after a second of an author's code", () => {
  it('others have their turn, and the Lease is renewed, before more of it', async () => {
    let renew = () => {};
    const renewal = new Promise<void>((resolve) => {
      renew = resolve;
    });
    const leadership = { left: 6000, renewed: () => renewal };
    const breather = new Breather({ clock: new VirtualClock(), othersTurn, leadership });
    breather.spent(600);
    expect(breather.rest).toBeUndefined();
    breather.spent(600);
    let isOver = false;
    void breather.rest?.then(() => {
      isOver = true;
    });
    await othersTurn();
    await othersTurn();
    expect(isOver).toBe(false);
    renew();
    await breather.rest;
    expect(breather.rest).toBeUndefined();
  });

  it('nobody waits for the renewal of a Lease that is good for long', async () => {
    const leadership = { left: 40_000, renewed: () => new Promise<void>(() => {}) };
    const breather = new Breather({ clock: new VirtualClock(), othersTurn, leadership });
    breather.spent(1200);
    await breather.rest;
    expect(breather.rest).toBeUndefined();
  });

  it('of which some was long ago, as with reviews, nobody waits for anything', async () => {
    const clock = new VirtualClock();
    const breather = new Breather({ clock, othersTurn });
    for (let review = 0; review < 100; review++) {
      clock.leap(60_000);
      breather.spent(60);
      expect(breather.rest).toBeUndefined();
    }
    for (let review = 0; review < 17; review++) {
      clock.leap(61);
      breather.spent(60);
    }
    expect(breather.rest).toBeDefined();
  });

  it('nobody waits for a Lease that is not held', async () => {
    const leadership = { left: 0, renewed: () => Promise.reject(new Error('the Lease is not held any more')) };
    const breather = new Breather({ clock: new VirtualClock(), othersTurn, leadership });
    breather.spent(5000);
    await breather.rest;
    expect(breather.rest).toBeUndefined();
  });

  it('there is a moment for whoever asks where there is no Lease', async () => {
    const clock = new VirtualClock();
    const breather = new Breather({ clock, othersTurn });
    breather.spent(5000);
    await othersTurn();
    await clock.advance(999);
    expect(breather.rest).toBeDefined();
    await clock.advance(1);
    expect(breather.rest).toBeUndefined();
  });
});
