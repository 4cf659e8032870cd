import type { Clock } from '../kube/clock.js';
import type { LogLevel } from '../kube/log-choices.js';
import type { Log } from '../runtime/telemetry/log.js';

/** A line of a controller's log: a constant message, and data beside it. */
export interface LogLine {
  /** Milliseconds since 1970, by the clock of the controller's machine. */
  readonly at: number;
  readonly level: LogLevel;
  readonly message: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Keeps what is logged, for tests to look at. */
export class LineLog implements Log {
  constructor(
    private readonly lines: LogLine[],
    private readonly clock: Clock,
    private readonly context: object = {},
  ) {}

  debug(message: string, data?: object): void {
    this.#add('debug', message, data);
  }

  info(message: string, data?: object): void {
    this.#add('info', message, data);
  }

  warn(message: string, data?: object): void {
    this.#add('warn', message, data);
  }

  error(message: string, data?: object): void {
    this.#add('error', message, data);
  }

  child(data: object): Log {
    return new LineLog(this.lines, this.clock, { ...this.context, ...data });
  }

  #add(level: LogLevel, message: string, data: object = {}): void {
    this.lines.push({ at: this.clock.now(), level, message, data: { ...this.context, ...data } });
  }
}
