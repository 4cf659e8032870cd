/**
 * A number as Go's `%.3f` writes it: however large, with the sign of a negative zero, and of two that are as near the even one, where
 * JavaScript's `toFixed` takes the larger.
 */
export function goFixed(value: number, precision: number): string {
  if (!Number.isFinite(value)) return nonFinite(value);
  const digits = String(scaled(value, precision)).padStart(precision + 1, '0');
  const whole = digits.slice(0, digits.length - precision);
  return `${signOf(value)}${whole}${precision === 0 ? '' : `.${digits.slice(-precision)}`}`;
}

/** The same with its thousands parted, which is how the server has it where a text is formatted with `%.3f`. */
export function groupedFixed(value: number, precision: number): string {
  const [whole = '', ...fraction] = goFixed(value, precision).split('.');
  return [whole.replace(/(?<=\d)(?=(\d{3})+$)/g, ','), ...fraction].join('.');
}

const raised = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** `1.250000×10⁻⁰¹`, with which the server answers `%e`, whatever precision it is asked for. */
export function scientific(value: number): string {
  if (!Number.isFinite(value)) return nonFinite(value);
  const precision = 6;
  let power = Number(value.toExponential().split('e')[1]);
  let digits = String(scaled(value, precision - power));
  // What is rounded up to the next power of ten.
  if (digits.length > precision + 1) digits = String(scaled(value, precision - ++power));
  digits = digits.padStart(precision + 1, '0');
  const exponent = String(Math.abs(power))
    .padStart(2, '0')
    .replace(/\d/g, (digit) => raised[Number(digit)]!);
  return `${signOf(value)}${digits[0]}.${digits.slice(1)}×10${power < 0 ? '⁻' : ''}${exponent}`;
}

/** The size of `value` times ten to the power of `decimals`, rounded to a whole number. */
function scaled(value: number, decimals: number): bigint {
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, value);
  const raw = bits.getBigUint64(0);
  const power = Number((raw >> 52n) & 0x7ffn);
  const fraction = raw & 0xfffffffffffffn;
  const mantissa = power === 0 ? fraction : fraction | (1n << 52n);
  const shift = Math.max(power, 1) - 1075;
  const up = mantissa * 2n ** BigInt(Math.max(shift, 0)) * 10n ** BigInt(Math.max(decimals, 0));
  const down = 2n ** BigInt(Math.max(-shift, 0)) * 10n ** BigInt(Math.max(-decimals, 0));
  const [whole, twice] = [up / down, (up % down) * 2n];
  return twice > down || (twice === down && whole % 2n === 1n) ? whole + 1n : whole;
}

function signOf(value: number): string {
  return value < 0 || Object.is(value, -0) ? '-' : '';
}

function nonFinite(value: number): string {
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '∞' : '-∞';
}
