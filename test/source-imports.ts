import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** One import of a module: what it asks for, and the file that this is, where it is one of ours. */
export interface SourceImport {
  readonly specifier: string;
  /** Types are gone at run time, and with them the import. */
  readonly isTypeOnly: boolean;
  /** `await import(…)`: loaded only when that line is reached. */
  readonly isLazy: boolean;
  readonly file?: string;
}

const statement = /^\s*(?:import|export)\s+(type\s+)?(?:[\w*\s{},$]*?\sfrom\s+)?['"]([^'"]+)['"]/gm;
const lazy = /(?<!typeof\s)\bimport\(\s*['"]([^'"]+)['"]/g;
const builtIn = /\bgetBuiltinModule\(\s*['"]([^'"]+)['"]/g;
const typed = /\btypeof\s+import\(\s*['"]([^'"]+)['"]/g;

/** What the TypeScript file `path` imports, re-exports included. */
export function importsOf(path: string, source = readFileSync(path, 'utf8')): SourceImport[] {
  const text = withoutComments(source);
  const found = (specifier: string, isTypeOnly: boolean, isLazy: boolean): SourceImport => {
    const file = specifier.startsWith('.') ? sourceOf(resolve(dirname(path), specifier)) : undefined;
    return { specifier, isTypeOnly, isLazy, ...(file === undefined ? {} : { file }) };
  };
  return [
    ...[...text.matchAll(statement)].map(([, type, specifier]) => found(specifier!, type !== undefined, false)),
    ...[...text.matchAll(builtIn)].map(([, specifier]) => found(specifier!, false, false)),
    ...[...text.matchAll(lazy)].map(([, specifier]) => found(specifier!, false, true)),
    ...[...text.matchAll(typed)].map(([, specifier]) => found(specifier!, true, false)),
  ];
}

/** Every file of ours that runs, or may be loaded, when `path` runs; itself included. */
export function reachableFrom(path: string): Set<string> {
  const reached = new Set<string>();
  const visit = (file: string): void => {
    if (reached.has(file) || !existsSync(file)) return;
    reached.add(file);
    for (const { isTypeOnly, file: next } of importsOf(file)) {
      if (next && !isTypeOnly) visit(next);
    }
  };
  visit(path);
  return reached;
}

const sourceOf = (path: string) => path.replace(/\.js$/, '.ts');

const token = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g;

/** Comments may show code that imports. Strings are kept, for a `//` in one is no comment. */
function withoutComments(text: string): string {
  return text.replace(token, (match) => (match.startsWith('/') ? '' : match));
}

/** The code of a file: without comments and without what strings say, so that words in either are no code. */
export function codeOf(text: string): string {
  return text.replace(token, (match) => {
    if (match.startsWith('/')) return '';
    if (match.startsWith('`')) return (match.match(/\$\{[^}]*\}/g) ?? []).map((each) => each.slice(1)).join(' ');
    return match[0]! + match[0]!;
  });
}
