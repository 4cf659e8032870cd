import type { Environment } from '@marcbachmann/cel-js';

/**
 * The functions of cel-go's string extension that count: in characters, where JavaScript counts code units of 16 bits.
 * Rules are renamed to those that end in Go: https://pkg.go.dev/github.com/google/cel-go/ext#Strings
 */
export function registerCharacterFunctions(environment: Environment): void {
  const add = (signature: string, body: (text: string, ...rest: never[]) => unknown) =>
    environment.registerFunction(signature, body as (...args: unknown[]) => unknown);

  add('string.charAt(int): string', (text, index: bigint) => {
    const characters = [...text];
    return characters[within(index, characters.length)] ?? '';
  });
  add('string.substringGo(int): string', (text, start: bigint) => {
    const characters = [...text];
    return characters.slice(within(start, characters.length)).join('');
  });
  add('string.substringGo(int, int): string', (text, start: bigint, end: bigint) => {
    if (start > end) throw new Error(`invalid substring range. start: ${start}, end: ${end}`);
    const characters = [...text];
    return characters.slice(within(start, characters.length), within(end, characters.length)).join('');
  });
  add('string.indexOfGo(string): int', (text, part: string) => indexOf(text, part, 0n));
  add('string.indexOfGo(string, int): int', indexOf);
  add('string.lastIndexOfGo(string): int', (text, part: string) => {
    const { length } = [...text];
    return length === 0 && part !== '' ? -1n : lastIndexOf(text, part, BigInt(part === '' ? length : length - 1));
  });
  add('string.lastIndexOfGo(string, int): int', lastIndexOf);
  add('string.splitGo(string): list<string>', (text, separator: string) => split(text, separator, -1n));
  add('string.splitGo(string, int): list<string>', split);
  add('string.replace(string, string): string', (text, from: string, to: string) => replaced(text, from, to, -1n));
  add('string.replace(string, string, int): string', replaced);
  add('string.lowerAsciiGo(): string', (text) => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()));
  add('string.upperAsciiGo(): string', (text) => text.replace(/[a-z]+/g, (letters) => letters.toUpperCase()));
  // What is space to Unicode: with U+0085, and without the byte order mark, which it is to JavaScript.
  add('string.trimGo(): string', (text) => text.replace(/^\p{White_Space}+|\p{White_Space}+$/gu, ''));
}

function within(index: bigint, length: number): number {
  if (index < 0n || index > BigInt(length)) throw new Error(`index out of range: ${index}`);
  return Number(index);
}

function indexOf(text: string, part: string, from: bigint): bigint {
  if (part === '') return from;
  if (from < 0n) throw new Error(`index out of range: ${from}`);
  const [characters, wanted] = [[...text], [...part]];
  for (let at = Number(from); at + wanted.length <= characters.length; at++) {
    if (wanted.every((character, index) => characters[at + index] === character)) return BigInt(at);
  }
  return -1n;
}

function lastIndexOf(text: string, part: string, from: bigint): bigint {
  if (part === '') return from;
  if (from < 0n) throw new Error(`index out of range: ${from}`);
  const [characters, wanted] = [[...text], [...part]];
  if (from >= BigInt(characters.length)) return -1n;
  for (let at = Math.min(Number(from), characters.length - wanted.length); at >= 0; at--) {
    if (wanted.every((character, index) => characters[at + index] === character)) return BigInt(at);
  }
  return -1n;
}

/** As Go's `strings.SplitN`: into at most so many parts, of which the last is the rest. */
function split(text: string, separator: string, limit: bigint): readonly string[] {
  if (limit === 0n) return [];
  const parts = separator === '' ? [...text] : text.split(separator);
  if (limit < 0n || BigInt(parts.length) <= limit) return parts;
  const last = Number(limit) - 1;
  return [...parts.slice(0, last), parts.slice(last).join(separator)];
}

/** As Go's `strings.Replace`: an empty text is found before each character, and at the end. */
function replaced(text: string, from: string, to: string, limit: bigint): string {
  let left = limit;
  const next = () => left < 0n || (left > 0n && left-- > 0n);
  if (from !== '') return text.replaceAll(from, (found) => (next() ? to : found));
  return ['', ...text].map((character) => character + (next() ? to : '')).join('');
}
