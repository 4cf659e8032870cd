import { type Logger as PinoLogger, pino } from 'pino';
import { asError, causeText, seemly, stackOf } from '../../kube/errors.js';
import { harmless, wholeCharactersIn } from '../../kube/json-escapes.js';
import type { LogFormat, LogLevel } from '../../kube/log-choices.js';

/** What the controller says of itself: a constant message, and data beside it. */
export interface Log {
  debug(message: string, data?: object): void;
  info(message: string, data?: object): void;
  warn(message: string, data?: object): void;
  error(message: string, data?: object): void;
  /** The same log, with data on every line. */
  child(data: object): Log;
}

export interface LogOptions {
  readonly level: LogLevel;
  readonly format: LogFormat;
  readonly write: (line: string) => void;
}

/** One object a line, with `ts`, `level` and `msg`; or one line of text for people. */
export function createLog({ level, format, write }: LogOptions): Log {
  const destination = {
    write(json: string) {
      // Half a character in it, and whoever collects the lines may drop this one.
      const line = wholeCharactersIn(json);
      // `kubectl logs` shows it as it is.
      write(harmless(format === 'json' ? line : asText(line)));
    },
  };
  const logger = pino(
    {
      level,
      base: null,
      messageKey: 'msg',
      timestamp: () => `,"ts":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
    },
    destination,
  );
  return new PinoLog(logger);
}

/** Says nothing. */
export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {}, child: () => silentLog };

type Logger = PinoLogger<never, boolean>;

/** Every round has a log of its own, and most say nothing: a child is made for its first line. */
class PinoLog implements Log {
  #own: Logger | undefined;

  constructor(
    private readonly parent: Logger | PinoLog,
    private readonly data: object = {},
  ) {}

  debug(message: string, data?: object): void {
    this.#say('debug', message, data);
  }

  info(message: string, data?: object): void {
    this.#say('info', message, data);
  }

  warn(message: string, data?: object): void {
    this.#say('warn', message, data);
  }

  error(message: string, data?: object): void {
    this.#say('error', message, data);
  }

  child(data: object): Log {
    return new PinoLog(this, data);
  }

  #say(level: LogLevel, message: string, data: object = {}): void {
    if (this.#root.isLevelEnabled(level)) this.#logger[level](withErrors(data), message);
  }

  get #root(): Logger {
    return this.parent instanceof PinoLog ? this.parent.#root : this.parent;
  }

  get #logger(): Logger {
    this.#own ??= this.parent instanceof PinoLog ? this.parent.#logger.child(withErrors(this.data)) : this.parent;
    return this.#own;
  }
}

/** What a line tells of an error, and what to do about it. */
export function wordsOfError(error: unknown): { readonly error: string; readonly hint?: string } {
  const { message, hint } = asError(error) as Error & { readonly hint?: unknown };
  return { error: message, ...(typeof hint === 'string' ? { hint } : {}) };
}

/**
 * An error has nothing that JSON would show; its other properties may say too much. What stands under `error` is a text always, with
 * `hint` and `stack` beside it: who collects lines holds each key to one type, and drops a line that has another.
 */
function withErrors(data: object): object {
  const entries = Object.entries(data as Readonly<Record<string, unknown>>).flatMap(([key, value]) => {
    const seen = seemly(value);
    const isError = seen instanceof Error || (key === 'error' && seen !== undefined);
    return isError ? Object.entries({ [key]: causeText(seen), ...besideError(seen) }) : [[key, seen] as const];
  });
  return Object.fromEntries(entries);
}

function besideError(thrown: unknown): object {
  const { hint } = wordsOfError(thrown);
  const stack = thrown instanceof Error ? stackOf(thrown) : undefined;
  return { ...(hint === undefined ? {} : { hint }), ...(stack === undefined ? {} : { stack }) };
}

/** As it is, unless it could be taken for a line of its own. */
function asWord(text: string): string {
  return /[\p{Cc}\u2028\u2029]/u.test(text) ? JSON.stringify(text) : text;
}

function asText(line: string): string {
  const { ts, level, msg, ...data } = JSON.parse(line) as { ts: string; level: string; msg: string };
  const rest = Object.entries(data).map(
    ([key, value]) => `${asWord(key)}=${typeof value === 'string' ? asWord(value) : JSON.stringify(value)}`,
  );
  return `${ts.slice(11, 23)} ${level.toUpperCase().padEnd(5)} ${[msg, ...rest].join('  ')}\n`;
}
