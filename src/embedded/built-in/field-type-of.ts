import type { Json } from '../../kube/manifest.js';
import { deduced, type FieldType, type Lazy, type ListKey } from '../fields/field-type.js';
import type { ApiField, ApiType } from './api-type.js';
import type { FieldExtras } from './type-record.js';

const leaf: FieldType = { type: 'atomic' };
const text: FieldType = { type: 'atomic', scalar: 'string' };
const numeric: FieldType = { type: 'atomic', scalar: 'numeric' };
const truth: FieldType = { type: 'atomic', scalar: 'boolean' };
const scalar: FieldType = { type: 'atomic', scalar: 'any' };

const structs = new WeakMap<ApiType, FieldType>();

/** How a value of a built-in type is merged and owned, as the server's own converter has it of the OpenAPI schemas. */
export function fieldTypeOf(type: ApiType, use: FieldExtras = {}): FieldType {
  switch (type.kind) {
    case 'struct':
      return (use.map ?? (type.isAtomic ? 'atomic' : 'granular')) === 'atomic'
        ? { type: 'atomic', holds: () => structType(type) }
        : structType(type);
    case 'map':
      return use.map === 'atomic' ? { type: 'atomic', holds: () => mapType(type) } : mapType(type);
    case 'list':
      return listType(type, use);
    case 'fieldsV1':
    case 'schemaOrArray':
    case 'schemaOrBool':
    case 'schemaOrStrings':
      return deduced;
    case 'raw':
      // The converter knows RawExtension, and takes the other for a schema that says nothing.
      return type.name === 'runtime.RawExtension' ? leaf : deduced;
    case 'bool':
      return truth;
    case 'int32':
    case 'int64':
    case 'float64':
      return numeric;
    case 'intOrString':
      // Its schema is of no type.
      return deduced;
    case 'quantity':
    // What has a format is not held to be text.
    case 'time':
    case 'microTime':
      return scalar;
    default:
      return text;
  }
}

function mapType(type: ApiType): FieldType {
  return { type: 'struct', fields: {}, others: lazy(() => fieldTypeOf(elemOf(type))) };
}

function structType(type: ApiType): FieldType {
  const known = structs.get(type);
  if (known) return known;
  const fields: Record<string, Lazy> = {};
  for (const field of type.fields) fields[field.name] = lazy(() => fieldTypeOf(field.type, field));
  const made: FieldType = { type: 'struct', fields };
  structs.set(type, made);
  return made;
}

function listType(type: ApiType, use: FieldExtras): FieldType {
  const isMerged = use.patch?.split(',').includes('merge');
  const kind = use.list ?? (!isMerged ? 'atomic' : use.mergeKey === undefined ? 'set' : 'map');
  if (kind === 'atomic') return { type: 'atomic', items: lazy(() => fieldTypeOf(elemOf(type))) };
  if (kind === 'set') return { type: 'set', item: lazy(() => fieldTypeOf(elemOf(type))) };
  const item = elemOf(type);
  const names = use.keys ?? (use.mergeKey === undefined ? [] : [use.mergeKey]);
  return { type: 'listMap', keys: names.map((name) => keyOf(item, name)), item: lazy(() => fieldTypeOf(item)) };
}

function keyOf(item: ApiType, name: string): ListKey {
  const field = item.fields.find((each) => each.name === name);
  const value = field?.default ?? (field ? zeroOf(field) : undefined);
  return value === undefined ? { name } : { name, default: value };
}

/** What the schema gives as default where Go has no way to leave a field out. */
export function zeroOf({ type, isPointer, omitEmpty }: ApiField): Json | undefined {
  if (isPointer || omitEmpty) return undefined;
  if (type.kind === 'string') return '';
  if (type.kind === 'bool') return false;
  return type.kind === 'int32' || type.kind === 'int64' ? 0 : undefined;
}

function elemOf({ elem, name }: ApiType): ApiType {
  if (elem === undefined) throw new TypeError(`${name} has no elements`);
  return elem;
}

function lazy(make: () => FieldType): Lazy {
  let made: FieldType | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
