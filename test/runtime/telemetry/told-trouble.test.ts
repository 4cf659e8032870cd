import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { ToldTrouble } from '../../../src/runtime/telemetry/told-trouble.js';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

let now = 0;
const clock = { monotonic: () => now };

/** How often `told` lets it be told from `from` on, where it fails each half a minute by words that `about` makes of how often. */
function tellings(told: ToldTrouble, from: number, to: number, about: (times: number) => string): number {
  let count = 0;
  for (now = from; now < to; now += minute / 2) if (told.failed(new Error(about(now)))) count++;
  now = to;
  return count;
}
const reset = (port: number) => `read tcp 10.0.0.1:${port}: connection reset`;

describe('trouble that lasts for a month', () => {
  it('is told as seldom where each answer has an id of its own, as of a proxy', () => {
    const told = new ToldTrouble(clock);
    const about = (now: number) => `bad gateway, request ${createHash('sha256').update(`${now}`).digest('hex')}`;
    expect(tellings(told, 0, day, about)).toBeLessThanOrEqual(15 + 24);
  });

  it('is told once in the same words', () => {
    expect(tellings(new ToldTrouble(clock), 0, 30 * day, () => 'connection refused')).toBe(1);
  });

  it('is told once an hour in the end where they have other numbers each time', () => {
    const told = new ToldTrouble(clock);
    expect(tellings(told, 0, hour, reset)).toBeLessThanOrEqual(15);
    expect(tellings(told, hour, 30 * day, reset)).toBeLessThanOrEqual(30 * 24 + 1);
  });

  it('is told once a minute again after it was over', () => {
    const told = new ToldTrouble(clock);
    tellings(told, 0, day, reset);
    expect(told.over()).toBe(day / 1000);
    now += hour;
    expect(told.failed(new Error(reset(1)))).toBe(true);
    now += minute;
    expect(told.failed(new Error(reset(2)))).toBe(true);
  });

  it('is told when it comes back soon after it was over, be it that it had lasted', () => {
    const told = new ToldTrouble(clock);
    tellings(told, 0, day, reset);
    told.over();
    now += minute;
    expect(told.failed(new Error(reset(1)))).toBe(true);
  });

  it.each([
    ['each two minutes', 2],
    ['each half hour', 30],
  ])('is told once an hour in the end where it comes and goes %s, and that it is over as often', (_, minutes) => {
    const told = new ToldTrouble(clock);
    let lines = 0;
    for (now = 0; now < 30 * day; now += minutes * minute) {
      if (told.failed(new Error('reset'))) lines++;
      if (told.over() !== undefined) lines++;
    }
    expect(lines).toBeLessThanOrEqual(2 * (30 * 24 + 12));
    now += 3 * hour;
    expect([told.failed(new Error('reset')), told.over()]).toEqual([true, 0]);
  });

  it('is told within minutes when it stays, however often it came and went', () => {
    const told = new ToldTrouble(clock);
    for (now = 0; now < day; now += 2 * minute) {
      told.failed(new Error('reset'));
      told.over();
    }
    expect(tellings(told, now, now + 11 * minute, () => 'reset')).toBeGreaterThan(0);
  });
});
