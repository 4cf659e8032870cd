import type { Json } from '../../kube/manifest.js';
import { isMap } from '../../kube/plain-map.js';
import { goNumber, isGoInteger } from '../../schema/go-format.js';
import { isList } from '../fields/field-type.js';

/** A value as Go's `%v` writes it, which is how the server shows parts of a patch: `map[image:web name:x]`. */
export function goValue(value: Json): string {
  if (value === null) return '<nil>';
  if (typeof value === 'number') return goNumber(value);
  if (isList(value)) return `[${value.map(goValue).join(' ')}]`;
  if (!isMap(value)) return String(value);
  const keys = Object.keys(value).sort();
  return `map[${keys.map((key) => `${key}:${goValue(value[key] as Json)}`).join(' ')}]`;
}

/** The Go type that the server decodes a value into, as it names it in messages. */
export function goTypeOf(value: Json): string {
  if (value === null) return '%!s(<nil>)';
  if (isList(value)) return '[]interface {}';
  if (isMap(value)) return 'map[string]interface {}';
  if (typeof value === 'number') return isGoInteger(value) ? 'int64' : 'float64';
  return typeof value === 'boolean' ? 'bool' : 'string';
}
