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

  it('begin each round with another one, and leave nobody out', () => {
    const orders = draw(7, names.length);
    expect(orders.map(([first]) => first).sort()).toEqual([...names].sort());
    for (const order of orders) expect([...order].sort()).toEqual([...names].sort());
  });

  it('have those who race once in the first round alone', () => {
    const [first, ...later] = draw(7, 3, ['kopf']);
    expect(first).toContain('kopf');
    expect(later.flat()).not.toContain('kopf');
    expect(later.map(({ length }) => length)).toEqual([3, 3]);
  });
});
