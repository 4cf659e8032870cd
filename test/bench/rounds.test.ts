import { describe, expect, it } from '@jest/globals';
import { seededRandom } from '../../src/testing/seeded-random.js';
import { drawOrders } from './rounds.js';

const names = ['kilter', 'bare loop', 'controller-runtime', 'kopf'];
const draw = (seed: number, rounds: number, once: readonly string[] = []) =>
  drawOrders(names, rounds, once, seededRandom(seed));

describe('the orders of a race', () => {
  it('are drawn anew by each seed, also of a single round, and are the same for the same', () => {
    const firsts = new Set(Array.from({ length: 40 }, (_, seed) => draw(seed, 1)[0]![0]));
    expect([...firsts].sort()).toEqual([...names].sort());
    expect(draw(7, 3)).toEqual(draw(7, 3));
  });

  it('leave nobody out, and have nobody always after the same one', () => {
    const orders = draw(7, 12);
    for (const order of orders) expect([...order].sort()).toEqual([...names].sort());
    const before = (name: string) => orders.map((order) => order[order.indexOf(name) - 1]);
    for (const name of names) expect(new Set(before(name)).size).toBe(names.length);
  });

  it('have those who race once in the first round alone', () => {
    const [first, ...later] = draw(7, 3, ['kopf']);
    expect(first).toContain('kopf');
    expect(later.flat()).not.toContain('kopf');
    expect(later.map(({ length }) => length)).toEqual([3, 3]);
  });
});
