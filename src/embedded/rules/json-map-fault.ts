/**
 * Why a text is not JSON of a map, in the words of Go's decoder; undefined when it is one. `null` counts as a map.
 *
 * https://pkg.go.dev/encoding/json
 */
export function jsonMapFault(text: string): string | undefined {
  const scanner = new Scanner(text);
  try {
    scanner.document();
  } catch (error) {
    if (error instanceof Fault) return error.message;
    throw error;
  }
  const value: unknown = JSON.parse(text);
  if (value === null || (typeof value === 'object' && !Array.isArray(value))) return undefined;
  const kind = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;
  return `json: cannot unmarshal ${kind} into Go value of type map[string]interface {}`;
}

class Fault extends Error {}

const space = /[ \t\r\n]/;

class Scanner {
  #at = 0;

  constructor(private readonly text: string) {}

  document(): void {
    this.#value();
    this.#skipSpace();
    if (this.#at < this.text.length) this.#fail('after top-level value');
  }

  #value(): void {
    this.#skipSpace();
    const first = this.#peek();
    if (first === '{') this.#object();
    else if (first === '[') this.#array();
    else if (first === '"') this.#string();
    else if (first === 't') this.#literal('true');
    else if (first === 'f') this.#literal('false');
    else if (first === 'n') this.#literal('null');
    else if (first === '-' || (first >= '0' && first <= '9')) this.#number();
    else this.#fail('looking for beginning of value');
  }

  #object(): void {
    this.#at++;
    this.#skipSpace();
    if (this.#peek() === '}') {
      this.#at++;
      return;
    }
    for (;;) {
      this.#skipSpace();
      if (this.#peek() !== '"') this.#fail('looking for beginning of object key string');
      this.#string();
      this.#skipSpace();
      if (this.#peek() !== ':') this.#fail('after object key');
      this.#at++;
      this.#value();
      this.#skipSpace();
      const next = this.#peek();
      if (next !== ',' && next !== '}') this.#fail('after object key:value pair');
      this.#at++;
      if (next === '}') return;
    }
  }

  #array(): void {
    this.#at++;
    this.#skipSpace();
    if (this.#peek() === ']') {
      this.#at++;
      return;
    }
    for (;;) {
      this.#value();
      this.#skipSpace();
      const next = this.#peek();
      if (next !== ',' && next !== ']') this.#fail('after array element');
      this.#at++;
      if (next === ']') return;
    }
  }

  #string(): void {
    this.#at++;
    for (;;) {
      const next = this.#peek();
      if (next === '"') break;
      if (next < ' ') this.#fail('in string literal');
      this.#at++;
      if (next !== '\\') continue;
      const escaped = this.#peek();
      if (!'bfnrt\\/"u'.includes(escaped)) this.#fail('in string escape code');
      this.#at++;
      if (escaped !== 'u') continue;
      for (let digit = 0; digit < 4; digit++, this.#at++) {
        if (!/[0-9a-fA-F]/.test(this.#peek())) this.#fail('in \\u hexadecimal character escape');
      }
    }
    this.#at++;
  }

  #literal(word: string): void {
    for (let index = 1; index < word.length; index++) {
      this.#at++;
      if (this.#peek() !== word[index]) this.#fail(`in literal ${word} (expecting '${word[index]}')`);
    }
    this.#at++;
  }

  #number(): void {
    if (this.text[this.#at] === '-') {
      this.#at++;
      if (!isDigit(this.#peek())) this.#fail('in numeric literal');
    }
    if (this.text[this.#at] === '0') this.#at++;
    else this.#digits();
    if (this.text[this.#at] === '.') {
      this.#at++;
      if (!isDigit(this.#peek())) this.#fail('after decimal point in numeric literal');
      this.#digits();
    }
    if (this.text[this.#at] === 'e' || this.text[this.#at] === 'E') {
      this.#at++;
      if (this.#peek() === '+' || this.#peek() === '-') this.#at++;
      if (!isDigit(this.#peek())) this.#fail('in exponent of numeric literal');
      this.#digits();
    }
  }

  #digits(): void {
    while (isDigit(this.text[this.#at] ?? '')) this.#at++;
  }

  #skipSpace(): void {
    while (space.test(this.text[this.#at] ?? '')) this.#at++;
  }

  /** The next character; there has to be one. */
  #peek(): string {
    const next = this.text[this.#at];
    if (next === undefined) throw new Fault('unexpected end of JSON input');
    return next;
  }

  #fail(where: string): never {
    throw new Fault(`invalid character ${quoted(this.#peek())} ${where}`);
  }
}

function isDigit(character: string): boolean {
  return character >= '0' && character <= '9';
}

function quoted(character: string): string {
  if (character === "'") return `'\\''`;
  if (character === '"') return `'"'`;
  return `'${JSON.stringify(character).slice(1, -1)}'`;
}
