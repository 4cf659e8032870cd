import type { Environment } from '@marcbachmann/cel-js';
import { isGoDuration } from '../duration.js';
import { type Duration, durationValue } from './values.js';

/** Conversions and comparisons of times and durations that the library leaves out. */
export function registerTimeFunctions(environment: Environment): void {
  const [time, duration] = ['google.protobuf.Timestamp', 'google.protobuf.Duration'];
  environment.registerFunction(`string(${time}): string`, showTime);
  environment.registerFunction(`int(${time}): int`, (value: Date) => BigInt(Math.floor(value.getTime() / 1000)));
  environment.registerFunction(`timestampGo(${time}): ${time}`, (value: Date) => value);
  environment.registerFunction(`timestampGo(int): ${time}`, (seconds: bigint) => {
    const milliseconds = Number(seconds) * 1000;
    if (milliseconds < earliest || milliseconds >= latest) throw new Error('timestamp overflow');
    return new Date(milliseconds);
  });
  environment.registerFunction(`timestampGo(string): ${time}`, (text: string) => {
    if (!isTimestamp(text)) throw new Error(`type conversion error from 'string' to '${time}'`);
    return new Date(text);
  });
  environment.registerFunction(`string(${duration}): string`, showDuration);
  environment.registerFunction(`int(${duration}): int`, nanosecondsOf);
  environment.registerFunction(`durationGo(${duration}): ${duration}`, (value: Duration) => value);
  environment.registerFunction(`durationGo(string): ${duration}`, (text: string) => {
    if (!isGoDuration(text)) throw new Error(`type conversion error from 'string' to '${duration}'`);
    return durationValue(text);
  });
  for (const type of [time, duration]) {
    environment.registerOperator(`${type} == null`, (value: unknown) => value === null);
  }
}

/** What Go's `time.Parse` takes for RFC 3339. */
export function isTimestamp(text: string): boolean {
  const isFormed = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}([.,]\d+)?(Z|[+-]\d{2}:\d{2})$/.test(text);
  return isFormed && Date.parse(text) >= earliest;
}

/** The year 1 begins, and the year 10000. */
const [earliest, latest] = [-62_135_596_800_000, 253_402_300_800_000];

/** `2024-01-01T00:00:00.5Z` */
export function showTime(value: Date): string {
  return value.toISOString().replace(/\.?0*Z$/, 'Z');
}

/** `-1.5s`: in seconds, however long. */
export function showDuration(value: Duration): string {
  const nanoseconds = nanosecondsOf(value);
  const size = nanoseconds < 0n ? -nanoseconds : nanoseconds;
  const fraction = String(size % 1_000_000_000n)
    .padStart(9, '0')
    .replace(/0+$/, '');
  return `${nanoseconds < 0n ? '-' : ''}${size / 1_000_000_000n}${fraction === '' ? '' : `.${fraction}`}s`;
}

function nanosecondsOf({ seconds, nanos }: Duration): bigint {
  return seconds * 1_000_000_000n + BigInt(nanos);
}
