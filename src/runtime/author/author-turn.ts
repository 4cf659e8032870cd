import type { Clock } from '../../kube/clock.js';
import type { Breather } from '../process/breather.js';
import type { Log } from '../telemetry/log.js';
import { ToldSeldom } from '../telemetry/told-seldom.js';
import type { Tracing } from '../telemetry/tracing.js';
import { type AuthorsFunction, owning } from './stray-owners.js';

export interface AuthorTurnOptions {
  readonly breather: Pick<Breather, 'rest' | 'spent'>;
  readonly clock: Clock;
  readonly log: Log;
  /** Default: nobody follows it. */
  readonly tracing?: Tracing | undefined;
}

interface Running {
  readonly what: AuthorsFunction;
  readonly since: number;
  readonly ended: ((isThrown: boolean) => void) | undefined;
}

/** Code that keeps all others waiting for so long is named in the log. Well below a second, the least limit that code has. */
const slowMilliseconds = 500;

/** The thread, while an author's code has it: who that is, for how long, and whose the promises are. */
export class AuthorTurn {
  #running: Running | undefined;
  readonly #slow: ToldSeldom;

  constructor(private readonly options: AuthorTurnOptions) {
    this.#slow = new ToldSeldom(options.clock);
  }

  /** What has to be waited for before, until it is undefined: others have their turn after what took long. */
  get rest(): Promise<void> | undefined {
    return this.options.breather.rest;
  }

  /** Around all that is done in one go, and around its limit of time: what is ended leaves no `finally` behind it. */
  take<T>(body: () => T): T {
    const { clock, breather } = this.options;
    const since = clock.monotonic();
    try {
      return owning(() => this.#running?.what.rejected, body);
    } finally {
      this.#ended();
      breather.spent(clock.monotonic() - since);
    }
  }

  /** Around each function, within a turn. */
  run<T>(what: AuthorsFunction, body: () => T): T {
    this.#running = { what, since: this.options.clock.monotonic(), ended: this.options.tracing?.computing(what) };
    try {
      const result = body();
      this.#ended(false);
      return result;
    } finally {
      this.#ended();
    }
  }

  #ended(isThrown = true): void {
    if (!this.#running) return;
    const { what, since, ended } = this.#running;
    this.#running = undefined;
    ended?.(isThrown);
    const milliseconds = Math.round(this.options.clock.monotonic() - since);
    if (milliseconds < slowMilliseconds) return;
    const { rejected: _, ...told } = what;
    this.#slow.warn(this.options.log, 'Waited for the code of an author', told, { milliseconds });
  }
}
