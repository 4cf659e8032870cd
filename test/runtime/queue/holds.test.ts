import { expect, it } from '@jest/globals';
import { Holds } from '../../../src/runtime/queue/holds.js';

it('of thousands each is held for its time, also when those of before are over', () => {
  let now = 0;
  const holds = new Holds({ monotonic: () => now });
  const keys = Array.from({ length: 1000 }, (_, index) => `a/${index}`);
  for (const [index, key] of keys.entries()) holds.hold(key, index % 2 === 0 ? 1000 : 60_000);
  now = 30_000;
  for (const key of keys) holds.hold(`more of ${key}`, 10_000);
  holds.hold('a/0', 5000);
  expect([holds.leftOf('a/0'), holds.leftOf('a/1'), holds.leftOf('a/2'), holds.leftOf('more of a/999')]).toEqual([
    5000, 30_000, 0, 10_000,
  ]);
  now = 90_000;
  expect([holds.leftOf('a/0'), holds.leftOf('a/1'), holds.leftOf('nobody')]).toEqual([0, 0, 0]);
});
