import type { Json } from '../../kube/manifest.js';
import { isGoInteger } from '../../schema/go-format.js';
import type { ApiType } from './api-type.js';
import { decoderOf } from './decoder.js';
import { Decoding } from './decoding.js';

/** An object without a type that cannot be converted to that of its kind, in the words of the server's converter. */
export class ConversionError extends Error {}

/**
 * Why a value does not convert to `type`: the first fault in the order in which the types declare their fields. The
 * server reads so what a merge made of an object, while it decodes what comes as JSON.
 *
 * https://pkg.go.dev/k8s.io/apimachinery/pkg/runtime#UnstructuredConverter
 */
export function conversionFault(value: Json, type: ApiType): string | undefined {
  if (value === null) return undefined;
  const { kind } = type;
  const found = goKindOf(value);
  switch (kind) {
    case 'string':
    case 'bool':
    case 'int32':
    case 'int64':
    case 'float64':
      return scalarFault(value, found, type);
    case 'bytes':
      return bytesFault(value, found, type);
    case 'list':
      if (!Array.isArray(value)) return `cannot restore slice from ${found}`;
      return firstOf(value, (each: Json) => conversionFault(each, type.elem as ApiType));
    case 'map':
      if (found !== 'map') return `cannot restore map from ${found}`;
      return firstOf(Object.values(value), (each: Json) => conversionFault(each, type.elem as ApiType));
    case 'struct': {
      if (found !== 'map') return `cannot restore struct from: ${found}`;
      const fields = value as { readonly [name: string]: Json };
      return firstOf(type.declared, (field) => conversionFault(fields[field.name] ?? null, field.type));
    }
    default:
      // These decode themselves.
      return Decoding.fault((decoding) => decoderOf(type).decode(value, decoding));
  }
}

/** Numbers become numbers of another size, and other values stay what they are. */
function scalarFault(value: Json, found: string, { kind, name }: ApiType): string | undefined {
  if (typeof value !== 'number') return found === kind ? undefined : `unrecognized type: ${kind}`;
  if (kind === 'bool') return 'unrecognized type: bool';
  // To Go a whole number is a character, too.
  if (kind === 'string') return found === 'int64' ? `cannot convert int64 to ${name}` : 'unrecognized type: string';
  return kind === 'float64' || Number.isInteger(value) ? undefined : `cannot convert float64 to ${name}`;
}

function bytesFault(value: Json, found: string, type: ApiType): string | undefined {
  if (typeof value === 'string') {
    const fault = Decoding.fault((decoding) => decoderOf(type).decode(value, decoding));
    return fault && `error decoding from json: ${fault}`;
  }
  if (!Array.isArray(value)) return `cannot restore slice from ${found}`;
  return firstOf(value, (each: Json) => {
    if (each === null || Number.isInteger(each)) return undefined;
    return typeof each === 'number' ? 'cannot convert float64 to uint8' : 'unrecognized type: uint8';
  });
}

function firstOf<T>(values: readonly T[], faultOf: (value: T) => string | undefined): string | undefined {
  for (const value of values) {
    const fault = faultOf(value);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function goKindOf(value: Json): string {
  if (Array.isArray(value)) return 'slice';
  if (typeof value === 'number') return isGoInteger(value) ? 'int64' : 'float64';
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'string' ? 'string' : 'map';
}
