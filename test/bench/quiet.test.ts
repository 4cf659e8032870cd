import { describe, expect, it } from '@jest/globals';
import { becomesQuiet } from './quiet.js';

/** An API server that takes `spent` milliseconds of CPU second by second, and is empty after some of them. */
function server(spent: (second: number) => number, emptyAfter: number) {
  let [seconds, api] = [0, 5000];
  const plane = { cpu: () => ({ api, etcd: 0 }), isEmpty: async () => seconds >= emptyAfter };
  const second = async () => {
    api += spent(++seconds);
  };
  return { becomesQuiet: () => becomesQuiet(plane, second), waited: () => seconds };
}

describe('the API server between two contenders', () => {
  it('is waited for until a second has passed in which it did next to nothing', async () => {
    const busyForThree = server((second) => (second <= 3 ? 900 : 40), 0);
    expect(await busyForThree.becomesQuiet()).toBe(true);
    expect(busyForThree.waited()).toBe(4);
  });

  it('is waited for while objects are left', async () => {
    const deleting = server(() => 0, 6);
    expect(await deleting.becomesQuiet()).toBe(true);
    expect(deleting.waited()).toBe(6);
  });

  it.each([
    ['is always busy', server(() => 900, 0)],
    ['is never empty', server(() => 0, Number.POSITIVE_INFINITY)],
  ])('does not hold up the bench when it %s, and is said not to have been quiet', async (_, stubborn) => {
    expect(await stubborn.becomesQuiet()).toBe(false);
    expect(stubborn.waited()).toBe(60);
  });
});
