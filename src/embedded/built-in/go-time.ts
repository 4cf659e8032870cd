import { goQuote } from '../../schema/go-format.js';

/** How Kubernetes writes times, as Go's `time` package spells layouts. */
export const timeLayout = '2006-01-02T15:04:05Z07:00';
export const microTimeLayout = '2006-01-02T15:04:05.000000Z07:00';

/** A time that is none, in the words of Go. */
export class TimeError extends Error {}

interface Element {
  /** As it stands in the layout. */
  readonly layout: string;
  readonly pattern: RegExp;
  /** Rejected with "out of range" instead. */
  readonly range?: readonly [number, number, string];
}

const elements: readonly Element[] = [
  { layout: '2006', pattern: /^\d{4}/ },
  { layout: '-', pattern: /^-/ },
  { layout: '01', pattern: /^\d{2}/, range: [1, 12, 'month'] },
  { layout: '-', pattern: /^-/ },
  { layout: '02', pattern: /^\d{2}/ },
  { layout: 'T', pattern: /^T/ },
  { layout: '15', pattern: /^\d{1,2}/, range: [0, 23, 'hour'] },
  { layout: ':', pattern: /^:/ },
  { layout: '04', pattern: /^\d{2}/, range: [0, 59, 'minute'] },
  { layout: ':', pattern: /^:/ },
  { layout: '05', pattern: /^\d{2}/, range: [0, 59, 'second'] },
];
const zone: Element = { layout: 'Z07:00', pattern: /^(Z|[+-]\d{2}:\d{2})/ };
const micros: Element = { layout: '.000000', pattern: /^[.,]\d{6}/ };
const fraction: Element = { layout: '', pattern: /^([.,]\d+)?/ };

/**
 * A time as the server keeps it: in UTC, of whole seconds, or with six digits of a second. Null for the zero time.
 * Throws a `TimeError`.
 */
export function normalTime(text: string, layout: typeof timeLayout | typeof microTimeLayout): string | null {
  const isMicro = layout === microTimeLayout;
  // What is written as it is kept, which is nearly every time.
  if (!isMicro && plain.test(text) && isKept(text)) return text;
  let rest = text;
  const found: string[] = [];
  for (const element of [...elements, isMicro ? micros : fraction, zone]) {
    const [match] = element.pattern.exec(rest) ?? [];
    if (match === undefined) throw new TimeError(unparsable(text, layout, element, rest));
    if (element.range && (Number(match) < element.range[0] || Number(match) > element.range[1])) {
      throw outOfRange(text, element.range[2]);
    }
    found.push(match);
    rest = rest.slice(match.length);
  }
  const shift = found[12] ?? 'Z';
  if (Number(shift.slice(1, 3)) > 24) throw outOfRange(text, 'time zone offset hour');
  if (Number(shift.slice(4, 6)) > 60) throw outOfRange(text, 'time zone offset minute');
  if (rest !== '') throw new TimeError(`parsing time ${goQuote(text)}: extra text: ${goQuote(rest)}`);
  // Of the hour one digit will do, which only Go takes.
  const date = [...found.slice(0, 6), found[6]?.padStart(2, '0'), ...found.slice(7, 11)].join('');
  const milliseconds = Date.parse(`${date}Z`);
  if (Number.isNaN(milliseconds) || new Date(milliseconds).getUTCDate() !== Number(found[4])) {
    throw outOfRange(text, 'day');
  }
  const seconds = new Date(milliseconds - offsetOf(shift)).toISOString().slice(0, 19);
  const digits = (found[11] ?? '').slice(1, 7).padEnd(6, '0');
  if (seconds === '0001-01-01T00:00:00' && (!isMicro || digits === '000000')) return null;
  return isMicro ? `${seconds}.${digits}Z` : `${seconds}Z`;
}

const plain = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/;

function isKept(text: string): boolean {
  const milliseconds = Date.parse(text);
  return (
    !text.startsWith('0001-') &&
    !Number.isNaN(milliseconds) &&
    new Date(milliseconds).toISOString().startsWith(text.slice(0, 19))
  );
}

function offsetOf(shift: string): number {
  if (shift === 'Z') return 0;
  const minutes = Number(shift.slice(1, 3)) * 60 + Number(shift.slice(4, 6));
  return (shift.startsWith('-') ? -1 : 1) * minutes * 60_000;
}

function outOfRange(text: string, what: string): TimeError {
  return new TimeError(`parsing time ${goQuote(text)}: ${what} out of range`);
}

function unparsable(text: string, layout: string, element: Element, rest: string): string {
  return `parsing time ${goQuote(text)} as ${goQuote(layout)}: cannot parse ${goQuote(rest)} as ${goQuote(element.layout)}`;
}
