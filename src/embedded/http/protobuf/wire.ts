/** The bytes are no protobuf message, or not the one that was expected. */
export class WireError extends Error {
  override readonly name = 'WireError';
}

/** The value of a field as it is on the wire: a number that is one, or the bytes of anything else. */
export type WireValue = bigint | Buffer;

/**
 * Reads the fields of a message one by one: https://protobuf.dev/programming-guides/encoding/
 *
 * Throws a `WireError` for what ends too early or is of a form that nobody writes any more.
 */
export function* fieldsOf(bytes: Buffer): Generator<readonly [number: number, value: WireValue]> {
  const cursor = { bytes, at: 0 };
  while (cursor.at < bytes.length) {
    const tag = varint(cursor);
    const number = Number(tag >> 3n);
    if (number === 0) throw new WireError('illegal tag 0');
    yield [number, valueAt(cursor, Number(tag & 7n))];
  }
}

/** Numbers of a repeated field that were written in one piece. */
export function* packed(bytes: Buffer): Generator<bigint> {
  const cursor = { bytes, at: 0 };
  while (cursor.at < bytes.length) yield varint(cursor);
}

interface Cursor {
  readonly bytes: Buffer;
  at: number;
}

function valueAt(cursor: Cursor, wireType: number): WireValue {
  switch (wireType) {
    case 0:
      return varint(cursor);
    case 1:
      return taken(cursor, 8);
    case 2:
      return taken(cursor, Number(varint(cursor)));
    case 5:
      return taken(cursor, 4);
    default:
      throw new WireError(`illegal wireType ${wireType}`);
  }
}

function taken(cursor: Cursor, length: number): Buffer {
  const end = cursor.at + length;
  if (end > cursor.bytes.length) throw new WireError('unexpected EOF');
  const value = cursor.bytes.subarray(cursor.at, end);
  cursor.at = end;
  return value;
}

const longestVarint = 10;

function varint(cursor: Cursor): bigint {
  let value = 0n;
  for (let index = 0; index < longestVarint; index++) {
    const byte = cursor.bytes[cursor.at++];
    if (byte === undefined) throw new WireError('unexpected EOF');
    value |= BigInt(byte & 0x7f) << BigInt(7 * index);
    if (byte < 0x80) return BigInt.asIntN(64, value);
  }
  throw new WireError('integer overflow');
}
