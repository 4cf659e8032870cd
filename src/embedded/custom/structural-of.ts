import type { StructuralSchema } from '../../schema/structural.js';
import type { RawSchema } from './custom-definition.js';

const known = new WeakMap<RawSchema, StructuralSchema>();

/**
 * The structural schema that a valid definition carries. Whatever is compiled of it is compiled once, since equal
 * definitions give the very same schema.
 */
export function structuralOf(raw: RawSchema): StructuralSchema {
  let schema = known.get(raw);
  if (!schema) {
    schema = converted(raw);
    known.set(raw, schema);
  }
  return schema;
}

const copied = [
  'type',
  'format',
  'description',
  'default',
  'minimum',
  'maximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'pattern',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
  'x-kubernetes-list-type',
  'x-kubernetes-map-type',
] as const;

const flags = [
  'nullable',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'x-kubernetes-int-or-string',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-embedded-resource',
] as const;

const lists = ['enum', 'required', 'x-kubernetes-list-map-keys', 'x-kubernetes-validations'] as const;
const combinations = ['allOf', 'anyOf', 'oneOf'] as const;

/** Values of a map that says nothing of them: anything fits, and fields of theirs are unknown. */
const anything: StructuralSchema = { nullable: true };

function converted(raw: RawSchema): StructuralSchema {
  const schema: Record<string, unknown> = {};
  for (const key of copied) if (raw[key] !== undefined && raw[key] !== null) schema[key] = raw[key];
  for (const key of flags) if (raw[key] === true) schema[key] = true;
  for (const key of lists) if (isNonEmptyList(raw[key])) schema[key] = raw[key];
  for (const key of combinations) {
    if (isNonEmptyList(raw[key])) schema[key] = (raw[key] as readonly RawSchema[]).map(converted);
  }
  if (isSchema(raw['not'])) schema['not'] = converted(raw['not']);
  if (isSchema(raw['items'])) schema['items'] = converted(raw['items']);
  const { properties, additionalProperties } = raw;
  if (isSchema(properties) && Object.keys(properties).length > 0) {
    // fromEntries, because a property may well be called __proto__.
    schema['properties'] = Object.fromEntries(
      Object.entries(properties).map(([name, child]) => [name, converted(child as RawSchema)]),
    );
  }
  if (isSchema(additionalProperties)) schema['additionalProperties'] = converted(additionalProperties);
  else if (typeof additionalProperties === 'boolean' && !schema['properties']) {
    schema['additionalProperties'] = anything;
    // No key is allowed, which is to say that the map has to be empty.
    if (!additionalProperties) schema['maxProperties'] = 0;
  }
  return schema as StructuralSchema;
}

function isNonEmptyList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length > 0;
}

export function isSchema(value: unknown): value is RawSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
