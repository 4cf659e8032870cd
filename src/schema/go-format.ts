import { goEscaped } from '../kube/json-escapes.js';

/** A string as Go's `%q` writes it, which is how the API server quotes. */
export function goQuote(text: string): string {
  let quoted = '"';
  for (const character of text) {
    const code = character.codePointAt(0)!;
    if (character === '"' || character === '\\') quoted += `\\${character}`;
    else if (named[character] !== undefined) quoted += named[character];
    else if (character === ' ' || !/[\p{C}\p{Z}]/u.test(character)) quoted += character;
    else if (code < 0x80) quoted += `\\x${code.toString(16).padStart(2, '0')}`;
    else if (code < 0x10000) quoted += `\\u${code.toString(16).padStart(4, '0')}`;
    else quoted += `\\U${code.toString(16).padStart(8, '0')}`;
  }
  return `${quoted}"`;
}

const named: Readonly<Record<string, string>> = {
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
};

/** True for a number that Go decodes as an integer of 64 bits; any other becomes a float there. */
export function isGoInteger(value: number): boolean {
  return Number.isInteger(value) && Math.abs(value) < 2 ** 63;
}

/** A number as Go's `%v` writes it: a float goes over to an exponent much earlier than in JavaScript. */
export function goNumber(value: number, isFloat = !isGoInteger(value)): string {
  const exponent = Number(value.toExponential().split('e')[1]);
  const text = isFloat && (exponent < -4 || exponent >= 6) ? value.toExponential() : String(value);
  return text.replace(/e([+-])(\d)$/, 'e$10$2');
}

/** JSON as Go writes it: keys sorted, and `<`, `>` and `&` escaped. */
export function goJson(value: unknown): string {
  return goEscaped(JSON.stringify(sorted(value)) ?? 'null');
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, child]) => [key, sorted(child)]),
  );
}
