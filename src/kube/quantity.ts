import { OperatorError } from './errors.js';

/**
 * An amount such as `500m` or `2Gi`, exact to a billionth.
 *
 * https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/quantity/
 */
export interface Quantity {
  /** The amount is `unscaled` times ten to the power of `exponent`. */
  readonly unscaled: bigint;
  readonly exponent: number;
  readonly format: QuantityFormat;
  /** True where the server keeps a decimal number of any length, which it never takes for an integer. */
  readonly isLong?: true;
  /** What was parsed, where the API server keeps it as it is. */
  readonly text?: string;
}

/** How an amount is written: `12e6`, `12Mi` or `12M`. */
export type QuantityFormat = 'DecimalExponent' | 'BinarySI' | 'DecimalSI';

const decimalExponents: Readonly<Record<string, number>> = {
  n: -9,
  u: -6,
  m: -3,
  '': 0,
  k: 3,
  M: 6,
  G: 9,
  T: 12,
  P: 15,
  E: 18,
};
const decimalSuffixes = new Map(Object.entries(decimalExponents).map(([suffix, exponent]) => [exponent, suffix]));
const binarySuffixes = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
const nano = -9;
const maximum = 2n ** 63n - 1n;

/**
 * Beyond these nothing is an amount of anything, and the arithmetic, which is exact, takes seconds: `1e-30000000` is ten
 * characters long.
 */
const [mostCharacters, mostPower] = [500, 500];

/**
 * The amount that `text` says. Below a billionth it is rounded up, as the API server does; throws when it says none, or says
 * it in more than 500 characters, or with an exponent beyond 500.
 */
export function parseQuantity(text: string): Quantity {
  if (text.length > mostCharacters) throw notAQuantity(`${text.slice(0, 20)}…`);
  // A zero belongs to one part alone: where it could be in three, what is no quantity would take its cube of time.
  const [, sign, leading, whole, fraction = '', suffix] =
    /^([+-]?)(0*)((?:[1-9]\d*)?)(?:\.(\d*))?([eEinumkKMGTP]*[+-]?\d*)$/.exec(text) ?? [];
  if (text === '' || leading === undefined || whole === undefined || suffix === undefined) throw notAQuantity(text);
  const unit = unitOf(suffix);
  if (unit === undefined) throw notAQuantity(text);

  const digits = `${whole === '' ? '0' : whole}${fraction}`;
  const magnitude = BigInt(digits);
  const unscaled = (sign === '-' ? -1n : 1n) * magnitude;
  const { format } = unit;
  if (format === 'BinarySI') {
    const bits = BigInt(unit.power);
    const room = 15 - digits.length - Math.trunc((unit.power * 3) / 10) - 1;
    if (fraction !== '' || room < 0) {
      if (leading === '' && whole === '' && fraction === '') throw notAQuantity(text);
      return roundedBinary(unscaled << bits, -fraction.length);
    }
    // The server leaves a text alone when it can tell at a glance that it is canonical, and takes some that are not.
    return { unscaled: unscaled << bits, exponent: 0, format, ...((magnitude & 7n) !== 0n && { text }) };
  }

  const exponent = unit.power - fraction.length;
  if (digits.length > 18 || exponent < nano) return { ...roundedUp(unscaled, exponent), format, isLong: true };
  const isLeftAlone = exponent % 3 === 0 && !digits.endsWith('000') && !digits.startsWith('0');
  return { unscaled, exponent, format, ...((isLeftAlone || text === '0') && { text }) };
}

function unitOf(suffix: string): { readonly power: number; readonly format: QuantityFormat } | undefined {
  const binary = binarySuffixes.indexOf(suffix, 1);
  if (binary > 0) return { power: binary * 10, format: 'BinarySI' };
  if (Object.hasOwn(decimalExponents, suffix)) return { power: decimalExponents[suffix]!, format: 'DecimalSI' };
  const power = /^[eE][+-]?\d+$/.test(suffix) ? Number(suffix.slice(1)) : Number.NaN;
  return Math.abs(power) <= mostPower ? { power, format: 'DecimalExponent' } : undefined;
}

function roundedUp(unscaled: bigint, exponent: number): { readonly unscaled: bigint; readonly exponent: number } {
  if (exponent >= nano) return { unscaled, exponent };
  const divisor = 10n ** BigInt(nano - exponent);
  const away = unscaled % divisor === 0n ? 0n : unscaled < 0n ? -1n : 1n;
  return { unscaled: unscaled / divisor + away, exponent: nano };
}

function roundedBinary(unscaled: bigint, exponent: number): Quantity {
  const amount = roundedUp(unscaled, exponent);
  const one = 10n ** BigInt(-amount.exponent);
  const size = amount.unscaled < 0n ? -amount.unscaled : amount.unscaled;
  if (size > maximum * one) {
    return { unscaled: unscaled < 0n ? -maximum : maximum, exponent: 0, format: 'BinarySI', isLong: true };
  }
  return { ...amount, isLong: true, format: size < one && size > 0n ? 'DecimalSI' : 'BinarySI' };
}

/**
 * `text` as the API server stores it: `1000m` is `1`, `2048Mi` is `2Gi`, `1.5Gi` is `1536Mi`.
 *
 * Two appliers that write one amount in two ways take the field from each other; two that write it canonically do not.
 */
export function canonicalQuantity(text: string): string {
  return showQuantity(parseQuantity(text.trim()));
}

/** The amount in the form in which the API server writes it. */
export function showQuantity(quantity: Quantity): string {
  const { unscaled, exponent, text } = quantity;
  if (text !== undefined) return text;
  if (unscaled === 0n) return '0';
  const format = shownFormat(quantity);
  if (format === 'BinarySI') {
    let amount = exponent < 0 ? unscaled / 10n ** BigInt(-exponent) : unscaled * 10n ** BigInt(exponent);
    let times = 0;
    for (; amount % 1024n === 0n; times++) amount /= 1024n;
    return `${amount}${binarySuffixes[times] ?? ''}`;
  }
  let amount = unscaled;
  let power = exponent;
  for (; amount % 10n === 0n; power++) amount /= 10n;
  for (; power % 3 !== 0; power--) amount *= 10n;
  if (format === 'DecimalExponent') return power === 0 ? `${amount}` : `${amount}e${power}`;
  // Beyond exa the server has no suffix, and writes none.
  return `${amount}${decimalSuffixes.get(power) ?? ''}`;
}

function shownFormat({ unscaled, exponent, format }: Quantity): QuantityFormat {
  if (format !== 'BinarySI') return format;
  const one = exponent < 0 ? 10n ** BigInt(-exponent) : 1n;
  const isWhole = unscaled % one === 0n;
  const amount = exponent < 0 ? unscaled / one : unscaled * 10n ** BigInt(exponent);
  return !isWhole || (amount > -1024n && amount < 1024n) ? 'DecimalSI' : 'BinarySI';
}

/** Negative when `a` is less than `b`, positive when it is more, 0 when they are the same amount, however written. */
export function compareQuantities(a: string | Quantity, b: string | Quantity): number {
  const [left, right] = sameExponent(asQuantity(a), asQuantity(b));
  return left < right ? -1 : left > right ? 1 : 0;
}

/** The sum, in the format of the first amount that is not zero. */
export function addQuantities(a: Quantity, b: Quantity): Quantity {
  const [left, right, exponent] = sameExponent(a, b);
  const isLong = a.isLong || b.isLong ? { isLong: true as const } : {};
  return { unscaled: left + right, exponent, format: a.unscaled === 0n ? b.format : a.format, ...isLong };
}

export function negatedQuantity({ text: _, ...quantity }: Quantity): Quantity {
  return { ...quantity, unscaled: -quantity.unscaled };
}

/**
 * The amount as a whole number of 64 bits, or undefined when the server would not call it one.
 *
 * **Beware**: it goes by how the amount is written. `1` is an integer, while `1000m` and `1.5Gi` are none.
 */
export function wholeQuantity({ unscaled, exponent, isLong }: Quantity): bigint | undefined {
  if (isLong || exponent < 0) return undefined;
  const whole = unscaled * 10n ** BigInt(exponent);
  return whole <= maximum && whole >= -maximum - 1n ? whole : undefined;
}

function asQuantity(value: string | Quantity): Quantity {
  return typeof value === 'string' ? parseQuantity(value.trim()) : value;
}

function sameExponent(a: Quantity, b: Quantity): readonly [bigint, bigint, number] {
  const exponent = Math.min(a.exponent, b.exponent);
  return [
    a.unscaled * 10n ** BigInt(a.exponent - exponent),
    b.unscaled * 10n ** BigInt(b.exponent - exponent),
    exponent,
  ];
}

function notAQuantity(text: string): OperatorError {
  return new OperatorError(`"${text}" is not a quantity`, {
    hint: 'write a number with a suffix of Kubernetes, such as 500m, 1.5 or 2Gi',
  });
}
