import { seededRandom } from '../../src/testing/seeded-random.js';

/** Chance in words. */
export class Dice {
  readonly #random;

  constructor(seed: number) {
    this.#random = seededRandom(seed);
  }

  /** A whole number from `least` to `most`. */
  whole(least: number, most: number): number {
    return least + Math.floor(this.#random() * (most - least + 1));
  }

  /** True in so many of a hundred cases. */
  percent(chance: number): boolean {
    return this.#random() * 100 < chance;
  }

  one<T>(of: readonly T[]): T {
    return of[this.whole(0, of.length - 1)] as T;
  }

  /** One of the keys, as often as its weight says. */
  weighted<K extends string>(weights: Readonly<Record<K, number>>): K {
    const entries = Object.entries(weights) as [K, number][];
    let left = this.#random() * entries.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [key, weight] of entries) {
      left -= weight;
      if (left < 0) return key;
    }
    return (entries.at(-1) as [K, number])[0];
  }

  /** Seconds, mostly few: the times at which things go wrong lie close together. */
  seconds(most: number): number {
    const share = this.#random() ** 3;
    return rounded(share * most);
  }
}

/** Seconds in whole milliseconds, as time is. */
export function rounded(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}
