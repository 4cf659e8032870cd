import { setTimeout as sleep } from 'node:timers/promises';
import type { Dice } from '../../simulation/dice.js';
import type { Deeds } from './hands.js';

/**
 * Does what there is to do by chance until `end`, of `performance.now()`, and for as much longer as it takes to have done more
 * than `least`: while a server starts anew nothing can be done. Remembers what was done when.
 */
export class Chance {
  readonly #told: string[] = [];
  readonly #begin = performance.now();
  #done = 0;

  constructor(
    private readonly dice: Dice,
    private readonly end: number,
    private readonly least: number,
  ) {}

  /** What is told of, in its order. */
  get story(): string {
    return this.#told.join('\n');
  }

  /** One after the other, with pauses of up to `pause` milliseconds. */
  async keepDoing(all: Deeds, pause: number, { isTold = false } = {}): Promise<void> {
    for (;;) {
      await sleep(this.dice.whole(0, pause));
      if (performance.now() > this.end && this.#done > this.least) return;
      const name = this.dice.one(Object.keys(all));
      const begin = this.#seconds();
      // What there is not cannot be changed, and what there is not made.
      const result = await all[name]!().then(
        () => '',
        ({ message }: Error) => `, in vain: ${message}`,
      );
      if (result === '') this.#done++;
      if (isTold) this.#told.push(`${begin} to ${this.#seconds()} s: ${name}${result}`);
    }
  }

  #seconds(): string {
    return ((performance.now() - this.#begin) / 1000).toFixed(1);
  }
}
