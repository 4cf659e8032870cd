import type { Environment } from '@marcbachmann/cel-js';
import { goQuote } from '../go-format.js';
import { go } from '../pattern.js';
import { registerCharacterFunctions } from './character-functions.js';

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
  environment.registerFunction('string(google.protobuf.Timestamp): string', (time: Date) =>
    time.toISOString().replace('.000Z', 'Z'),
  );
  environment.registerFunction('int(google.protobuf.Timestamp): int', (time: Date) =>
    BigInt(Math.floor(time.getTime() / 1000)),
  );
  class StringsNamespace {}
  environment.registerType('StringsNamespace', StringsNamespace);
  environment.registerConstant('strings', 'StringsNamespace', new StringsNamespace());
  environment.registerFunction('StringsNamespace.quote(string): string', (_: unknown, text: string) => goQuote(text));
}

/** `'%s is %d'.format([a, b])`. */
function format(template: string, values: readonly unknown[]): string {
  let next = 0;
  return template.replace(/%(?:\.(\d+))?([a-zA-Z%])/g, (clause, precision: string | undefined, verb: string) => {
    if (verb === '%') return '%';
    if (next >= values.length) throw new Error(`index ${next} out of range`);
    return formatted(verb, values[next++], precision === undefined ? 6 : Number(precision), clause);
  });
}

function formatted(verb: string, value: unknown, precision: number, clause: string): string {
  switch (verb) {
    case 's':
      return shown(value);
    case 'd':
      if (typeof value !== 'bigint') break;
      return String(value);
    case 'f':
      return Number(value).toFixed(precision);
    case 'e':
      return Number(value)
        .toExponential(precision)
        .replace(/e([+-])(\d)$/, 'e$10$2');
    case 'b':
      if (typeof value !== 'bigint' && typeof value !== 'boolean') break;
      return BigInt(value).toString(2);
    case 'o':
      if (typeof value !== 'bigint') break;
      return value.toString(8);
    case 'x':
    case 'X': {
      const hex = typeof value === 'bigint' ? value.toString(16) : Buffer.from(String(value)).toString('hex');
      return verb === 'x' ? hex : hex.toUpperCase();
    }
  }
  throw new Error(`could not parse formatting clause "${clause}"`);
}

function shown(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(shownInside).join(', ')}]`;
  if (value instanceof Map) {
    const entries = [...value].map(([key, item]) => `${shownInside(key)}:${shownInside(item)}`).sort();
    return `{${entries.join(', ')}}`;
  }
  if (value instanceof Date) return value.toISOString().replace('.000Z', 'Z');
  return String(value);
}

function shownInside(value: unknown): string {
  return typeof value === 'string' ? goQuote(value) : shown(value);
}
