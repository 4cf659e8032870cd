/** Raw texts, each kind of quotes by itself; then whatever else quotes may be in. */
const token = new RegExp(
  [
    String.raw`(?<!\w)[rR](?:(""")([\s\S]*?)"""|(''')([\s\S]*?)'''|(")([^"\n\r]*)"|(')([^'\n\r]*)')`,
    String.raw`"""(?:\\.|[^\\])*?"""|'''(?:\\.|[^\\])*?'''|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'`,
    String.raw`\/\/[^\n]*`,
  ].join('|'),
  'gs',
);

/**
 * `source` with other texts for the raw ones that the library reads otherwise than the server: in a raw text a backslash is nothing
 * but itself, so that the quote behind it ends the text.
 *
 * https://github.com/google/cel-go/blob/v0.26.0/parser/gen/CEL.g4
 */
export function withoutRawQuotes(source: string): string {
  return source.replace(token, (found: string, ...groups: readonly (string | undefined)[]) => {
    const [quote, body] = groups.slice(0, 8).filter((group) => group !== undefined);
    if (quote === undefined || body === undefined || !/\\["']|\\$/.test(body)) return found;
    return `${quote}${body.replaceAll('\\', '\\\\')}${quote}`;
  });
}
