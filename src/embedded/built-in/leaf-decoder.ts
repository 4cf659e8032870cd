import type { Json } from '../../kube/manifest.js';
import type { ApiType } from './api-type.js';
import { type Decoding, goValue } from './decoding.js';
import { microTimeLayout, normalTime, TimeError, timeLayout } from './go-time.js';
import { jsonCopy } from './json-copy.js';
import { quantityText } from './quantity-text.js';

/**
 * A value as the server keeps it. Undefined for what decodes to nothing: a null, or a value of the wrong type, which the
 * decoding remembers.
 */
export type Decode = (value: Json, decoding: Decoding) => Json | undefined;

/** How a value decodes that has no parts with types of their own. */
export function leafDecoder({ kind, name }: ApiType): Decode | undefined {
  switch (kind) {
    case 'string':
      return (value, decoding) => (typeof value === 'string' ? value : mistyped(value, decoding, name));
    case 'bool':
      return (value, decoding) => (typeof value === 'boolean' ? value : mistyped(value, decoding, name));
    case 'int32':
      return (value, decoding) => {
        if (isInt32(value)) return value;
        return decoding.converts && isWhole(value) ? wrapped(value) | 0 : mistyped(value, decoding, name, true);
      };
    case 'int64':
      return (value, decoding) => {
        if (isInt64(value)) return value;
        return decoding.converts && isWhole(value) ? wrapped(value) : mistyped(value, decoding, name, true);
      };
    case 'float64':
      return (value, decoding) => (typeof value === 'number' ? value : mistyped(value, decoding, name));
    case 'bytes':
      return bytes;
    case 'quantity':
      return quantity;
    case 'intOrString':
      return intOrString;
    case 'time':
      return (value, decoding) => time(value, decoding, timeLayout);
    case 'microTime':
      return (value, decoding) => time(value, decoding, microTimeLayout);
    case 'raw':
    case 'fieldsV1':
      return (value) => (value === null ? undefined : jsonCopy(value));
    default:
      return undefined;
  }
}

function mistyped(value: Json, decoding: Decoding, wanted: string, withLiteral = false): undefined {
  if (value !== null) decoding.wrongType(goValue(value, withLiteral), wanted);
}

function isInt32(value: Json): value is number {
  return typeof value === 'number' && (value | 0) === value;
}

/** Beyond 2^53 the last digits are those that JavaScript kept when it parsed the body. */
function isInt64(value: Json): value is number {
  return Number.isInteger(value) && (value as number) < 2 ** 63 && (value as number) >= -(2 ** 63);
}

function isWhole(value: Json): value is number {
  return Number.isInteger(value);
}

/** What a processor makes of a number that is too large for it. */
function wrapped(value: number): number {
  return isInt64(value) ? value : -(2 ** 63);
}

const invalidBase64 = /[^A-Za-z0-9+/\r\n]/;

function bytes(value: Json, decoding: Decoding): Json | undefined {
  if (Array.isArray(value)) return decoding.converts ? ofNumbers(value) : ofBytes(value, decoding);
  if (typeof value !== 'string') return mistyped(value, decoding, '[]uint8');
  const at = base64Fault(value);
  if (at !== undefined) {
    decoding.wrong(`illegal base64 data at input byte ${at}`);
    return undefined;
  }
  return /[\r\n]/.test(value) ? value.replaceAll(/[\r\n]/g, '') : value;
}

/** Bytes one by one, of which a null is none. */
function ofBytes(value: readonly Json[], decoding: Decoding): Json {
  const isByte = (each: Json) => each === null || (isWhole(each) && each >= 0 && each < 256);
  for (const each of value) if (!isByte(each)) mistyped(each, decoding, 'uint8', true);
  return base64(value, (each) => (isByte(each) ? Number(each) : 0));
}

/** Bytes one by one, of which the last eight bits count, and a null is none. */
function ofNumbers(value: readonly Json[]): Json {
  return base64(value, (each) => (isWhole(each) ? wrapped(each) : 0) & 255);
}

/** One by one: a Secret has more of them than a call takes arguments. */
function base64(value: readonly Json[], byteOf: (each: Json) => number): string {
  let text = '';
  for (const each of value) text += String.fromCharCode(byteOf(each));
  return btoa(text);
}

/** Where Go's standard encoding, which ignores line ends and insists on padding, finds fault. */
function base64Fault(text: string): number | undefined {
  if (text.length % 4 === 0 && plainBase64.test(text)) return undefined;
  let digits = 0;
  for (let index = 0; index < text.length; index++) {
    const character = text.charAt(index);
    if (character === '\r' || character === '\n') continue;
    if (character === '=') return paddingFault(text, index, digits % 4);
    if (invalidBase64.test(character)) return index;
    digits++;
  }
  // An unfinished quantum is faulted where it begins.
  return digits % 4 === 0 ? undefined : text.length - (digits % 4);
}

const plainBase64 = /^[A-Za-z0-9+/]*={0,2}$/;

function paddingFault(text: string, index: number, digits: number): number | undefined {
  if (digits < 2) return index;
  let rest = index + 1;
  const skipLineEnds = () => {
    while (text[rest] === '\r' || text[rest] === '\n') rest++;
  };
  if (digits === 2) {
    skipLineEnds();
    if (rest === text.length) return text.length;
    if (text[rest] !== '=') return rest - 1;
    rest++;
  }
  skipLineEnds();
  return rest < text.length ? rest : undefined;
}

function quantity(value: Json, decoding: Decoding): Json | undefined {
  if (value === null) return undefined;
  const read = quantityText(typeof value === 'string' ? value : JSON.stringify(value));
  return 'kept' in read ? read.kept : decoding.stop(read.wrong);
}

function intOrString(value: Json, decoding: Decoding): Json | undefined {
  if (value === null) return undefined;
  if (typeof value === 'string' || isInt32(value)) return value;
  return decoding.stop({ found: goValue(value, true), wanted: 'int32' });
}

function time(value: Json, decoding: Decoding, layout: typeof timeLayout | typeof microTimeLayout): Json | undefined {
  if (value === null) return undefined;
  if (typeof value !== 'string') return decoding.stop({ found: goValue(value), wanted: 'string' });
  try {
    return normalTime(value, layout) ?? undefined;
  } catch (error) {
    if (error instanceof TimeError) return decoding.stop(error.message);
    throw error;
  }
}
