/** Texts and comments, in which nothing is to be read. */
const quoted = /[bB]?[rR]?(?:"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')|\/\/[^\n]*/g;

/** What CEL has and the library cannot read, and how it looks where each text is `""`: behind what can end no value. */
const unread: readonly (readonly [what: string, looks: RegExp])[] = [
  ['an optional entry of a list or map', /(?:^|[^\w\])}"\s])\s*\[\s*\?|[{,]\s*\?/],
  ['a message', /[A-Za-z_]\s*\{/],
  ['a name from the root', /(?:^|[^\w\])}"\s])\s*\.[A-Za-z_]/],
];

/** What of `source` only the server can read; undefined where that is not why the library cannot. */
export function unreadIn(source: string): string | undefined {
  if ([...source.matchAll(quoted)].some(([text]) => /^b[rR]/i.test(text))) return 'raw bytes';
  const bare = source.replace(quoted, (text) => (text.startsWith('/') ? ' ' : '""'));
  return unread.find(([, looks]) => looks.test(bare))?.[0];
}

/** `source` with a zero before each number that begins with its point, which the library does not read. */
export function withWholeNumbers(source: string): string {
  const point = new RegExp(`(${quoted.source})|(?<![\\w\\])}"'.]\\s*)\\.(?=\\d)`, 'g');
  return source.replace(point, (found: string, text: string | undefined) => (text === undefined ? '0.' : found));
}
