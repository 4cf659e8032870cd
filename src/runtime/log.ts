import { type Logger as PinoLogger, pino } from 'pino';

/** What the controller says of itself: a constant message, and data beside it. */
export interface Log {
  debug(message: string, data?: object): void;
  info(message: string, data?: object): void;
  warn(message: string, data?: object): void;
  error(message: string, data?: object): void;
  /** The same log, with data on every line. */
  child(data: object): Log;
}

export const logLevels = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof logLevels)[number];

export interface LogOptions {
  readonly level: LogLevel;
  readonly format: 'json' | 'text';
  readonly write: (line: string) => void;
}

/** One object a line, with `ts`, `level` and `msg`; or one line of text for people. */
export function createLog({ level, format, write }: LogOptions): Log {
  const destination = { write: format === 'json' ? write : (line: string) => write(asText(line)) };
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
  return over(logger);
}

/** Says nothing. */
export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {}, child: () => silentLog };

type Logger = PinoLogger<never, boolean>;

function over(logger: Logger): Log {
  return {
    debug: (message, data = {}) => logger.debug(withErrors(data), message),
    info: (message, data = {}) => logger.info(withErrors(data), message),
    warn: (message, data = {}) => logger.warn(withErrors(data), message),
    error: (message, data = {}) => logger.error(withErrors(data), message),
    child: (data) => over(logger.child(withErrors(data))),
  };
}

/** An error has nothing that JSON would show; its other properties may say too much. */
function withErrors(data: object): object {
  const entries = Object.entries(data as Readonly<Record<string, unknown>>).map(([key, value]) => [
    key,
    value instanceof Error ? { type: value.name, message: value.message, stack: value.stack } : value,
  ]);
  return Object.fromEntries(entries);
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
