import { describe, expect, it } from '@jest/globals';
import { Waiters } from '../../../src/runtime/queue/waiters.js';

describe('keys that wait', () => {
  it('are known by what they wait for, until they do no more', () => {
    const waiters = new Waiters();
    waiters.add('prod/a', 'ConfigMap/x');
    waiters.add('prod/a', 'ConfigMap/y');
    waiters.add('prod/b', 'ConfigMap/x');
    expect([waiters.of('ConfigMap/x'), waiters.of('ConfigMap/y')]).toEqual([['prod/a', 'prod/b'], ['prod/a']]);
    expect(waiters.all).toEqual(['prod/a', 'prod/b']);

    waiters.clear('prod/a');
    expect([waiters.of('ConfigMap/x'), waiters.of('ConfigMap/y')]).toEqual([['prod/b'], []]);
    waiters.clear('prod/b');
    expect([waiters.all, waiters.of('ConfigMap/x')]).toEqual([[], []]);
  });

  it('cost the same however many there are', () => {
    const cost = (count: number) => {
      const waiters = new Waiters();
      for (let index = 0; index < count; index++) waiters.add(`prod/${index}`, `ConfigMap/${index}`);
      const began = performance.now();
      // As each round of one of them does.
      for (let index = 0; index < 1000; index++) {
        waiters.clear(`prod/${index}`);
        waiters.add(`prod/${index}`, `ConfigMap/${index}`);
      }
      return performance.now() - began;
    };
    cost(1000);
    // Fifty times as many: whoever looked at all of them would take fifty times as long.
    const costs = Array.from({ length: 3 }, () => cost(50_000));
    expect(Math.min(...costs)).toBeLessThan(10 * cost(1000) + 20);
  });
});
