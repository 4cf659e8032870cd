import { ForbiddenError, isOfServer, RetryAfterError } from '../../client/api-error.js';
import { type Clock, type Random, sleep } from '../../kube/clock.js';
import { asError } from '../../kube/errors.js';
import { BackOff, type BackOffOptions } from '../queue/back-off.js';
import { type Log, wordsOfError } from '../telemetry/log.js';
import { ToldTrouble } from '../telemetry/told-trouble.js';
import type { Outage } from './outage.js';

export interface SetbacksOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly backOff: BackOffOptions;
  /** What the informers of one API server have in common. Absent: this one waits by itself. */
  readonly outage?: Outage | undefined;
}

/** What failed since the API server last showed something of a kind: what is told of it, and how long is waited before the next try. */
export class Setbacks {
  readonly #backOff: BackOff;
  readonly #told: ToldTrouble;
  #trouble: Error | undefined;
  #isRefused = false;
  /** The last pause was cut short, since the API server answered another informer. */
  #wasEarly = false;

  constructor(private readonly options: SetbacksOptions) {
    this.#backOff = new BackOff(options.backOff);
    this.#told = new ToldTrouble(options.clock);
  }

  /** What failed last, until the API server shows something again. */
  get trouble(): Error | undefined {
    return this.#trouble;
  }

  /** True from when the API server said that we may not look until it shows us something. */
  get isRefused(): boolean {
    return this.#isRefused;
  }

  /** Tells of one more failure, and returns how many milliseconds to wait. */
  failed(error: unknown): number {
    const { log, random } = this.options;
    if (error instanceof ForbiddenError) this.#isRefused = true;
    this.#trouble = asError(error);
    if (this.#told.failed(error)) log.warn('Failed to watch', wordsOfError(error));
    else log.debug('Failed to watch again', wordsOfError(error));
    const wait = this.#backOff.next();
    if (!(error instanceof RetryAfterError)) return wait;
    // All informers were told the same, and must not come back in the same moment.
    return Math.max(wait, error.retryAfterSeconds * 1000 * (1 + random() / 4));
  }

  /** Where the server may answer nobody, until it answers another informer; twice in a row that says nothing of this one. */
  async pause(milliseconds: number, error: unknown, signal: AbortSignal): Promise<void> {
    const { clock, outage } = this.options;
    if (!outage || this.#wasEarly || !isOfServer(error)) {
      this.#wasEarly = false;
      return sleep(clock, milliseconds, signal);
    }
    const least = error instanceof RetryAfterError ? error.retryAfterSeconds * 1000 : 0;
    this.#wasEarly = await outage.wait(milliseconds, Math.min(milliseconds, least), signal);
  }

  /** The last attempt came to something, though the API server has not shown anything: the next wait is a short one. */
  notInVain(): void {
    this.#backOff.reset();
  }

  /** The API server answers again, and has shown nothing of this kind so far: of a quiet one that takes a minute. */
  answered(): void {
    if (isOfServer(this.#trouble)) this.options.outage?.end();
  }

  /** The API server shows something again. */
  over(): void {
    this.#isRefused = false;
    const trouble = this.#trouble;
    this.#trouble = undefined;
    if (trouble) this.#tellOver(trouble);
    this.#backOff.reset();
  }

  #tellOver(trouble: Error): void {
    const { log, outage } = this.options;
    this.#wasEarly = false;
    const seconds = this.#told.over();
    if (seconds !== undefined) log.info('Watching again', { seconds });
    if (isOfServer(trouble)) outage?.end();
  }
}
