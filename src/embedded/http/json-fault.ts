const maxDepth = 10_000;

/**
 * What the server says of a text that is no JSON: `invalid character '}' looking for beginning of value`. The text was
 * refused by `JSON.parse` before; should nothing be found wrong here, that is said as well as it can be.
 */
export function jsonFault(text: string | Uint8Array): string {
  try {
    new Reader(typeof text === 'string' ? text : inBytes(text)).document();
    return 'invalid JSON';
  } catch (error) {
    if (error instanceof Fault) return error.message;
    throw error;
  }
}

/** Bytes as text, a character for each: those beyond ASCII as characters for private use, by which they are known again. */
function inBytes(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) =>
    byte < 0x80 ? String.fromCharCode(byte) : String.fromCharCode(0xf700 + byte),
  ).join('');
}

class Fault extends Error {}

const digit = /[0-9]/;
const hex = /[0-9a-fA-F]/;
const space = /[ \t\r\n]/;

/** Walks along the text as the server's decoder does, keeping nothing. Containers are on a stack, so depth costs no frames. */
class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    // The server's decoder takes the end for a space first, which some states refuse.
    this.#text = `${text} `;
  }

  document(): void {
    const open: string[] = [];
    for (;;) {
      const start = this.#afterSpace();
      if (start === '{' || start === '[') {
        open.push(start);
        if (open.length > maxDepth) this.#refuse('exceeded max depth');
        this.#at++;
        const closing = start === '{' ? '}' : ']';
        if (this.#afterSpace() !== closing) {
          if (start === '{') this.#key();
          continue;
        }
      } else {
        this.#scalar(start);
      }
      if (this.#ended(open)) return;
    }
  }

  /** After a value, or before the end of an empty container: closes what ends here, and says whether all has. */
  #ended(open: string[]): boolean {
    for (;;) {
      const container = open.at(-1);
      if (container === undefined) {
        this.#skipSpace();
        if (this.#at < this.#text.length) this.#refuse('after top-level value');
        return true;
      }
      const found = this.#afterSpace();
      if (found === ',') {
        this.#at++;
        if (container === '{') this.#key();
        return false;
      }
      if (found !== (container === '{' ? '}' : ']')) {
        this.#refuse(container === '{' ? 'after object key:value pair' : 'after array element');
      }
      this.#at++;
      open.pop();
    }
  }

  #key(): void {
    if (this.#afterSpace() !== '"') this.#refuse('looking for beginning of object key string');
    this.#string();
    if (this.#afterSpace() !== ':') this.#refuse('after object key');
    this.#at++;
  }

  #scalar(start: string): void {
    if (start === '"') this.#string();
    else if (start === '-' || digit.test(start)) this.#number();
    else if (start === 't') this.#literal('true');
    else if (start === 'f') this.#literal('false');
    else if (start === 'n') this.#literal('null');
    else this.#refuse('looking for beginning of value');
  }

  #string(): void {
    for (this.#at++; this.#here() !== '"'; this.#at++) {
      if (this.#here() < ' ') this.#refuse('in string literal');
      if (this.#here() !== '\\') continue;
      this.#at++;
      if (this.#here() === 'u') {
        for (let count = 0; count < 4; count++) {
          this.#at++;
          if (!hex.test(this.#here())) this.#refuse('in \\u hexadecimal character escape');
        }
      } else if (!'"\\/bfnrt'.includes(this.#here())) this.#refuse('in string escape code');
    }
    this.#at++;
  }

  #number(): void {
    if (this.#here() === '-') this.#at++;
    if (this.#here() === '0') this.#at++;
    else this.#digits('in numeric literal');
    if (this.#here() === '.') {
      this.#at++;
      this.#digits('after decimal point in numeric literal');
    }
    if (this.#here() !== 'e' && this.#here() !== 'E') return;
    this.#at++;
    if (this.#here() === '+' || this.#here() === '-') this.#at++;
    this.#digits('in exponent of numeric literal');
  }

  #digits(context: string): void {
    if (!digit.test(this.#here())) this.#refuse(context);
    while (digit.test(this.#here())) this.#at++;
  }

  #literal(word: string): void {
    for (const expected of word) {
      if (this.#here() !== expected) this.#refuse(`in literal ${word} (expecting '${expected}')`);
      this.#at++;
    }
  }

  #afterSpace(): string {
    this.#skipSpace();
    return this.#here();
  }

  #skipSpace(): void {
    while (space.test(this.#text[this.#at] ?? '')) this.#at++;
  }

  #here(): string {
    const found = this.#text[this.#at];
    if (found === undefined) throw new Fault('unexpected end of JSON input');
    return found;
  }

  #refuse(context: string): never {
    throw new Fault(`invalid character ${shown(this.#here())} ${context}`);
  }
}

const escapes: Readonly<Record<string, string>> = {
  "'": "\\'",
  '\n': '\\n',
  '\t': '\\t',
  '\r': '\\r',
  '\b': '\\b',
  '\f': '\\f',
  '\v': '\\v',
  '\x07': '\\a',
  '\\': '\\\\',
};

/** The server reads bytes: of a character beyond ASCII it shows the first byte, as if it were Latin 1. */
function shown(character: string): string {
  const code = character.charCodeAt(0);
  const byte = code >> 8 === 0xf7 ? code & 0xff : (Buffer.from(character)[0] ?? 0);
  const text = String.fromCharCode(byte);
  if (Object.hasOwn(escapes, text)) return `'${escapes[text]}'`;
  if (byte < 0x20 || byte === 0x7f) return `'\\x${byte.toString(16).padStart(2, '0')}'`;
  const isShown = byte < 0x80 || (byte > 0xa0 && byte !== 0xad);
  return isShown ? `'${text}'` : `'\\u00${byte.toString(16)}'`;
}
