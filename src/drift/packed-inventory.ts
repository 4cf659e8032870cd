import { gunzipSync, gzipSync } from 'node:zlib';

/**
 * Lines as one short text: compressed, in base64, as Helm keeps its releases. Names of children resemble each other, so
 * that an entry takes a few bytes in place of a hundred, and none of `managedFields`, which has an item for each item of
 * a list. For people: `| base64 -d | gunzip`.
 */
export function packed(lines: readonly string[]): string {
  return gzipSync(lines.join('\n'), { level: 9 }).toString('base64');
}

/** More than any status can hold, whoever wrote it. */
const mostBytes = 256 * 1024 * 1024;

/** What was packed. Throws an error for what was not. */
export function unpacked(text: string): readonly string[] {
  const lines = gunzipSync(Buffer.from(text, 'base64'), { maxOutputLength: mostBytes }).toString('utf8');
  return lines === '' ? [] : lines.split('\n');
}
