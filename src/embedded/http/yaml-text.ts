import {
  type Alias,
  type Document,
  isCollection,
  isNode,
  isScalar,
  LineCounter,
  type Pair,
  parseDocument,
  stringify,
  visit,
  type YAMLParseError,
} from 'yaml';
import type { Json } from '../../kube/manifest.js';
import { yamlRules } from './yaml-rules.js';

/** A body that was YAML. */
export interface YamlText {
  readonly value: Json;
  /** `line 3: key "name" already set in map`. */
  readonly duplicates: readonly string[];
}

/** The text is no YAML, or has what JSON has not. The message begins as the server's: `yaml: line 3: …`. */
export class YamlError extends Error {
  override readonly name = 'YamlError';
}

const maxDepth = 1_000;

/** Reads the first document of a text by `yamlRules`. */
export function readYaml(text: string): YamlText {
  if (hasControls(text)) throw new YamlError(`yaml: ${controls}`);
  const lines = new LineCounter();
  try {
    const document = parseDocument(text, {
      ...yamlRules,
      lineCounter: lines,
      logLevel: 'error',
      prettyErrors: false,
    });
    const { explicit, version } = document.directives.yaml;
    if (explicit && version !== '1.1') throw new YamlError('yaml: found incompatible YAML document');
    const duplicates: string[] = [];
    for (const error of document.errors) {
      const { code, message, pos } = error;
      const { line } = lines.linePos(pos[0]);
      if (code === 'MULTIPLE_DOCS') continue;
      if (code !== 'DUPLICATE_KEY') throw new YamlError(`yaml: ${whyNot(error, line)}`);
      const key = /^[^\s:]+|^"(?:[^"\\]|\\.)*"/.exec(text.slice(pos[0]))?.[0] ?? message;
      duplicates.push(`line ${line}: key ${JSON.stringify(key.replace(/^"(.*)"$/, '$1'))} already set in map`);
    }
    refuseForeign(document);
    return { value: plain(document.toJS({ maxAliasCount: 100 }) as unknown, 0), duplicates };
  } catch (error) {
    if (error instanceof YamlError) throw error;
    // Too many aliases, or deeper than the parser's recursion goes.
    throw new YamlError(`yaml: ${lowered(error instanceof Error ? error.message : String(error))}`);
  }
}

/** True for characters that no YAML may have, not even in quotes. */
export function hasControls(text: string): boolean {
  return /(?![\t\n\r\u0085])\p{Cc}|[\ufffe\uffff]/u.test(text);
}

export const controls = 'control characters are not allowed';

/** An answer as YAML: keys sorted, as the server writes them. */
export function writeYaml(value: unknown): string {
  const style = { lineWidth: 0, indentSeq: false, singleQuote: true };
  return stringify(value, { sortMapEntries: true, version: '1.1', aliasDuplicateObjects: false, ...style });
}

const noToken = 'found character that cannot start any token';

/** In the server's words what is often got wrong, and anything else in those of our parser. */
function whyNot({ code, message }: YAMLParseError, line: number): string {
  if (code === 'TAG_RESOLVE_FAILED') return message;
  if (code === 'TAB_AS_INDENT' || code === 'BAD_SCALAR_START') return `line ${line}: ${noToken}`;
  return `line ${line}: ${lowered(message)}`;
}

/** Keys that are no text in JSON, and aliases that lead nowhere or in circles. */
function refuseForeign(document: Document): void {
  const anchors = new Set<string>();
  visit(document, {
    Node(_, { anchor }: { readonly anchor?: string }) {
      if (anchor !== undefined) anchors.add(anchor);
    },
    Alias(_, { source }: Alias, path) {
      if (path.some((above) => isNode(above) && (above as { readonly anchor?: string }).anchor === source)) {
        throw new YamlError(`yaml: anchor '${source}' value contains itself`);
      }
      if (!anchors.has(source)) throw new YamlError(`yaml: unknown anchor '${source}' referenced`);
    },
    Pair(_, { key, value }: Pair) {
      if (isCollection(key)) throw new YamlError(`yaml: invalid map key: ${asGo(key.toJS(document))}`);
      if (!isScalar(key) || key.value !== null) return;
      const shown = asGo(isNode(value) ? value.toJS(document) : value);
      throw new YamlError(`unsupported map key of type: %!s(<nil>), key: <nil>, value: ${shown}`);
    },
  });
}

/** A value as Go shows it by `%#v`. */
function asGo(value: unknown): string {
  if (value === null || value === undefined) return '<nil>';
  if (typeof value !== 'object') return typeof value === 'string' ? JSON.stringify(value) : String(value);
  const inside = (each: unknown) => (each === null ? 'interface {}(nil)' : asGo(each));
  if (Array.isArray(value)) return `[]interface {}{${value.map(inside).join(', ')}}`;
  const pairs = Object.entries(value).map(([key, each]) => `${JSON.stringify(key)}:${inside(each)}`);
  return `map[interface {}]interface {}{${pairs.join(', ')}}`;
}

function plain(value: unknown, depth: number): Json {
  if (depth > maxDepth) throw new YamlError(`yaml: exceeded max depth of ${maxDepth}`);
  if (value === null || value === undefined) return null;
  if (typeof value === 'string') return Buffer.from(value).toString();
  if (typeof value === 'boolean') return value;
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new YamlError(`json: unsupported value: ${goNumber(value)}`);
    return value;
  }
  if (Array.isArray(value)) return value.map((item) => plain(item, depth + 1));
  if (typeof value !== 'object') throw new YamlError(`json: unsupported type: ${typeof value}`);
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, plain(child, depth + 1)]));
}

function goNumber(value: number): string {
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
}

function lowered(message: string): string {
  const first = message.split('\n')[0] ?? message;
  return first.slice(0, 1).toLowerCase() + first.slice(1);
}
