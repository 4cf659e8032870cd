import type { Clock } from '../../kube/clock.js';
import { Line } from './line.js';

export interface SharedWaitsOptions {
  readonly clock: Clock;
  /** Ends the wait of a key. */
  readonly hurry: (key: string) => void;
}

interface Wait {
  /** When it ends by itself. */
  readonly due: number;
  /** When the server may be asked again, which asked to be left alone until then; absent where it did not. */
  readonly notBefore: number | undefined;
  /** How many such waits end in a millisecond; none where the server asked to wait. */
  readonly rate: number;
  /** It was cut short once by one that was well again. */
  readonly isSpent: boolean;
}

/** No sooner is one tried to see after another was. */
const leastMilliseconds = 5000;
/** Nor later: a back-off is no longer. */
const mostMilliseconds = 1_000_000;
/** Whoever is well again brings on so many. */
const followers = 2;
/** And looks at so many at most that were asked to wait longer. */
const mostLooks = 200;

/**
 * The keys that wait since the API server failed them, which may be by one trouble of all: each with a wait that has grown for as long
 * as that has lasted, and all in step where it began for all at once. When it is over, none of them need wait to its end.
 *
 * Now and then the one that was tried longest ago is tried ahead of its time, to see, unless the server asked it to wait. One that is
 * well again, by whatever round, brings on two, of which each does the same: many come back within a few rounds, and the wave ends
 * where what it meets fails still.
 *
 * **Guarantees.** What fails ahead of its time has its turn when that comes, and its wait is no longer for it. Each is brought on once at
 * most until then, whatever becomes well beside it. To see, twice as many are tried as come by themselves at most, one at a time.
 */
export class SharedWaits {
  /** Those first that were tried longest ago. */
  readonly #waits = new Map<string, Wait>();
  /** Those of them that may still be brought on, in the same order, but for who was to wait longer when it was looked. */
  readonly #unspent = new Line<string, Wait>();
  /** How many come by themselves in a millisecond. */
  #rate = 0;
  /** The one that is tried to see. */
  #scout: string | undefined;
  #look: { readonly at: number; cancel(): void } | undefined;

  constructor(private readonly options: SharedWaitsOptions) {}

  /** Milliseconds that are left to `key`, which failed ahead of its time; undefined where it failed in time. */
  leftOf(key: string): number | undefined {
    const left = (this.#waits.get(key)?.due ?? 0) - this.options.clock.monotonic();
    // Sums of fractions meet to a fraction.
    return left >= 1 ? left : undefined;
  }

  /** The server failed `key`, which is tried again after so long. `least`: for how long it asked to be left alone. */
  failed(key: string, milliseconds: number, least?: number): void {
    const now = this.options.clock.monotonic();
    const before = this.leftOf(key) === undefined ? undefined : this.#waits.get(key);
    this.forget(key);
    const notBefore = least === undefined ? undefined : now + least;
    const rate = notBefore === undefined ? before?.rate || 1 / milliseconds : 0;
    const wait = { due: now + milliseconds, notBefore, rate, isSpent: before?.isSpent ?? false };
    this.#waits.set(key, wait);
    if (!wait.isSpent) this.#unspent.push(key, wait);
    this.#rate += rate;
    if (rate > 0) this.#lookLater();
  }

  /** The next failure of `key` is in time. */
  startsAnew(key: string): void {
    const wait = this.#waits.get(key);
    if (wait) this.#waits.set(key, { ...wait, due: this.options.clock.monotonic() });
    this.#unspent.delete(key);
  }

  /** The server did for `key` what there was to do. */
  well(key: string): void {
    if (!this.forget(key)) return;
    for (let count = 0; count < followers; count++) this.#hurryUnspent();
  }

  /** Nothing of `key` tells of the server any more. True where it waited. */
  forget(key: string): boolean {
    if (this.#scout === key) this.#scout = undefined;
    const wait = this.#waits.get(key);
    if (!wait) return false;
    this.#waits.delete(key);
    this.#unspent.delete(key);
    this.#rate -= wait.rate;
    if (this.#waits.size === 0) this.close();
    return true;
  }

  /** Leaves no timer behind. */
  close(): void {
    this.#rate = 0;
    this.#look?.cancel();
    this.#look = undefined;
  }

  #hurryUnspent(): void {
    const now = this.options.clock.monotonic();
    let looks = Math.min(mostLooks, this.#unspent.size);
    for (let next = this.#unspent.first; next && looks > 0; next = this.#unspent.first) {
      const [key, wait] = next;
      this.#unspent.delete(key);
      // Whose time has come is on its way.
      if (wait.due <= now) continue;
      if ((wait.notBefore ?? now) <= now) {
        this.#waits.set(key, { ...wait, isSpent: true });
        this.options.hurry(key);
        return;
      }
      this.#unspent.push(key, wait);
      looks--;
    }
  }

  /** Tries one to see, if there is one. */
  #hurryScout(): string | undefined {
    const now = this.options.clock.monotonic();
    for (const [key, { due, notBefore }] of this.#waits) {
      if (due <= now || notBefore !== undefined) continue;
      this.options.hurry(key);
      return key;
    }
    return undefined;
  }

  /** While somebody waits, tries one now and then. */
  #lookLater(): void {
    const { clock } = this.options;
    const milliseconds = Math.max(leastMilliseconds, Math.min(0.5 / this.#rate, mostMilliseconds));
    const at = clock.monotonic() + milliseconds;
    if (this.#look && this.#look.at <= at) return;
    this.#look?.cancel();
    const cancel = clock.after(milliseconds, () => {
      this.#look = undefined;
      this.#scout ??= this.#hurryScout();
      if (this.#waits.size > 0) this.#lookLater();
    });
    this.#look = { at, cancel };
  }
}
