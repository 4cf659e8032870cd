const mostShown = 30;

/** The beginning of a body that was not understood: as text when it looks like JSON, else as bytes. */
export function bodySummary(body: Uint8Array): string {
  if (body.length === 0) return '<empty>';
  const start = body.subarray(0, mostShown);
  const isJson = body[0] === 0x7b;
  const shown = isJson
    ? new TextDecoder().decode(start)
    : Array.from(start, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return `${shown}${body.length <= mostShown ? '' : ' ...'}`;
}
