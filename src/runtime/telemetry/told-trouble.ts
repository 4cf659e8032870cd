import type { Clock } from '../../kube/clock.js';
import { asError } from '../../kube/errors.js';
import { isInARow, longestMilliseconds, quietAfter, quietMilliseconds } from './less-often.js';

interface Told {
  readonly message: string;
  /** Milliseconds of the monotonic clock. */
  readonly at: number;
  /** For so long the same with other numbers is no news. */
  readonly forMilliseconds: number;
  /** How often in a row it was told as it had come back. */
  readonly comebacks: number;
  /** True while it is so still. */
  isOn: boolean;
}

/** What lasts for longer is told less and less often, down to once an hour. */
const freshMilliseconds = 10 * 60_000;
/** Of so many words at once there are none that say the same with other numbers. */
const mostWords = 20;

/**
 * What was told of something that fails, such as a watch. It is tried again for as long as it takes, which is to fill no log; and whoever reads
 * that it failed has to find that it does not any more. What comes and goes for ever is told less and less often as well.
 */
export class ToldTrouble {
  readonly #told = new Map<string, Told>();
  #since: number | undefined;

  constructor(private readonly clock: Pick<Clock, 'monotonic'>) {}

  /** True when these words were not told. */
  failed(error: unknown): boolean {
    const { message } = asError(error);
    const now = this.clock.monotonic();
    this.#since ??= now;
    // With the letters around them, as of an id.
    const words = message.replaceAll(/[\w-]+/g, (word) => (/\d/.test(word) ? '0' : word));
    const told = this.#told.get(words);
    if (told?.isOn && told.message === message) return false;
    const isOld = now - this.#since >= freshMilliseconds;
    // What was over meanwhile is told as the first time, unless it comes and goes, and stays no longer now.
    const back = isOld ? quietMilliseconds : quietAfter(told?.comebacks ?? 0);
    const quiet = told?.isOn ? told.forMilliseconds : back;
    if (told && now - told.at < quiet) return false;
    if (this.#told.size >= mostWords) this.#told.clear();
    const forMilliseconds = isOld ? Math.min(2 * quiet, longestMilliseconds) : quietMilliseconds;
    const comebacks = told && isInARow(told.at, now) ? told.comebacks + (told.isOn ? 0 : 1) : 0;
    this.#told.set(words, { message, at: now, forMilliseconds, comebacks, isOn: true });
    return true;
  }

  /** It works again: for how many seconds it did not, where that was told. */
  over(): number | undefined {
    const now = this.clock.monotonic();
    const since = this.#since ?? now;
    this.#since = undefined;
    const open = [...this.#told.values()].filter(({ isOn }) => isOn);
    for (const told of open) told.isOn = false;
    return open.length === 0 ? undefined : Math.round((now - since) / 1000);
  }
}
