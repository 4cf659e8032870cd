import type { Json } from '../../kube/manifest.js';
import { jsonFault } from './json-fault.js';

/** A body that was JSON. */
export interface JsonText {
  readonly value: Json;
  /** `duplicate field "metadata.name"`, each once, as strict field validation says it. */
  readonly duplicates: readonly string[];
  /** A number beyond those that there are, such as `1e400`, as it stands there. */
  readonly infinite?: string;
}

/** The text is no JSON; the message is the server's. */
export class JsonError extends Error {
  override readonly name = 'JsonError';
}

/** More than the server's own limit would let its recursions, and ours, run out of stack. */
const maxDepth = 1_000;

/**
 * Reads JSON as the server does: of keys that stand twice the last counts, and half of a surrogate pair becomes U+FFFD.
 *
 * Duplicates and depth are looked for in one pass over what is outside strings; only a text that has duplicates is read
 * a second time to say where.
 */
export function readJson(text: string): JsonText {
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch {
    throw new JsonError(jsonFault(text));
  }
  const { keys, depth } = measured(text);
  if (depth > maxDepth) throw new JsonError(`exceeded max depth of ${maxDepth}, that of the embedded API server`);
  if (halfPair.test(text)) value = wellFormed(value);
  const infinite = mayBeInfinite.test(text) ? infiniteIn(text) : undefined;
  return {
    value,
    duplicates: keys === keysOf(value) ? [] : duplicatesOf(text),
    ...(infinite === undefined ? {} : { infinite }),
  };
}

/** Below 1e300 is what has fewer digits than that, and an exponent of two. In most texts `e` and digits are part of a uid. */
const mayBeInfinite = /(?:^|[-:,[\s])[\d.]+[eE]\+?\d{3}|\d{200}/;

/** Numbers, and texts so that no number is found in them. */
const scalars = /"(?:[^"\\]|\\.)*"|-?\d[-+.\deE]*/g;

function infiniteIn(text: string): string | undefined {
  for (const [scalar] of text.matchAll(scalars)) {
    if (!scalar.startsWith('"') && !Number.isFinite(Number(scalar))) return scalar;
  }
  return undefined;
}

/** How the server refuses such a number, which is no value of any field. */
export function tooLargeNumber(literal: string, into = 'value'): string {
  return `json: cannot unmarshal number ${literal} into Go ${into} of type float64`;
}

const quote = 0x22;
const backslash = 0x5c;

/** How many keys the objects of a JSON text have, and how deep they lie. */
function measured(text: string): { keys: number; depth: number } {
  let keys = 0;
  let depth = 0;
  let deepest = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfString(text, at);
    else if (code === 0x3a) keys++;
    else if (code === 0x7b || code === 0x5b) deepest = Math.max(deepest, ++depth);
    else if (code === 0x7d || code === 0x5d) depth--;
  }
  return { keys, depth: deepest };
}

/** Where the string that begins at `start` has its closing quote. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; ; at++) {
    at = text.indexOf('"', at);
    let escapes = 0;
    while (text.charCodeAt(at - 1 - escapes) === backslash) escapes++;
    if (escapes % 2 === 0) return at;
  }
}

function keysOf(value: Json): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (const item of value) count += keysOf(item);
    return count;
  }
  for (const child of Object.values(value)) count += 1 + keysOf(child);
  return count;
}

interface Open {
  readonly path: string;
  /** Of an object: the keys so far. */
  readonly seen?: Set<string>;
  /** Of an object: the path of the value that comes now. */
  child: string;
  index: number;
}

/** In the order of the text, by the second of the two. */
function duplicatesOf(text: string): string[] {
  const found = new Set<string>();
  const open: Open[] = [];
  const pathHere = () => {
    const container = open.at(-1);
    if (!container) return '';
    return container.seen ? container.child : `${container.path}[${container.index}]`;
  };
  const ends = { '}': true, ']': true } as Readonly<Record<string, boolean>>;
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? '';
    const container = open.at(-1);
    if (character === '"') {
      const end = endOfString(text, at);
      const token = text.slice(at, end + 1);
      at = end;
      if (container?.seen && nextOf(text, end + 1) === ':') {
        const key = JSON.parse(token) as string;
        container.child = container.path === '' ? key : `${container.path}.${key}`;
        if (container.seen.has(key)) found.add(`duplicate field ${JSON.stringify(container.child)}`);
        container.seen.add(key);
      }
    } else if (character === '{') open.push({ path: pathHere(), seen: new Set(), child: '', index: 0 });
    else if (character === '[') open.push({ path: pathHere(), child: '', index: 0 });
    else if (ends[character]) open.pop();
    else if (character === ',' && container) container.index++;
  }
  return [...found];
}

function nextOf(text: string, start: number): string | undefined {
  let at = start;
  while (' \t\r\n'.includes(text[at] ?? '|')) at++;
  return text[at];
}

/** Such as `\ud800`, or a half that came unescaped in no encoding that has any. */
const halfPair = /\\u[dD][89a-fA-F]/;

function wellFormed(value: Json): Json {
  if (typeof value === 'string') return Buffer.from(value).toString();
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(wellFormed);
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => [Buffer.from(key).toString(), wellFormed(child)]),
  );
}
