/** Of fewer it costs nothing to look at all. */
const few = 100;

/** Until when keys are held, in milliseconds of the monotonic clock. What is over is forgotten by and by, whatever becomes of its key. */
export class Holds {
  readonly #until = new Map<string, number>();
  /** All are looked at when there are so many: twice as many as were left the last time, so that thousands at once cost each no more. */
  #many = few;

  constructor(private readonly clock: { monotonic(): number }) {}

  hold(key: string, milliseconds: number): void {
    if (this.#until.size >= this.#many) this.#forgetOld();
    this.#until.set(key, this.clock.monotonic() + milliseconds);
  }

  /** For how many milliseconds more. */
  leftOf(key: string): number {
    return Math.max(0, (this.#until.get(key) ?? 0) - this.clock.monotonic());
  }

  #forgetOld(): void {
    const now = this.clock.monotonic();
    for (const [key, until] of this.#until) if (until <= now) this.#until.delete(key);
    this.#many = Math.max(few, 2 * this.#until.size);
  }
}
