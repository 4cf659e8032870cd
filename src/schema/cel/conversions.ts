import { type Environment, evaluate } from '@marcbachmann/cel-js';
import { goNumber } from '../go-format.js';

/**
 * Conversions as in cel-go: the library writes numbers as JavaScript does, reads them so, and takes an empty text for zero. Rules
 * are renamed to those that end in Go.
 */
export function registerConversions(environment: Environment): void {
  for (const type of ['string', 'bool', 'int', 'uint'])
    environment.registerFunction(`stringGo(${type}): string`, String);
  environment.registerFunction('stringGo(double): string', showDouble);
  environment.registerFunction('stringGo(bytes): string', (bytes: Uint8Array) => {
    try {
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch {
      throw new Error('invalid UTF-8 in bytes, cannot convert to string');
    }
  });
  environment.registerFunction('intGo(int): int', (value: bigint) => value);
  environment.registerFunction('intGo(uint): int', (value: object) => withinInt(value.valueOf() as bigint));
  environment.registerFunction('intGo(double): int', (value: number) => {
    if (!Number.isFinite(value) || Math.abs(value) >= 2 ** 63) throw new Error('integer overflow');
    return BigInt(Math.trunc(value));
  });
  environment.registerFunction('intGo(string): int', (text: string) => {
    const value = /^[+-]?\d+$/.test(text) ? BigInt(text.replace('+', '')) : undefined;
    if (value !== undefined && isInt(value)) return value;
    throw unreadable('int');
  });
  environment.registerFunction('uintGo(uint): uint', (value: object) => value);
  environment.registerFunction('uintGo(int): uint', (value: bigint) => unsigned(value));
  environment.registerFunction('uintGo(double): uint', (value: number) =>
    unsigned(value >= 0 && value < 2 ** 64 ? BigInt(Math.trunc(value)) : -1n),
  );
  environment.registerFunction('uintGo(string): uint', (text: string) => {
    if (!/^\d+$/.test(text) || BigInt(text) >= 2n ** 64n) throw unreadable('uint');
    return unsigned(BigInt(text));
  });
  environment.registerFunction('doubleGo(double): double', (value: number) => value);
  environment.registerFunction('doubleGo(int): double', Number);
  environment.registerFunction('doubleGo(uint): double', Number);
  environment.registerFunction('doubleGo(string): double', (text: string) => {
    const value = goDouble(text);
    if (value !== undefined) return value;
    throw unreadable('double');
  });
  environment.registerFunction('boolGo(bool): bool', (value: boolean) => value);
  environment.registerFunction('boolGo(string): bool', (text: string) => {
    if (/^(1|t|T|true|TRUE|True)$/.test(text)) return true;
    if (/^(0|f|F|false|FALSE|False)$/.test(text)) return false;
    throw unreadable('bool');
  });
}

function unreadable(type: string): Error {
  return new Error(`type conversion error from 'string' to '${type}'`);
}

const decimal = /^[+-]?(?=\.?\d)[\d_]*\.?[\d_]*(e[+-]?\d[\d_]*)?$/i;
const hexadecimal = /^([+-]?)0x(?=[_.]*[\da-f])([\da-f_]*)\.?([\da-f_]*)p([+-]?\d[\d_]*)$/i;

/** What Go reads as a floating-point number; undefined of anything else, and of what is too large: https://pkg.go.dev/strconv#ParseFloat */
function goDouble(text: string): number | undefined {
  const [, sign, infinite] = /^([+-]?)(?:inf|infinity|(nan))$/i.exec(text) ?? [];
  if (sign !== undefined && infinite === undefined) return sign === '-' ? -Infinity : Infinity;
  if (sign !== undefined) return sign === '' ? Number.NaN : undefined;
  // An underscore parts digits, or stands behind the prefix.
  const isHexadecimal = /^[+-]?0x/i.test(text);
  if ((isHexadecimal ? /(?<![\da-fx])_|_(?![\da-f])/i : /(?<!\d)_|_(?!\d)/).test(text)) return undefined;
  const plain = text.replaceAll('_', '');
  const [, minus, whole = '', part = '', power] = hexadecimal.exec(plain) ?? [];
  if (power === undefined && !decimal.test(plain)) return undefined;
  const digits = Number(`0x${whole}${part}`) * 2 ** (Number(power) - 4 * part.length) * (minus === '-' ? -1 : 1);
  const value = power === undefined ? Number(plain) : digits;
  return Number.isFinite(value) ? value : undefined;
}

/** True for what an `int` can be. */
export function isInt(value: bigint): boolean {
  return value === BigInt.asIntN(64, value);
}

/** `value`, if an `int` can be that. */
export function withinInt(value: bigint): bigint {
  if (!isInt(value)) throw new Error('integer overflow');
  return value;
}

type Unsigned = new (value: bigint) => object;
let knownClass: Unsigned | undefined;

/** A `uint`, of whose class the library does not give away more than its values. */
export function unsigned(value: bigint): object {
  if (value !== BigInt.asUintN(64, value)) throw new Error('unsigned integer overflow');
  knownClass ??= (evaluate('0u') as object).constructor as Unsigned;
  return new knownClass(value);
}

/** As Go writes it, which goes over to an exponent at a million. */
export function showDouble(value: number): string {
  if (Object.is(value, -0)) return '-0';
  if (Number.isFinite(value)) return goNumber(value, true);
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
}
