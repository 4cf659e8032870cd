import { parseDuration } from '../duration.js';
import { type Duration, durationClass } from './duration-class.js';

const [perMillisecond, perSecond] = [1_000_000n, 1_000_000_000n];

/** The year 1 begins, and the year 10000: in seconds. */
const [earliest, latest] = [-62_135_596_800n, 253_402_300_800n];

/** What a `Date` cannot keep of a time: what is below its milliseconds, and how far the clock it was read from is ahead of UTC, in minutes. */
interface Rest {
  readonly nanos: number;
  readonly offset: number;
}

const rests = new WeakMap<Date, Rest>();

/** The time so many nanoseconds after 1970, as the library has it. Throws in the server's words beyond the years that there are. */
export function timeAt(nanoseconds: bigint, offset = 0): Date {
  const nanos = ((nanoseconds % perMillisecond) + perMillisecond) % perMillisecond;
  const time = new Date(Number((nanoseconds - nanos) / perMillisecond));
  if (nanoseconds < earliest * perSecond || nanoseconds >= latest * perSecond) throw new Error('timestamp overflow');
  if (nanos !== 0n || offset !== 0) rests.set(time, { nanos: Number(nanos), offset });
  return time;
}

/** By how many minutes the clock was ahead of UTC that a time was read from. */
export function offsetOf(time: Date): number {
  return rests.get(time)?.offset ?? 0;
}

/** Since 1970, or how long a span is. */
export function nanosecondsOf(value: Date | Duration): bigint {
  if (!(value instanceof Date)) return value.seconds * perSecond + BigInt(value.nanos);
  return BigInt(value.getTime()) * perMillisecond + BigInt(rests.get(value)?.nanos ?? 0);
}

const written =
  /^(\d{4}-\d{2}-\d{2})(?:[Tt ](\d{2}:\d{2})(?::(\d{2})(?:[.,](\d+))?)?(?:[Zz]|([+-])(\d{2}):?(\d{2}))?)?$/;

/** The time that a date or a date and a time say, as far as the format of a field lets them; without a zone, in UTC. */
export function timeValue(text: string): Date {
  const [, day = '', minute = '00:00', second = '00', fraction = '', sign, hours = '0', minutes = '0'] =
    written.exec(text) ?? [];
  const offset = (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
  const start = BigInt(Date.parse(`${day}T${minute}:${second}Z`)) - BigInt(offset) * 60_000n;
  return timeAt(start * perMillisecond + BigInt(fraction.slice(0, 9).padEnd(9, '0')), offset);
}

/** What Go's `time.Parse` takes for RFC 3339. */
export function isTimestamp(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}([.,]\d+)?(Z|[+-]\d{2}:\d{2})$/.test(text)) return false;
  // JavaScript takes the 30th of February for the 1st of March, and 24:00 for the next day.
  const said = text.slice(0, 19);
  const milliseconds = Date.parse(`${said}Z`);
  if (Number.isNaN(milliseconds) || new Date(milliseconds).toISOString().slice(0, 19) !== said) return false;
  try {
    return timeValue(text) !== undefined;
  } catch {
    return false;
  }
}

/** `2024-01-01T00:00:00.5+01:00`: where it was read from a clock elsewhere, as that has it. */
export function showTime(value: Date): string {
  const offset = offsetOf(value);
  const there = new Date(value.getTime() + offset * 60_000).toISOString().slice(0, 19);
  const zone = offset === 0 ? 'Z' : `${offset < 0 ? '-' : '+'}${clock(Math.abs(offset))}`;
  return `${there}${fractionOf(((nanosecondsOf(value) % perSecond) + perSecond) % perSecond)}${zone}`;
}

function clock(minutes: number): string {
  return [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':');
}

/** `.5`; nothing where there is none. */
function fractionOf(nanoseconds: bigint): string {
  const digits = String(nanoseconds).padStart(9, '0').replace(/0+$/, '');
  return digits === '' ? '' : `.${digits}`;
}

/** The span that `text` says. */
export function durationValue(text: string): Duration {
  return durationOf(parseDuration(text) ?? 0n);
}

/** A span, in whole seconds and what is beyond them, which is never negative. */
export function durationOf(nanoseconds: bigint): Duration {
  if (nanoseconds !== BigInt.asIntN(64, nanoseconds)) throw new Error('integer overflow');
  const beyond = ((nanoseconds % perSecond) + perSecond) % perSecond;
  return new (durationClass())((nanoseconds - beyond) / perSecond, Number(beyond));
}

/** `-1.5s`: in seconds, however long, and as exact as a floating-point number of them is. */
export function showDuration(value: Duration): string {
  const nanoseconds = nanosecondsOf(value);
  const seconds = Number(nanoseconds / perSecond) + Number(nanoseconds % perSecond) / Number(perSecond);
  const text = String(seconds);
  return `${text.includes('e') ? seconds.toFixed(9).replace(/0+$/, '') : text}s`;
}
