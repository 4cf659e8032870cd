import type { Environment } from '@marcbachmann/cel-js';
import { go } from '../pattern.js';
import { registerCharacterFunctions } from './character-functions.js';
import { format } from './format.js';

/** The functions on strings that Kubernetes adds, and those of cel-go's string extension, version 2. */
export function registerTextFunctions(environment: Environment): void {
  registerCharacterFunctions(environment);
  environment.registerFunction(
    'string.find(string): string',
    (text: string, pattern: string) => go(pattern).find(text) ?? '',
  );
  environment.registerFunction('string.findAll(string): list<string>', (text: string, pattern: string) =>
    go(pattern).findAll(text),
  );
  environment.registerFunction(
    'string.findAll(string, int): list<string>',
    (text: string, pattern: string, limit: bigint) => go(pattern).findAll(text, limit < 0n ? undefined : Number(limit)),
  );
  environment.registerFunction('string.matchesGo(string): bool', (text: string, pattern: string) =>
    go(pattern).matches(text),
  );
  environment.registerFunction('matchesGo(string, string): bool', (text: string, pattern: string) =>
    go(pattern).matches(text),
  );
  environment.registerFunction('string.format(list<dyn>): string', format);
  class StringsNamespace {}
  environment.registerType('StringsNamespace', StringsNamespace);
  environment.registerConstant('strings', 'StringsNamespace', new StringsNamespace());
  environment.registerFunction('StringsNamespace.quote(string): string', (_: unknown, text: string) => quoted(text));
}

/** Within double quotes, with an escape for each of those characters that have a letter for it, and no other. */
function quoted(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is escaped.
  return `"${text.replace(/[\x07-\r"\\]/g, (character) => escapes[character] ?? `\\${character}`)}"`;
}

const escapes: Readonly<Record<string, string>> = {
  '\x07': '\\a',
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\v': '\\v',
  '\f': '\\f',
  '\r': '\\r',
};
