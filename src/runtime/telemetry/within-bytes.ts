const ellipsis = '…';

/**
 * `text`, or as much of it as takes no more than `bytes` with an ellipsis at its end; half a character is U+FFFD in it.
 *
 * The API server counts bytes where its messages speak of characters, and stores half a character as another one, which
 * would never be what was meant, or refuses it.
 */
export function withinBytes(text: string, bytes: number): string {
  if (Buffer.byteLength(text) <= bytes) return text.toWellFormed();
  // Whole characters alone.
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(bytes - Buffer.byteLength(ellipsis)));
  return `${text.slice(0, read).toWellFormed()}${ellipsis}`;
}
