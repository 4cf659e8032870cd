import { describe, expect, it } from '@jest/globals';
import { Waiters } from '../../../src/runtime/queue/waiters.js';
import { stepsOf } from '../../steps-of.js';

describe('keys that wait', () => {
  it('are known by what they wait for, until they do no more', () => {
    const waiters = new Waiters();
    waiters.add('prod/a', 'ConfigMap/x');
    waiters.add('prod/a', 'ConfigMap/y');
    waiters.add('prod/b', 'ConfigMap/x');
    expect([waiters.of('ConfigMap/x'), waiters.of('ConfigMap/y')]).toEqual([['prod/a', 'prod/b'], ['prod/a']]);

    waiters.clear('prod/a');
    expect([waiters.of('ConfigMap/x'), waiters.of('ConfigMap/y')]).toEqual([['prod/b'], []]);
    waiters.clear('prod/b');
    expect(waiters.of('ConfigMap/x')).toEqual([]);
  });

  it('cost the same however many there are', () => {
    const cost = (count: number) => {
      const waiters = new Waiters();
      for (let index = 0; index < count; index++) waiters.add(`prod/${index}`, `ConfigMap/${index}`);
      // As each round of one of them does.
      return stepsOf(() => {
        for (let index = 0; index < 100; index++) {
          waiters.clear(`prod/${index}`);
          waiters.add(`prod/${index}`, `ConfigMap/${index}`);
        }
      });
    };
    expect([cost(10_000), cost(100) > 0]).toEqual([cost(100), true]);
  });
});
