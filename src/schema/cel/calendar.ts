import type { Environment } from '@marcbachmann/cel-js';
import type { Duration } from './duration-class.js';
import { nanosecondsOf } from './times.js';

/** What a moment is called in a zone: of a date whose time in UTC is the time there. */
const parts: Readonly<Record<string, (there: Date) => number>> = {
  getDate: (there) => there.getUTCDate(),
  getDayOfMonth: (there) => there.getUTCDate() - 1,
  getDayOfWeek: (there) => there.getUTCDay(),
  getDayOfYear: (there) => Math.floor((there.getTime() - Date.UTC(there.getUTCFullYear(), 0)) / 86_400_000),
  getFullYear: (there) => there.getUTCFullYear(),
  getHours: (there) => there.getUTCHours(),
  getMilliseconds: (there) => there.getUTCMilliseconds(),
  getMinutes: (there) => there.getUTCMinutes(),
  getMonth: (there) => there.getUTCMonth(),
  getSeconds: (there) => there.getUTCSeconds(),
};

/** How many of these are whole in a span, which may be negative. */
const units: Readonly<Record<string, bigint>> = {
  getHours: 3_600_000_000_000n,
  getMinutes: 60_000_000_000n,
  getSeconds: 1_000_000_000n,
  getMilliseconds: 1_000_000n,
};

/** The names of the functions below, which the library has too: it knows no offsets, and looks at where this process runs. */
export const calendarMethods: readonly string[] = Object.keys(parts);

/** `self.at.getHours('Europe/Berlin')`, `self.at.getHours('+05:30')` and their companions, and those of durations. */
export function registerCalendar(environment: Environment): void {
  const [time, duration] = ['google.protobuf.Timestamp', 'google.protobuf.Duration'];
  for (const [name, read] of Object.entries(parts)) {
    environment.registerFunction(`${time}.${name}Go(): int`, (value: Date) => BigInt(read(value)));
    environment.registerFunction(`${time}.${name}Go(string): int`, (value: Date, zone: string) =>
      BigInt(read(inZone(value, zone))),
    );
  }
  for (const [name, nanoseconds] of Object.entries(units)) {
    environment.registerFunction(
      `${duration}.${name}Go(): int`,
      (value: Duration) => nanosecondsOf(value) / nanoseconds,
    );
  }
}

function inZone(value: Date, zone: string): Date {
  const [, hours, minutes] = /^([+-]?\d+):(\d+)$/.exec(zone) ?? [];
  if (hours !== undefined) {
    const offset = Number(hours) * 60 + (hours.startsWith('-') ? -1 : 1) * Number(minutes);
    return new Date(value.getTime() + offset * 60_000);
  }
  try {
    return clockIn(zone === '' || zone === 'Local' ? 'UTC' : zone, value);
  } catch {
    throw new Error(`unknown time zone ${zone}`);
  }
}

/** Part by part: of a text JavaScript takes the year 1 for 2001. */
function clockIn(timeZone: string, value: Date): Date {
  const said = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    era: 'short',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(value);
  const textOf = (wanted: Intl.DateTimeFormatPartTypes) => said.find(({ type }) => type === wanted)?.value ?? '';
  const [year, month, day, hour, minute, second] = (['year', 'month', 'day', 'hour', 'minute', 'second'] as const).map(
    (part) => Number(textOf(part)),
  ) as [number, number, number, number, number, number];
  const there = new Date(0);
  // The year before the year 1 is 0 to Go, and 1 BC to people.
  there.setUTCFullYear(textOf('era') === 'BC' ? 1 - year : year, month - 1, day);
  there.setUTCHours(hour, minute, second, value.getUTCMilliseconds());
  return there;
}
