import type { StructuralSchema } from '../structural.js';
import { escapedName } from './escape.js';

/**
 * A schema as CEL sees it, with the two sizes from which the API server estimates the cost of a rule: how many elements
 * or characters a value can have at most, and how few bytes it takes at least.
 */
export interface DeclType {
  readonly kind:
    | 'bool'
    | 'bytes'
    | 'double'
    | 'duration'
    | 'dyn'
    | 'int'
    | 'list'
    | 'map'
    | 'object'
    | 'string'
    | 'timestamp';
  readonly schema: StructuralSchema;
  readonly maxElements: number;
  readonly minBytes: number;
  readonly element?: DeclType;
  /** By escaped name. */
  readonly fields?: ReadonlyMap<string, { readonly name: string; readonly type: DeclType }>;
}

export const maxRequestBytes = 3 * 1024 * 1024;

/** The type of a schema, or undefined when rules cannot see its values at all. */
export function declTypeOf(schema: StructuralSchema, isResourceRoot = false): DeclType | undefined {
  if (schema['x-kubernetes-int-or-string']) {
    return { kind: 'dyn', schema, maxElements: maxCharacters(schema), minBytes: 1 };
  }
  switch (schema.type) {
    case 'array':
      return listType(schema);
    case 'object':
      if (schema.additionalProperties) return mapType(schema);
      return objectType(isResourceRoot || schema['x-kubernetes-embedded-resource'] ? withMeta(schema) : schema);
    case 'string':
      return stringType(schema);
    case 'boolean':
      return { kind: 'bool', schema, maxElements: 0, minBytes: 4 };
    case 'number':
      return { kind: 'double', schema, maxElements: 0, minBytes: 1 };
    case 'integer':
      return { kind: 'int', schema, maxElements: 0, minBytes: 1 };
    default:
      return undefined;
  }
}

function listType(schema: StructuralSchema): DeclType | undefined {
  const element = schema.items && declTypeOf(schema.items);
  if (element === undefined) return undefined;
  const maxElements = schema.maxItems ?? Math.floor((maxRequestBytes - 2) / (element.minBytes + 1));
  return { kind: 'list', schema, maxElements, minBytes: 2, element };
}

function mapType(schema: StructuralSchema): DeclType | undefined {
  const element = schema.additionalProperties && declTypeOf(schema.additionalProperties);
  if (element === undefined) return undefined;
  const maxElements = schema.maxProperties ?? Math.floor((maxRequestBytes - 2) / (element.minBytes + 6));
  return { kind: 'map', schema, maxElements, minBytes: 2, element };
}

function objectType(schema: StructuralSchema): DeclType {
  const fields = new Map<string, { readonly name: string; readonly type: DeclType }>();
  let minBytes = 2;
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const type = declTypeOf(property);
    if (type === undefined) continue;
    const escaped = escapedName(name);
    if (escaped !== undefined) fields.set(escaped, { name, type });
    const isSent = schema.required?.includes(name) && property.default === undefined;
    if (isSent) minBytes += new TextEncoder().encode(name).length + type.minBytes + 4;
  }
  return { kind: 'object', schema, maxElements: 0, minBytes, fields };
}

function stringType(schema: StructuralSchema): DeclType {
  const { format, maxLength } = schema;
  switch (format) {
    case 'byte':
      return { kind: 'bytes', schema, maxElements: maxLength ?? maxCharacters(schema), minBytes: 2 };
    case 'duration':
      return { kind: 'duration', schema, maxElements: 32, minBytes: 3 };
    case 'date':
      return { kind: 'timestamp', schema, maxElements: 12, minBytes: 12 };
    case 'date-time':
      return { kind: 'timestamp', schema, maxElements: 32, minBytes: 21 };
    default:
      return { kind: 'string', schema, maxElements: maxCharacters(schema), minBytes: 2 };
  }
}

function maxCharacters({ maxLength, enum: values }: StructuralSchema): number {
  // A character is up to four bytes, and it is bytes that cost.
  if (maxLength !== undefined) return maxLength * 4;
  if (values === undefined || values.length === 0) return maxRequestBytes - 2;
  const lengths = values.map((value) => (typeof value === 'string' ? new TextEncoder().encode(value).length : 0));
  return Math.max(...lengths);
}

const text: StructuralSchema = { type: 'string' };

/** What rules at the root see of metadata. */
export const metadataSchema: StructuralSchema = { type: 'object', properties: { name: text, generateName: text } };

/** Rules see the kind and the name of a resource, the root or one within it, though no schema declares them. */
function withMeta(schema: StructuralSchema): StructuralSchema {
  return {
    ...schema,
    properties: { ...schema.properties, kind: text, apiVersion: text, metadata: metadataSchema },
  };
}
