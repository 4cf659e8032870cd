import type { Environment } from '@marcbachmann/cel-js';
import { goNumber } from '../go-format.js';

/**
 * `string(…)` and `int(…)` as in cel-go: the library writes numbers as JavaScript does, and takes an empty text for zero. Rules
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
  environment.registerFunction('intGo(uint): int', (value: object) => within(value.valueOf() as bigint));
  environment.registerFunction('intGo(double): int', (value: number) => {
    if (!Number.isFinite(value) || Math.abs(value) >= 2 ** 63) throw new Error('integer overflow');
    return BigInt(Math.trunc(value));
  });
  environment.registerFunction('intGo(string): int', (text: string) => {
    const value = /^[+-]?\d+$/.test(text) ? BigInt(text.replace('+', '')) : undefined;
    if (value !== undefined && isInt(value)) return value;
    throw new Error("type conversion error from 'string' to 'int'");
  });
}

/** True for what an `int` can be. */
export function isInt(value: bigint): boolean {
  return value === BigInt.asIntN(64, value);
}

function within(value: bigint): bigint {
  if (!isInt(value)) throw new Error('integer overflow');
  return value;
}

/** As Go writes it, which goes over to an exponent at a million. */
export function showDouble(value: number): string {
  if (Object.is(value, -0)) return '-0';
  if (Number.isFinite(value)) return goNumber(value, true);
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
}
