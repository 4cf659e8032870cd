import { propertyName, quote } from './names.js';
import type { OpenApiSchema } from './openapi.js';

/** How a schema that is referred to by name is written. */
export interface TypeNames {
  /** The type for a `$ref`; asking for it makes its declaration part of what is generated. */
  nameOf(ref: string): string;
}

/** The TypeScript type of a schema, over several lines where it has fields. */
export function typeText(schema: OpenApiSchema, names: TypeNames, indent = ''): string {
  const text = bare(schema, names, indent);
  return schema.nullable ? `${text} | null` : text;
}

function bare(schema: OpenApiSchema, names: TypeNames, indent: string): string {
  if (schema.$ref) return names.nameOf(schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1));
  // A reference with a default or a description beside it is wrapped.
  if (schema.allOf?.length === 1 && schema.allOf[0]) return bare(schema.allOf[0], names, indent);
  if (schema['x-kubernetes-int-or-string'] || schema.format === 'int-or-string') return 'number | string';
  if (schema.enum && schema.enum.length > 0) {
    return schema.enum.map((value) => (typeof value === 'string' ? quote(value) : JSON.stringify(value))).join(' | ');
  }
  switch (schema.type) {
    case 'string':
      return 'string';
    case 'integer':
    case 'number':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'array':
      return `readonly ${inBrackets(typeText(schema.items ?? {}, names, indent))}[]`;
    case 'object':
      return objectText(schema, names, indent);
    default:
      return 'unknown';
  }
}

/** `{ … }` with the fields of a schema, those that are required without a question mark. */
export function objectText(schema: OpenApiSchema, names: TypeNames, indent = ''): string {
  const { properties = {}, required = [], additionalProperties } = schema;
  const fields = Object.entries(properties).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  if (fields.length === 0) {
    const values = typeof additionalProperties === 'object' ? typeText(additionalProperties, names, indent) : 'unknown';
    return `Readonly<Record<string, ${values}>>`;
  }
  const deeper = `${indent}  `;
  const lines = fields.map(([name, field]) => {
    const type = typeText(field, names, deeper);
    // An undefined is left out when it is sent, so that `x: condition ? value : undefined` can be written.
    return required.includes(name)
      ? `${deeper}readonly ${propertyName(name)}: ${type};`
      : `${deeper}readonly ${propertyName(name)}?: ${type} | undefined;`;
  });
  if (schema['x-kubernetes-preserve-unknown-fields']) lines.push(`${deeper}readonly [field: string]: unknown;`);
  return `{\n${lines.join('\n')}\n${indent}}`;
}

function inBrackets(type: string): string {
  return /^[A-Za-z0-9_.]+$|^\{[\s\S]*\}$|^Readonly<[^|]*>$/.test(type) ? type : `(${type})`;
}
