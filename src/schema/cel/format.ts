import { goQuote } from '../go-format.js';
import { showDouble } from './conversions.js';
import { durationClass } from './duration-class.js';
import { goFixed, groupedFixed, scientific } from './float-text.js';
import { showDuration, showTime } from './times.js';

/** `%s` and its like in the text on which `format` is called. */
interface Clause {
  readonly verb: string;
  readonly precision: number;
}

type Part = string | Clause;

/** What each clause takes, and what the server says of anything else. A `dyn` may be anything; a text may say `NaN`. */
const clauses: Readonly<Record<string, { readonly takes: readonly string[]; readonly words: string }>> = {
  s: {
    takes: [
      ...['string', 'bool', 'bytes', 'int', 'uint', 'double', 'null', 'map', 'list', 'type'],
      ...['duration', 'timestamp'],
    ],
    words:
      'string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps',
  },
  d: { takes: ['int', 'uint'], words: 'decimal clause can only be used on integers' },
  f: { takes: ['double', 'string'], words: 'fixed-point clause can only be used on doubles' },
  e: { takes: ['double', 'string'], words: 'scientific clause can only be used on doubles' },
  b: { takes: ['int', 'uint', 'bool'], words: 'only integers and bools can be formatted as binary' },
  o: { takes: ['int', 'uint'], words: 'octal clause can only be used on integers' },
  x: {
    takes: ['int', 'uint', 'bytes', 'string'],
    words: 'only integers, byte buffers, and strings can be formatted as hex',
  },
};

/** The name of a type that cel-go spells in another way than we do. */
const names: Readonly<Record<string, string>> = {
  null: 'null_type',
  duration: 'google.protobuf.Duration',
  timestamp: 'google.protobuf.Timestamp',
};

/** Why the server would not compile `template.format(…)` with values of these types. The place is that of a value, or none. */
export function formatFault(
  template: string,
  kinds: readonly { readonly kind: string; readonly name?: string }[],
): { readonly message: string; readonly value?: number } | undefined {
  let next = 0;
  try {
    for (const { verb } of partsOf(template).filter((part) => typeof part !== 'string')) {
      const type = kinds[next];
      if (type === undefined) return { message: `index ${next} out of range` };
      const message = type.kind === 'dyn' ? undefined : misfit(verb, type.kind, type.name);
      if (message !== undefined) return { message, value: next };
      next++;
    }
  } catch (error) {
    return { message: (error as Error).message };
  }
  if (next >= kinds.length) return undefined;
  return {
    message: `too many arguments supplied to string.format (expected ${next}, got ${kinds.length})`,
  };
}

/** `'%s is %d'.format([a, b])`. */
export function format(template: string, values: readonly unknown[]): string {
  let next = 0;
  return partsOf(template)
    .map((part) => {
      if (typeof part === 'string') return part;
      if (next >= values.length) throw new Error(`index ${next} out of range`);
      return formatted(part, values[next++]);
    })
    .join('');
}

function partsOf(template: string): Part[] {
  const parts: Part[] = [];
  for (const [text, clause, precision, verb] of template.matchAll(/[^%]+|(%)(?:\.([^\p{L}%]*))?(.?)/gsu)) {
    if (clause === undefined) parts.push(text);
    else if (precision !== undefined && !/^\d+$/.test(precision)) throw badClause('error while parsing precision');
    else if (verb === '') throw new Error('unexpected end of string');
    else if (verb === '%') parts.push('%');
    else if (verb === undefined || !Object.hasOwn(clauses, verb === 'X' ? 'x' : verb)) {
      throw badClause(`unrecognized formatting clause "${verb}"`);
    } else parts.push({ verb, precision: precision === undefined ? 6 : Number(precision) });
  }
  return parts;
}

function badClause(why: string): Error {
  return new Error(`could not parse formatting clause: ${why}`);
}

function misfit(verb: string, kind: string, name = names[kind] ?? kind): string | undefined {
  const { takes, words } = clauses[verb.toLowerCase()]!;
  return takes.includes(kind) ? undefined : `error during formatting: ${words}, was given ${name}`;
}

function formatted({ verb, precision }: Clause, value: unknown): string {
  const wrong = misfit(verb, kindOf(value));
  if (wrong !== undefined) throw new Error(wrong);
  if (/[ef]/.test(verb) && typeof value === 'string' && !/^(NaN|-?Infinity)$/.test(value)) {
    throw new Error(`error during formatting: ${clauses[verb]!.words}, was given string`);
  }
  switch (verb) {
    case 'd':
      return String(value);
    case 'f':
      return groupedFixed(Number(value), precision);
    case 'e':
      return scientific(Number(value));
    case 'b':
      return BigInt(value as boolean | bigint).toString(2);
    case 'o':
      return BigInt(value as bigint).toString(8);
    case 'x':
      return hexadecimal(value);
    case 'X':
      return hexadecimal(value).toUpperCase();
    default:
      return shown(value);
  }
}

function hexadecimal(value: unknown): string {
  if (typeof value === 'string' || value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  return BigInt(value as bigint).toString(16);
}

function kindOf(value: unknown): string {
  switch (typeof value) {
    case 'bigint':
      return 'int';
    case 'number':
      return 'double';
    case 'string':
      return 'string';
    case 'boolean':
      return 'bool';
  }
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'list';
  if (value instanceof Uint8Array) return 'bytes';
  if (value instanceof Date) return 'timestamp';
  if (value instanceof durationClass()) return 'duration';
  // The library's own classes of types and of unsigned integers, neither of which it exports.
  const text = String(value);
  if (/^Type</.test(text)) return 'type';
  return typeof (value as object).valueOf() === 'bigint' ? 'uint' : 'map';
}

function shown(value: unknown): string {
  switch (kindOf(value)) {
    case 'list':
      return `[${(value as readonly unknown[]).map(shownInside).join(', ')}]`;
    case 'map': {
      const entries = value instanceof Map ? [...value] : Object.entries(value as object);
      return `{${entries
        .map(([key, item]) => `${shownInside(key)}:${shownInside(item)}`)
        .sort()
        .join(', ')}}`;
    }
    case 'double':
      return showDouble(value as number);
    case 'bytes':
      return Buffer.from(value as Uint8Array).toString();
    case 'timestamp':
      return showTime(value as Date);
    case 'duration':
      return showDuration(value as InstanceType<ReturnType<typeof durationClass>>);
    case 'type':
      return String(value).replace(/^Type<(.*)>$/, '$1');
    default:
      return String(value);
  }
}

function shownInside(value: unknown): string {
  switch (kindOf(value)) {
    case 'string':
      return goQuote(value as string);
    case 'double':
      return Number.isFinite(value) ? goFixed(value as number, 6) : `"${showDouble(value as number)}"`;
    case 'bytes':
      return `b${goQuote(shown(value))}`;
    case 'timestamp':
    case 'duration':
      return `${kindOf(value)}("${shown(value)}")`;
    default:
      return shown(value);
  }
}
