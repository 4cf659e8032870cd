import { packedText, unpackedText } from '../kube/packed-text.js';

/**
 * Lines as one short text, as Helm keeps its releases. Names of children resemble each other, so that an entry takes a few
 * bytes in place of a hundred, and none of `managedFields`, which has an item for each item of a list.
 */
export function packed(lines: readonly string[]): string {
  return packedText(lines.join('\n'));
}

/**
 * More than any custom resource can have children, at up to three hundred bytes each. A few thousand bytes of a status may say many
 * more, and everybody waits while these are read.
 */
export const mostLines = 100_000;
const mostBytes = 32 * 1024 * 1024;

/** What was packed. Throws an error for what was not, and for what is too much. */
export function unpacked(text: string): readonly string[] {
  const whole = unpackedText(text, mostBytes);
  const lines = whole === '' ? [] : whole.split('\n', mostLines + 1);
  if (lines.length > mostLines) throw new RangeError(`it has over ${mostLines} lines`);
  return lines;
}
