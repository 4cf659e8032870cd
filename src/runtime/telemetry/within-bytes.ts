const ellipsis = '…';

/**
 * `text`, or as much of it as takes no more than `bytes` with an ellipsis at its end; half a character is U+FFFD in it.
 *
 * The API server counts bytes where its messages speak of characters, and stores half a character as another one, which
 * would never be what was meant, or refuses it.
 */
export function withinBytes(text: string, bytes: number): string {
  if (Buffer.byteLength(text) <= bytes) return text.toWellFormed();
  const room = Buffer.alloc(bytes - Buffer.byteLength(ellipsis));
  // Whole characters alone.
  const { written } = new TextEncoder().encodeInto(text, room);
  // Not a slice, which would keep all of `text` in memory for as long as it is kept itself.
  return `${room.toString('utf8', 0, written)}${ellipsis}`;
}
