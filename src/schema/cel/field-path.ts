import { propertyOf, type StructuralSchema } from '../structural.js';

/**
 * The `fieldPath` of a rule in the form in which problems show it, or undefined when it leads nowhere: fields by
 * `.name` or `['name']`, keys of maps likewise, and never an index.
 */
export function normalizedFieldPath(fieldPath: string, schema: StructuralSchema): string | undefined {
  let at: StructuralSchema | undefined = schema;
  let path = '';
  let rest = fieldPath;
  while (rest !== '') {
    const match = /^\.([^.[\]]+)|^\['((?:[^'\\]|\\.)*)'\]/.exec(rest);
    if (match === null || at === undefined) return undefined;
    const name: string = match[1] ?? match[2]!.replace(/\\(.)/g, (_, letter: string) => escapes[letter] ?? letter);
    if (at.properties !== undefined) {
      at = propertyOf(at, name);
      path += path === '' ? name : `.${name}`;
    } else {
      at = at.additionalProperties;
      path += `[${name}]`;
    }
    if (at === undefined) return undefined;
    rest = rest.slice(match[0].length);
  }
  return path;
}

const escapes: Readonly<Record<string, string>> = { a: '\x07', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };
