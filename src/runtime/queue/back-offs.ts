import { BackOff, type BackOffOptions } from './back-off.js';

/** A back-off for each key that has one. */
export class BackOffs {
  readonly #byKey = new Map<string, BackOff>();

  constructor(private readonly options: BackOffOptions) {}

  /** Milliseconds to wait for `key` now, and longer the next time. */
  next(key: string): number {
    const backOff = this.#byKey.get(key) ?? new BackOff(this.options);
    this.#byKey.set(key, backOff);
    return backOff.next();
  }

  /** Whether `key` waited since it was forgotten. */
  has(key: string): boolean {
    return this.#byKey.has(key);
  }

  forget(key: string): void {
    this.#byKey.delete(key);
  }
}
