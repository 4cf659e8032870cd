import type { Clock } from '../../kube/clock.js';
import { isInARow, quietAfter } from './less-often.js';
import type { Log } from './log.js';
import { putLatest } from './put-latest.js';

interface Told {
  /** Milliseconds of the monotonic clock. */
  readonly at: number;
  /** How often it was told in a row. */
  readonly times: number;
  /** How often it has happened since. */
  since: number;
}

/** Of more at once each is told as if it were the first time. */
const most = 1000;

/**
 * What may happen at any time for as long as a process runs, such as that code takes long for a custom resource. Each is told the first
 * time, and then less and less often, down to once an hour.
 */
export class ToldSeldom {
  readonly #told = new Map<string, Told>();

  constructor(private readonly clock: Pick<Clock, 'monotonic'>) {}

  /** `what` happened once more: a warning where it is to be told now, with the `times` that it has since, and else for who looks closely. */
  warn(
    log: Log,
    message: string,
    what: Readonly<Record<string, unknown>>,
    more: Readonly<Record<string, unknown>>,
  ): void {
    const times = this.happened(JSON.stringify(what));
    const often = times === undefined || times === 1 ? {} : { times };
    log[times === undefined ? 'debug' : 'warn'](message, { ...what, ...more, ...often });
  }

  /** It happened once more. How often it has since it was told last, where it is to be told now. */
  happened(what: string): number | undefined {
    const now = this.clock.monotonic();
    const told = this.#told.get(what);
    const isAgain = told !== undefined && isInARow(told.at, now);
    if (isAgain && now - told.at < quietAfter(told.times)) {
      told.since++;
      return undefined;
    }
    putLatest(this.#told, what, { at: now, times: isAgain ? told.times + 1 : 1, since: 0 }, most);
    return (told?.since ?? 0) + 1;
  }
}
