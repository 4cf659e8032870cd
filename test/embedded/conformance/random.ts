import { seededRandom } from '../../../src/testing/seeded-random.js';

/** Chance that can be had again: the same seed gives the same sequence (mulberry32). */
export class Random {
  /** From 0 up to 1, without 1. */
  readonly next: () => number;

  constructor(seed: string) {
    // FNV-1a, so that seeds which differ in one character lead to sequences that have nothing in common.
    let hash = 0x811c9dc5;
    for (let index = 0; index < seed.length; index++) hash = Math.imul(hash ^ seed.charCodeAt(index), 0x01000193);
    this.next = seededRandom(hash);
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** From 0 up to `end`, without `end`. */
  below(end: number): number {
    return Math.floor(this.next() * end);
  }

  pick<T>(values: readonly T[]): T {
    if (values.length === 0) throw new Error('there is nothing to pick from');
    return values[this.below(values.length)] as T;
  }

  /** `count` of the values at most, each once. */
  some<T>(values: readonly T[], count: number): T[] {
    const left = [...values];
    const taken: T[] = [];
    while (taken.length < count && left.length > 0) taken.push(...left.splice(this.below(left.length), 1));
    return taken;
  }

  /** A key, the more often the greater its weight. */
  weighted<K extends string>(weights: Readonly<Record<K, number>>): K {
    const entries = Object.entries(weights) as [K, number][];
    let rest = this.next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [key, weight] of entries) {
      rest -= weight;
      if (rest < 0) return key;
    }
    return entries[entries.length - 1]![0];
  }
}
