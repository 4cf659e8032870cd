/**
 * The distinguished encoding of ASN.1, as far as certificates need it: tag, length, content.
 *
 * https://www.itu.int/rec/T-REC-X.690
 */
export const der = {
  sequence: (...parts: readonly Buffer[]): Buffer => encoded(0x30, ...parts),
  set: (...parts: readonly Buffer[]): Buffer => encoded(0x31, ...parts),
  boolean: (value: boolean): Buffer => encoded(0x01, Buffer.from([value ? 0xff : 0])),
  /** Of a number that is not negative, most significant byte first. */
  integer(bytes: Uint8Array): Buffer {
    let start = 0;
    while (start < bytes.length - 1 && bytes[start] === 0) start++;
    const digits = bytes.subarray(start);
    // A first bit that is set would make the number negative.
    const sign = (digits[0] ?? 0) >= 0x80 || digits.length === 0 ? [0] : [];
    return encoded(0x02, Buffer.from(sign), digits);
  },
  octets: (bytes: Uint8Array): Buffer => encoded(0x04, bytes),
  bits: (bytes: Uint8Array, unused = 0): Buffer => encoded(0x03, Buffer.from([unused]), bytes),
  text: (text: string): Buffer => encoded(0x0c, Buffer.from(text)),
  identifier(dotted: string): Buffer {
    const [first = 0, second = 0, ...others] = dotted.split('.').map(Number);
    return encoded(0x06, Buffer.from([first * 40 + second, ...others.flatMap(base128)]));
  },
  /** Two digits of the year before 2050, four from then on, as certificates must have it. */
  time(milliseconds: number): Buffer {
    const digits = new Date(milliseconds).toISOString().replace(/\.\d+/, '').replace(/[-:T]/g, '');
    return Number(digits.slice(0, 4)) < 2050
      ? encoded(0x17, Buffer.from(digits.slice(2)))
      : encoded(0x18, Buffer.from(digits));
  },
  /** A part that stands under a number of its own, replacing its tag (`wraps` false) or around it. */
  tagged: (number: number, wraps: boolean, ...parts: readonly Uint8Array[]): Buffer =>
    encoded((wraps ? 0xa0 : 0x80) | number, ...parts),
};

function encoded(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag, ...lengthOf(content.length)]), content]);
}

function lengthOf(length: number): number[] {
  if (length < 0x80) return [length];
  const digits: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) digits.unshift(rest % 256);
  return [0x80 | digits.length, ...digits];
}

function base128(value: number): number[] {
  const digits = [value % 128];
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) digits.unshift(0x80 | (rest % 128));
  return digits;
}
