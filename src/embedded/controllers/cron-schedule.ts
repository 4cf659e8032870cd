/** When something is due: the next moment after another, in milliseconds since the epoch; undefined when there is none. */
export interface Schedule {
  next(after: number): number | undefined;
}

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
/** A day that comes in no year, such as 30 February, is looked for so long. */
const horizon = 5 * 366 * day;

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const shorthands: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
};
const unit: Readonly<Record<string, number>> = { h: hour, m: minute, s: 1000 };

/** Reads a schedule of a CronJob. Undefined when it is none. https://en.wikipedia.org/wiki/Cron */
export function parseSchedule(text: string, timeZone = 'UTC'): Schedule | undefined {
  const zoned = /^(?:CRON_)?TZ=(\S+)\s+(.*)$/.exec(text);
  if (zoned) return parseSchedule(zoned[2]!, zoned[1]);
  const offset = offsetIn(timeZone);
  if (!offset) return undefined;
  if (text.startsWith('@every ')) return every(text.slice('@every '.length));
  const fields = (shorthands[text] ?? text).trim().split(/\s+/);
  if (fields.length !== 5) return undefined;
  const minutes = valuesOf(fields[0]!, 0, 59);
  const hours = valuesOf(fields[1]!, 0, 23);
  const days = valuesOf(fields[2]!, 1, 31);
  const inMonths = valuesOf(fields[3]!, 1, 12, months, 1);
  const onWeekdays = valuesOf(fields[4]!, 0, 6, weekdays, 0);
  if (!minutes || !hours || !days || !inMonths || !onWeekdays) return undefined;
  // When both are given, either will do.
  const isEither = !isOpen(fields[2]!) && !isOpen(fields[4]!);
  const isDay = (date: Date) => {
    const [byDate, byWeekday] = [days.has(date.getUTCDate()), onWeekdays.has(date.getUTCDay())];
    return isEither ? byDate || byWeekday : byDate && byWeekday;
  };
  return {
    next(after) {
      // Wall-clock time is walked as if it were UTC, and turned into a real moment in the end.
      let wall = Math.floor((after + offset(after)) / minute) * minute + minute;
      const end = wall + horizon;
      while (wall < end) {
        const date = new Date(wall);
        if (!inMonths.has(date.getUTCMonth() + 1) || !isDay(date)) wall = (Math.floor(wall / day) + 1) * day;
        else if (!hours.has(date.getUTCHours())) wall = (Math.floor(wall / hour) + 1) * hour;
        else if (!minutes.has(date.getUTCMinutes())) wall += minute;
        else {
          const moment = wall - offset(wall - offset(wall));
          // What falls into the hour that summer time leaves out does not happen.
          if (moment > after && moment + offset(moment) === wall) return moment;
          wall += minute;
        }
      }
      return undefined;
    },
  };
}

function every(text: string): Schedule | undefined {
  if (!/^(\d+(\.\d+)?[hms])+$/.test(text)) return undefined;
  let step = 0;
  for (const [, amount, name] of text.matchAll(/(\d+(?:\.\d+)?)([hms])/g)) step += Number(amount) * unit[name!]!;
  step = Math.max(1000, Math.floor(step / 1000) * 1000);
  return { next: (after) => Math.floor(after / 1000) * 1000 + step };
}

function isOpen(field: string): boolean {
  return field.split(',').some((part) => part.startsWith('*') || part.startsWith('?'));
}

function valuesOf(
  field: string,
  first: number,
  last: number,
  names: readonly string[] = [],
  offset = 0,
): ReadonlySet<number> | undefined {
  const values = new Set<number>();
  for (const part of field.split(',')) {
    const match = /^([^/]+)(?:\/(\d+))?$/.exec(part);
    if (!match) return undefined;
    const [, range = '', step] = match;
    const ends = range.split('-').map((end) => {
      const name = names.indexOf(end.toLowerCase());
      return name >= 0 ? name + offset : /^\d+$/.test(end) ? Number(end) : undefined;
    });
    const isAll = range === '*' || range === '?';
    const from = isAll ? first : ends[0];
    const to = isAll ? last : ends.length === 1 ? (step === undefined ? from : last) : ends[1];
    const by = step === undefined ? 1 : Number(step);
    if (from === undefined || to === undefined || ends.length > 2 || by === 0) return undefined;
    if (from < first || to > last || from > to) return undefined;
    for (let value = from; value <= to; value += by) values.add(value);
  }
  return values;
}

/** How far local time is ahead of UTC at a moment. Undefined for a time zone that there is not. */
function offsetIn(timeZone: string): ((moment: number) => number) | undefined {
  if (timeZone === 'UTC' || timeZone === 'Etc/UTC') return () => 0;
  try {
    const format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    return (moment) => {
      const parts = Object.fromEntries(format.formatToParts(moment).map(({ type, value }) => [type, Number(value)]));
      const { year = 0, month = 1, day: date = 1, hour: hours = 0, minute: minutes = 0, second = 0 } = parts;
      return Date.UTC(year, month - 1, date, hours, minutes, second) - Math.floor(moment / 1000) * 1000;
    };
  } catch {
    return undefined;
  }
}
