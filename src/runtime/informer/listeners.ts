import type { Log } from '../telemetry/log.js';

/** Who hears of something, in the order in which they came. What one throws is logged, and keeps nothing from the others. */
export class Listeners<A extends readonly unknown[] = []> {
  readonly #all = new Set<(...about: A) => void>();

  constructor(private readonly log: Log) {}

  /** `listener` hears of each from now on, until the returned function is called. */
  add(listener: (...about: A) => void): () => void {
    this.#all.add(listener);
    return () => this.#all.delete(listener);
  }

  tell(...about: A): void {
    for (const listener of this.#all) {
      try {
        listener(...about);
      } catch (error) {
        this.log.error('Failed to tell a listener', { error });
      }
    }
  }
}
