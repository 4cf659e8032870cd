import { gunzipSync, gzipSync } from 'node:zlib';

/** A text as a shorter one: compressed, in base64. For people: `| base64 -d | gunzip`. */
export function packedText(text: string): string {
  return gzipSync(text, { level: 9 }).toString('base64');
}

/** The text that was packed. Throws an error for what was not, and for what has more than `mostBytes`. */
export function unpackedText(packed: string, mostBytes: number): string {
  return gunzipSync(Buffer.from(packed, 'base64'), { maxOutputLength: mostBytes }).toString('utf8');
}
