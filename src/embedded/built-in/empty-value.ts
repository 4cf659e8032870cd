import type { Json } from '../../kube/manifest.js';
import type { ApiType } from './api-type.js';
import { decoderOf, isAlwaysWritten } from './decoder.js';

/** What a value of a type consists of before anybody wrote anything, and before any default. */
export function emptyValue(type: ApiType): Json {
  if (type.kind !== 'struct') return decoderOf(type).zero();
  const always = type.fields.filter(isAlwaysWritten);
  return Object.fromEntries(
    always.map((field) => [field.name, field.isPointer ? null : emptyValue(field.type)] as const),
  );
}
