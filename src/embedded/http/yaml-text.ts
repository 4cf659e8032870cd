import { LineCounter, type ParseOptions, parseDocument, type ScalarTag, type SchemaOptions, stringify } from 'yaml';
import type { Json } from '../../kube/manifest.js';

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

const octal: ScalarTag = {
  tag: 'tag:yaml.org,2002:int',
  default: true,
  test: /^[-+]?0o[0-7_]+$/,
  resolve: (text) => Number(text.replace(/^([-+]?)0o/, '0o').replaceAll('_', '')) * (text.startsWith('-') ? -1 : 1),
};

/**
 * The rules of YAML 1.1, as the server and kubectl read it: `yes` is true and `0644` an octal number, as is `0o644` of YAML 1.2.
 * Times stay text, those such as `1:30` as well.
 */
export const yamlRules: ParseOptions & SchemaOptions & { readonly version: '1.1' } = {
  version: '1.1',
  customTags: (tags) => [
    octal,
    ...tags.filter(
      (tag) => typeof tag === 'string' || !(isForeign(tag.tag) || ('format' in tag && tag.format === 'TIME')),
    ),
  ],
};

/** Reads the first document of a text by `yamlRules`. */
export function readYaml(text: string): YamlText {
  const lines = new LineCounter();
  try {
    const document = parseDocument(text, {
      ...yamlRules,
      lineCounter: lines,
      prettyErrors: false,
    });
    const duplicates: string[] = [];
    for (const { code, message, pos } of document.errors) {
      const { line } = lines.linePos(pos[0]);
      if (code === 'MULTIPLE_DOCS') continue;
      if (code !== 'DUPLICATE_KEY') throw new YamlError(`yaml: line ${line}: ${lowered(message)}`);
      const key = /^[^\s:]+|^"(?:[^"\\]|\\.)*"/.exec(text.slice(pos[0]))?.[0] ?? '';
      duplicates.push(`line ${line}: key ${JSON.stringify(key.replace(/^"(.*)"$/, '$1'))} already set in map`);
    }
    return { value: plain(document.toJS({ maxAliasCount: 100 }) as unknown, 0), duplicates };
  } catch (error) {
    if (error instanceof YamlError) throw error;
    // Too many aliases, or deeper than the parser's recursion goes.
    throw new YamlError(`yaml: ${lowered(error instanceof Error ? error.message : String(error))}`);
  }
}

/** An answer as YAML: keys sorted, as the server writes them. */
export function writeYaml(value: unknown): string {
  const style = { lineWidth: 0, indentSeq: false, singleQuote: true };
  return stringify(value, { sortMapEntries: true, version: '1.1', aliasDuplicateObjects: false, ...style });
}

/** What YAML reads as something that JSON cannot hold. */
function isForeign(tag: string): boolean {
  return ['timestamp', 'binary', 'set', 'omap', 'pairs'].some((name) => tag === `tag:yaml.org,2002:${name}`);
}

function plain(value: unknown, depth: number): Json {
  if (depth > maxDepth) throw new YamlError(`yaml: exceeded max depth of ${maxDepth}`);
  if (value === null || value === undefined) return null;
  if (typeof value === 'string') return Buffer.from(value).toString();
  if (typeof value === 'boolean') return value;
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new YamlError(`json: unsupported value: ${value}`);
    return value;
  }
  if (Array.isArray(value)) return value.map((item) => plain(item, depth + 1));
  if (typeof value !== 'object') throw new YamlError(`json: unsupported type: ${typeof value}`);
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, plain(child, depth + 1)]));
}

function lowered(message: string): string {
  const first = message.split('\n')[0] ?? message;
  return first.slice(0, 1).toLowerCase() + first.slice(1);
}
