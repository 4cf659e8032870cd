import { expect, it } from '@jest/globals';
import { ToldSeldom } from '../../../src/runtime/telemetry/told-seldom.js';

it('what goes on happening for a month is told the first time, and then once an hour, with how often it was meanwhile', () => {
  let now = 0;
  const told = new ToldSeldom({ monotonic: () => now });
  let [lines, counted] = [0, 0];
  for (; now < 30 * 24 * 3_600_000; now += 10_000) {
    const times = told.happened('compose');
    if (times === undefined) continue;
    lines++;
    counted += times;
  }
  expect(lines).toBeLessThanOrEqual(30 * 24 + 12);
  expect(now / 10_000 - counted).toBeLessThanOrEqual(360);
  expect([told.happened('status'), told.happened('status')]).toEqual([1, undefined]);
  now += 3 * 3_600_000;
  expect(told.happened('compose')).toBeGreaterThan(0);
  now += 60_000;
  expect(told.happened('compose')).toBe(1);
});

it('nothing is remembered of what is told of ever new custom resources', () => {
  const told = new ToldSeldom({ monotonic: () => 0 });
  for (let index = 0; index <= 1000; index++) expect(told.happened(`compose ${index}`)).toBe(1);
  expect([told.happened('compose 1000'), told.happened('compose 0')]).toEqual([undefined, 1]);
});
