import { isMap } from '../../kube/plain-map.js';
import { literal, propertyName } from './literal.js';
import { compareText } from './names.js';
import type { OpenApiSchema } from './openapi.js';

/** Where in a document a schema stands, and what its type would be called. */
export interface Place {
  readonly path: string;
  readonly name: string;
}

/** What the text of a type depends on beside its schema. */
export interface TypeSource {
  /** The type for a `$ref`. */
  referred(name: string): string;
  /** The type for a schema with fields: a name, once it is declared. */
  declared(schema: OpenApiSchema, place: Place): string;
  /** Whether a field with a default can be left out although it is required: the server fills it in before it looks. */
  readonly fillsIn: boolean;
  /** The error for a schema that is none. */
  fault(place: Place, words: string): Error;
}

/** Schemas of real kinds stay below a tenth of this. */
const deepest = 500;

/** The TypeScript type of a schema. */
export function typeText(schema: OpenApiSchema, place: Place, source: TypeSource): string {
  if (!isMap(schema)) throw source.fault(place, `is ${wordFor(schema)}, not a schema`);
  if (place.path.split('.').length > deepest)
    throw source.fault({ ...place, path: place.name }, 'is nested too deeply');
  const text = bare(schema, place, source);
  return schema.nullable && text !== 'unknown' && !hasEnum(schema) ? `${text} | null` : text;
}

function bare(schema: OpenApiSchema, place: Place, source: TypeSource): string {
  if (typeof schema.$ref === 'string') return source.referred(schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1));
  // A reference with a default or a description beside it is wrapped.
  const [wrapped] = schema.type === undefined && schema.allOf?.length === 1 ? schema.allOf : [];
  if (wrapped?.$ref !== undefined) return bare(wrapped, place, source);
  if (hasEnum(schema)) return unionText(schema.enum, place, source);
  if (schema['x-kubernetes-int-or-string'] || schema.format === 'int-or-string') return 'number | string';
  switch (schema.type) {
    case 'string':
      return 'string';
    case 'integer':
    case 'number':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'array': {
      const items = typeText(schema.items ?? {}, { ...place, path: `${place.path}.items` }, source);
      return `readonly ${inBrackets(items)}[]`;
    }
    case 'object':
      return objectText(schema, place, source);
    default:
      return 'unknown';
  }
}

function objectText(schema: OpenApiSchema, place: Place, source: TypeSource): string {
  const { additionalProperties } = schema;
  const properties = fieldsIn(schema);
  const hasFields = !isMap(properties) || Object.keys(properties).length > 0;
  if (hasFields) return source.declared(schema['x-kubernetes-embedded-resource'] ? withHead(schema) : schema, place);
  const values =
    typeof additionalProperties === 'object'
      ? typeText(additionalProperties, { ...place, path: `${place.path}.additionalProperties` }, source)
      : 'unknown';
  return `Readonly<Record<string, ${values}>>`;
}

/** The declaration of an interface with the fields of a schema after `first`; those that are not required have a question mark. */
export function interfaceText(
  schema: OpenApiSchema,
  place: Place,
  source: TypeSource,
  nameOf: (field: string) => string = () => place.name,
  first: readonly string[] = [],
): string {
  const properties = fieldsIn(schema);
  if (!isMap(properties)) {
    const at = { ...place, path: `${place.path}.properties` };
    throw source.fault(at, `is ${wordFor(properties)}, not a map of schemas`);
  }
  const needed = neededFields(schema, source);
  const lines = Object.entries(properties)
    .sort(([a], [b]) => compareText(a, b))
    .map(([field, below]) => {
      const type = typeText(below, { path: `${place.path}.properties.${field}`, name: nameOf(field) }, source);
      if (needed.includes(field)) return `readonly ${propertyName(field)}: ${type};`;
      // An undefined is left out when it is sent, so that `x: condition ? value : undefined` can be written.
      return `readonly ${propertyName(field)}?: ${onEveryObject.includes(field) || type === 'unknown' ? 'unknown' : `${type} | undefined`};`;
    });
  if (schema['x-kubernetes-preserve-unknown-fields']) lines.push('readonly [field: string]: unknown;');
  return `export interface ${place.name} {\n${[...first, ...lines].map((line) => `  ${line}\n`).join('')}}\n`;
}

/** An object of a kind of its own has these, though no definition says it, and has to say the first two. */
function withHead(schema: OpenApiSchema): OpenApiSchema {
  const text = { type: 'string' };
  const head = { apiVersion: text, kind: text, metadata: { type: 'object' } };
  const required = [...(Array.isArray(schema.required) ? schema.required : []), 'apiVersion', 'kind'];
  return { ...schema, properties: { ...head, ...fieldsIn(schema) }, required };
}

/** To the API server `properties: null` is as good as none, and a YAML key behind which everything was deleted says so. */
export function fieldsIn({ properties }: OpenApiSchema): NonNullable<OpenApiSchema['properties']> {
  return properties ?? {};
}

/** The fields that whoever writes an object has to give. */
export function neededFields({ properties, required }: OpenApiSchema, { fillsIn }: TypeSource): readonly string[] {
  if (!Array.isArray(required)) return [];
  // To the API server `default: null` is none.
  return required.filter((field) => !fillsIn || (properties?.[field]?.default ?? null) === null);
}

/** Every object has these, so that one of a narrower type would make it an error to leave the field out. */
const onEveryObject = [
  'constructor',
  'hasOwnProperty',
  'isPrototypeOf',
  'propertyIsEnumerable',
  'toLocaleString',
  'toString',
  'valueOf',
];

function hasEnum(schema: OpenApiSchema): schema is OpenApiSchema & Required<Pick<OpenApiSchema, 'enum'>> {
  return Array.isArray(schema.enum) && schema.enum.length > 0;
}

/** To the API server a null is in no enum, not even in one that lists it, and whatever `nullable` says. */
function unionText(values: readonly unknown[], place: Place, source: TypeSource): string {
  const textOf = (value: unknown): string => {
    try {
      return typeof value === 'string' ? literal(value) : JSON.stringify(value);
    } catch {
      // By an alias of YAML it may hold itself.
      throw source.fault(place, 'has a value that is no JSON');
    }
  };
  const texts = values.filter((value) => value !== null).map(textOf);
  return texts.length === 0 ? 'never' : [...new Set(texts)].join(' | ');
}

function inBrackets(type: string): string {
  return /^[A-Za-z0-9_$]+$|^Readonly<[^|]*>$/.test(type) ? type : `(${type})`;
}

function wordFor(value: unknown): string {
  return Array.isArray(value) ? 'a list' : value === null ? 'null' : `a ${typeof value}`;
}
