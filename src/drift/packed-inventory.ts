import { packedText, unpackedText } from '../kube/packed-text.js';

/**
 * Lines as one short text, as Helm keeps its releases. Names of children resemble each other, so that an entry takes a few
 * bytes in place of a hundred, and none of `managedFields`, which has an item for each item of a list.
 */
export function packed(lines: readonly string[]): string {
  return packedText(lines.join('\n'));
}

/** More than any status can hold, whoever wrote it. */
const mostBytes = 256 * 1024 * 1024;

/** What was packed. Throws an error for what was not. */
export function unpacked(text: string): readonly string[] {
  const lines = unpackedText(text, mostBytes);
  return lines === '' ? [] : lines.split('\n');
}
