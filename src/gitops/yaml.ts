import { DefinitionError } from '../kube/errors.js';

/**
 * One YAML document for `value`, in a form that every parser reads alike.
 *
 * **Guarantees.** The same value gives the same bytes: keys are sorted (`apiVersion`, `kind` and `metadata` lead at the top),
 * lines end in LF, nothing is folded, and there are no anchors or tags. A string is left bare only where YAML 1.1 and 1.2 agree
 * that it is one. Whatever an eye cannot see (control characters, bidirectional marks, line separators, odd spaces) is written
 * as an escape, so that a review sees what the cluster gets.
 *
 * The document starts with `---`, so that files can be joined end to end.
 *
 * **Errors.** `DefinitionError`, naming the path, for what JSON cannot carry.
 */
export function toYaml(value: unknown): string {
  const lines: string[] = ['---'];
  write(value, '', '', [], lines, true);
  return `${lines.join('\n')}\n`;
}

type Path = readonly (string | number)[];

/** Appends `value` after `lead`, the text that its first line begins with: `key:` or `-` with what is before them. */
function write(value: unknown, lead: string, indent: string, path: Path, lines: string[], top = false): void {
  if (Array.isArray(value)) {
    if (value.length === 0) {
      lines.push(spaced(lead, '[]'));
      return;
    }
    if (lead !== '') lines.push(lead);
    value.forEach((item, index) => {
      writeItem(item, indent, [...path, index], lines);
    });
    return;
  }
  if (isMap(value, path)) {
    const keys = keysOf(value, top);
    if (keys.length === 0) {
      lines.push(spaced(lead, '{}'));
      return;
    }
    if (lead !== '') lines.push(lead);
    for (const key of keys) writeEntry(key, value[key], indent, indent, path, lines);
    return;
  }
  writeScalar(value, lead, indent, path, lines);
}

function writeEntry(key: string, value: unknown, first: string, indent: string, path: Path, lines: string[]): void {
  const name = keyText(key, path);
  let lead = `${first}${name}:`;
  if (name.length > longestSimpleKey) {
    lines.push(`${first}? ${name}`);
    lead = `${indent}:`;
  }
  write(value, lead, `${indent}  `, [...path, key], lines);
}

function writeItem(item: unknown, indent: string, path: Path, lines: string[]): void {
  if (Array.isArray(item) ? item.length > 0 : isMap(item, path)) {
    const inner = `${indent}  `;
    const start = lines.length;
    write(item, '', inner, path, lines);
    if (lines.length > start) {
      // A block collection may begin on the line of its dash.
      const head = lines[start]!;
      lines[start] = head.startsWith(inner) ? `${indent}- ${head.slice(inner.length)}` : `${indent}- ${head}`;
    }
    return;
  }
  write(item, `${indent}-`, `${indent}  `, path, lines);
}

function writeScalar(value: unknown, lead: string, indent: string, path: Path, lines: string[]): void {
  if (typeof value === 'string') {
    refuseLoneSurrogates(value, path);
    if (isBlock(value)) {
      const ends = value.endsWith('\n');
      lines.push(spaced(lead, ends ? '|' : '|-'));
      for (const line of (ends ? value.slice(0, -1) : value).split('\n')) lines.push(line === '' ? '' : indent + line);
      return;
    }
    lines.push(spaced(lead, stringText(value)));
    return;
  }
  lines.push(spaced(lead, atomText(value, path)));
}

function atomText(value: unknown, path: Path): string {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'number' && Number.isFinite(value)) return numberText(value);
  throw new DefinitionError(`${showPath(path)} cannot be written as YAML: ${describe(value)} is not JSON`);
}

/** YAML 1.1 takes `1e+21` for a string unless the mantissa has a point. */
function numberText(value: number): string {
  const text = JSON.stringify(value);
  return text.replace(/^(-?\d+)e/, '$1.0e');
}

/** Parsers need not look further than this for the colon of a key on one line. */
const longestSimpleKey = 1000;

/** Words that are a boolean, null or a number to some parser: `e6` is one without a mantissa to a lenient YAML 1.1 one. */
const word = /^(?:y|n|yes|no|on|off|true|false|null|nan|inf|infinity|e[0-9]+)$/i;

/**
 * What a bare string begins with: a letter, a slash, the dashes of a flag, or the dot of a path. None of them begins a number,
 * date, time, indicator or merge key of either version of YAML, but for `.inf`, `.nan` and, to lenient ones, `.e6`.
 */
const bare = /^(?:\p{L}|\/|--[a-z]|\.(?!e[0-9+-]|inf|nan)[a-z])(?:[^\t\n]*[^\s:])?$/iu;

/** Kubernetes quantities such as `500m` and `64Mi`, which no parser takes for a number. */
const quantity = /^[1-9][0-9]*(?:m|[KMGTPE]i)$/;

/** Everything invisible but the space, and what UTF-8 or a parser would not carry: categories C and Z. */
const unseen = /[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u;
const unseenAll = /["\\]|[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu;

function stringText(text: string): string {
  if (quantity.test(text)) return text;
  const isBare =
    bare.test(text) && !word.test(text) && !text.includes(': ') && !text.includes(' #') && !unseen.test(text);
  return isBare ? text : `"${text.replace(unseenAll, escaped)}"`;
}

function keyText(key: string, path: Path): string {
  refuseLoneSurrogates(key, [...path, key]);
  return stringText(key);
}

function escaped(character: string): string {
  switch (character) {
    case '"':
      return '\\"';
    case '\\':
      return '\\\\';
    case '\n':
      return '\\n';
    case '\t':
      return '\\t';
    case '\r':
      return '\\r';
    default: {
      const code = character.codePointAt(0)!;
      if (code <= 0xff) return `\\x${hex(code, 2)}`;
      return code <= 0xffff ? `\\u${hex(code, 4)}` : `\\U${hex(code, 8)}`;
    }
  }
}

function hex(code: number, digits: number): string {
  return code.toString(16).toUpperCase().padStart(digits, '0');
}

/**
 * Whether `text` is safe and better to read as a literal block.
 *
 * Blocks cannot escape, take their indentation from the first line and treat blank ends by rules of their own, so any
 * doubt goes to a quoted line instead.
 */
function isBlock(text: string): boolean {
  if (!text.includes('\n') || /^[\s]|\n\n$|[ \t](?:\n|$)/.test(text)) return false;
  return !unseen.test(text.replace(/[\n\t]/g, ''));
}

function isMap(value: unknown, path: Path): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype = Object.getPrototypeOf(value) as unknown;
  if (prototype === Object.prototype || prototype === null) return true;
  throw new DefinitionError(`${showPath(path)} cannot be written as YAML: ${describe(value)} is not JSON`);
}

const leading: readonly string[] = ['apiVersion', 'kind', 'metadata'];

function keysOf(value: Readonly<Record<string, unknown>>, top: boolean): readonly string[] {
  const keys = Object.keys(value)
    .filter((key) => value[key] !== undefined)
    .sort();
  return top ? [...leading.filter((key) => keys.includes(key)), ...keys.filter((key) => !leading.includes(key))] : keys;
}

function refuseLoneSurrogates(text: string, path: Path): void {
  if (!/\p{Surrogate}/u.test(text)) return;
  throw new DefinitionError(`${showPath(path)} cannot be written as YAML: half of a surrogate pair is not text`);
}

function spaced(lead: string, text: string): string {
  return lead === '' ? text : `${lead} ${text}`;
}

function describe(value: unknown): string {
  if (typeof value === 'object' && value !== null) return `a ${value.constructor?.name ?? 'object'}`;
  return typeof value === 'number' ? String(value) : `a ${typeof value}`;
}

function showPath(path: Path): string {
  return path.length === 0 ? 'the document' : path.join('.');
}
