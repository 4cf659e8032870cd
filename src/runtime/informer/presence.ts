import type { Listeners } from './listeners.js';

/** Whether the API server serves a kind, and whether its store has held all of it: who waits for either. */
export class Presence {
  #isSynced = false;
  #isServed = true;
  readonly #waiting: (() => void)[] = [];
  readonly #asking: (() => void)[] = [];

  /** `changed` hears when the API server begins or ceases to serve the kind. */
  constructor(private readonly changed: Listeners) {}

  /** True once the store has held a complete list. */
  get isSynced(): boolean {
    return this.#isSynced;
  }

  /** False while the API server does not know the kind. */
  get isServed(): boolean {
    return this.#isServed;
  }

  /** Resolves once the store has held a complete list. */
  synced(): Promise<void> {
    return this.#isSynced ? Promise.resolve() : new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Resolves once the store has held a complete list, or the API server has said that it does not serve the kind. */
  answered(): Promise<void> {
    return this.#isSynced || !this.#isServed ? Promise.resolve() : new Promise((resolve) => this.#asking.push(resolve));
  }

  /** The store holds a complete list. */
  listed(): void {
    this.#isSynced = true;
    for (const resolve of this.#waiting.splice(0)) resolve();
    this.#serves(true);
  }

  /** The API server does not know the kind. */
  missing(): void {
    this.#serves(false);
  }

  #serves(isServed: boolean): void {
    const isNews = this.#isServed !== isServed;
    this.#isServed = isServed;
    for (const resolve of this.#asking.splice(0)) resolve();
    if (isNews) this.changed.tell();
  }
}
