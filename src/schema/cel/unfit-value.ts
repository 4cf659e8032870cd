import type { DeclType } from './decl-type.js';

/**
 * Stands for a value that is not of its type, which is an error for whichever rule comes upon it. Rules meet one only where
 * nothing else of an object was judged.
 */
export class UnfitValue {
  constructor(readonly message: string) {}
}

/** Of a value that is not of its type; the words are the server's. */
export function unfit({ kind, schema }: DeclType, value: unknown): UnfitValue | undefined {
  switch (kind) {
    case 'object':
    case 'map':
      return typeof value === 'object' && !Array.isArray(value) ? undefined : expected('a map', schema.type);
    case 'list':
      return Array.isArray(value) ? undefined : expected('an array', schema.type);
    case 'int':
      return Number.isInteger(value) ? undefined : got('int', value);
    case 'double':
      return typeof value === 'number' ? undefined : got('float', value);
    case 'bool':
      return typeof value === 'boolean' ? undefined : got('bool', value);
    case 'dyn':
      return undefined;
    default:
      return typeof value === 'string' ? undefined : got('string', value);
  }
}

function expected(what: string, type = 'object'): UnfitValue {
  return new UnfitValue(`invalid data, expected ${what} for the provided schema with type=${type}`);
}

function got(what: string, value: unknown): UnfitValue {
  return new UnfitValue(`invalid data, expected ${what}, got ${goType(value)}`);
}

function goType(value: unknown): string {
  if (Array.isArray(value)) return '[]interface {}';
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'boolean':
      return 'bool';
    case 'number':
      return Number.isInteger(value) ? 'int64' : 'float64';
    default:
      return 'map[string]interface {}';
  }
}
