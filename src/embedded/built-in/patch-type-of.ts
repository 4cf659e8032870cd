import type { PatchField, PatchType } from '../patch/patch-type.js';
import type { ApiField, ApiType } from './api-type.js';

const leaf: PatchType = { type: 'leaf' };

const made = new WeakMap<ApiType, PatchType>();

/** How a strategic merge patch merges a value of a built-in type, by the struct tags of Go. */
export function patchTypeOf(type: ApiType): PatchType {
  const known = made.get(type);
  if (known) return known;
  const patchType = make(type);
  made.set(type, patchType);
  return patchType;
}

function make(type: ApiType): PatchType {
  const { kind, elem, fields } = type;
  if (kind === 'struct') {
    return {
      type: 'map',
      name: type.name.slice(type.name.indexOf('.') + 1),
      fields: Object.fromEntries(fields.map((field) => [field.name, patchField(field)])),
    };
  }
  if (elem === undefined) return leaf;
  if (kind === 'list') return { type: 'list', item: () => patchTypeOf(elem) };
  return kind === 'map' ? { type: 'map', fields: {}, others: { type: () => patchTypeOf(elem), strategies: [] } } : leaf;
}

function patchField({ type, patch, mergeKey }: ApiField): PatchField {
  return {
    type: () => patchTypeOf(type),
    strategies: (patch?.split(',') ?? []) as PatchField['strategies'],
    ...(mergeKey !== undefined && { mergeKey }),
  };
}
