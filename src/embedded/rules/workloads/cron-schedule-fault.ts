import { isGoDuration } from '../../../schema/duration.js';
import { goQuote } from '../../../schema/go-format.js';

interface Bounds {
  readonly lowest: number;
  readonly highest: number;
  readonly names?: readonly string[];
}

const bounds: readonly Bounds[] = [
  { lowest: 0, highest: 59 },
  { lowest: 0, highest: 23 },
  { lowest: 1, highest: 31 },
  {
    lowest: 1,
    highest: 12,
    names: ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'],
  },
  { lowest: 0, highest: 6, names: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] },
];
const descriptors = ['@yearly', '@annually', '@monthly', '@weekly', '@daily', '@midnight', '@hourly'];
const durationUnits = ['ns', 'us', 'µs', 'μs', 'ms', 's', 'm', 'h'];

/**
 * Why a text is no schedule, in the words that the server has from its parser; undefined when it is one.
 *
 * https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/#schedule-syntax
 */
export function cronScheduleFault(schedule: string): string | undefined {
  let text = schedule;
  if (text.startsWith('TZ=') || text.startsWith('CRON_TZ=')) {
    const space = text.indexOf(' ');
    const equals = text.indexOf('=');
    if (space < 0) return `invalid schedule format: runtime error: slice bounds out of range [:-1]`;
    const zone = text.slice(equals + 1, space);
    const fault = timeZoneFault(zone);
    if (fault !== undefined) return `provided bad location ${zone}: ${fault}`;
    text = text.slice(space).trim();
  }
  if (text.startsWith('@')) return descriptorFault(text);
  const fields = text.split(/\s+/u).filter((field) => field !== '');
  if (fields.length !== 5) return `expected exactly 5 fields, found ${fields.length}: [${fields.join(' ')}]`;
  for (const [index, field] of fields.entries()) {
    for (const range of field.split(',')) {
      const fault = range === '' ? undefined : rangeFault(range, bounds[index]!);
      if (fault !== undefined) return fault;
    }
  }
  return undefined;
}

/** Why a name is not that of a time zone, in the words of Go. */
export function timeZoneFault(zone: string): string | undefined {
  if (zone === '' || zone === 'UTC' || zone === 'Local') return undefined;
  if (zone.includes('..') || zone.startsWith('/') || zone.includes('\\')) return 'time: invalid location name';
  return isTimeZone(zone) ? undefined : `unknown time zone ${zone}`;
}

function isTimeZone(zone: string): boolean {
  // Offsets such as +02:00 are known here, but not to the server.
  if (/^[+-]/.test(zone)) return false;
  try {
    const { timeZone } = new Intl.DateTimeFormat('en-US', { timeZone: zone }).resolvedOptions();
    // Case counts there, and does not here: only the other spelling of one zone may differ in more than case.
    return timeZone === zone || timeZone.toLowerCase() !== zone.toLowerCase();
  } catch {
    return false;
  }
}

function descriptorFault(text: string): string | undefined {
  if (descriptors.includes(text)) return undefined;
  if (!text.startsWith('@every ')) return `unrecognized descriptor: ${text}`;
  const every = text.slice('@every '.length);
  return isGoDuration(every) ? undefined : `failed to parse duration ${text}: time: ${durationFault(every)}`;
}

/** Of the amounts in a text that is no duration, the first that is none tells why. */
function durationFault(text: string): string {
  const invalid = `invalid duration ${quoted(text)}`;
  let rest = text.replace(/^[+-]/, '');
  while (rest !== '') {
    const amount = /^(?:\d+\.?\d*|\.\d+)/.exec(rest)?.[0];
    if (amount === undefined || BigInt(/^\d*/.exec(amount)?.[0] ?? '') > 2n ** 63n) return invalid;
    const unit = /^[^.\d]*/.exec(rest.slice(amount.length))?.[0] ?? '';
    if (unit === '') return `missing unit in duration ${quoted(text)}`;
    if (!durationUnits.includes(unit)) return `unknown unit ${quoted(unit)} in duration ${quoted(text)}`;
    if (!isGoDuration(`${amount}${unit}`)) return invalid;
    rest = rest.slice(amount.length + unit.length);
  }
  return invalid;
}

/** As Go's package for time does, which shows other characters than those of ASCII by their bytes. */
function quoted(text: string): string {
  const shown = [...Buffer.from(text)].map((byte) => {
    if (byte < 0x20 || byte >= 0x80) return `\\x${byte.toString(16).padStart(2, '0')}`;
    const character = String.fromCharCode(byte);
    return character === '"' || character === '\\' ? `\\${character}` : character;
  });
  return `"${shown.join('')}"`;
}

function rangeFault(expression: string, { lowest, highest, names }: Bounds): string | undefined {
  const [range = '', step, ...more] = expression.split('/');
  const ends = range.split('-');
  let start = lowest;
  let end = highest;
  if (ends[0] !== '*' && ends[0] !== '?') {
    const first = numberOf(ends[0] ?? '', names, lowest);
    if (typeof first === 'string') return first;
    start = first;
    if (ends.length > 2) return `too many hyphens: ${expression}`;
    const last = ends.length === 1 ? start : numberOf(ends[1] ?? '', names, lowest);
    if (typeof last === 'string') return last;
    end = last;
  }
  let by = 1;
  if (more.length > 0) return `too many slashes: ${expression}`;
  if (step !== undefined) {
    const size = numberOf(step);
    if (typeof size === 'string') return size;
    by = size;
    if (ends.length === 1) end = highest;
  }
  if (start < lowest) return `beginning of range (${start}) below minimum (${lowest}): ${expression}`;
  if (end > highest) return `end of range (${end}) above maximum (${highest}): ${expression}`;
  if (start > end) return `beginning of range (${start}) beyond end of range (${end}): ${expression}`;
  return by === 0 ? `step of range should be a positive number: ${expression}` : undefined;
}

/** The number, or why it is none. */
function numberOf(text: string, names?: readonly string[], lowest = 0): number | string {
  const named = names?.indexOf(text.toLowerCase()) ?? -1;
  if (named >= 0) return named + lowest;
  if (!/^[+-]?[0-9]+$/.test(text)) {
    return `failed to parse int from ${text}: strconv.Atoi: parsing ${goQuote(text)}: invalid syntax`;
  }
  const value = Number(text);
  if (Math.abs(value) >= 2 ** 63) {
    return `failed to parse int from ${text}: strconv.Atoi: parsing ${goQuote(text)}: value out of range`;
  }
  return value < 0 ? `negative number (${value}) not allowed: ${text}` : value;
}
