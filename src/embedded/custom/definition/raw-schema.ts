import type { RawSchema } from '../custom-definition.js';
import { isSchema } from '../structural-of.js';

/** What a schema as it is written means to the server, which tells absent and empty apart only where it says so here. */

export function typeOf(schema: RawSchema): string {
  return textOf(schema, 'type');
}

export function textOf(schema: RawSchema, key: string): string {
  const value = schema[key];
  return typeof value === 'string' ? value : '';
}

export function isSet(schema: RawSchema, key: string): boolean {
  return schema[key] !== undefined && schema[key] !== null;
}

export function schemaAt(schema: RawSchema, key: string): RawSchema | undefined {
  const value = schema[key];
  return isSchema(value) ? value : undefined;
}

export function schemasAt(schema: RawSchema, key: string): readonly RawSchema[] {
  const value = schema[key];
  return Array.isArray(value) ? (value as readonly RawSchema[]) : [];
}

export function textsAt(schema: RawSchema, key: string): readonly string[] {
  const value = schema[key];
  return Array.isArray(value) ? (value as readonly string[]) : [];
}

/** In the order of their names, since the server has none. */
export function propertiesOf(
  schema: RawSchema,
  key = 'properties',
): readonly (readonly [name: string, schema: RawSchema])[] {
  const properties = schemaAt(schema, key);
  if (!properties) return [];
  return Object.keys(properties)
    .sort()
    .map((name) => [name, (properties[name] ?? {}) as RawSchema]);
}

export function propertyOf(schema: RawSchema, name: string): RawSchema | undefined {
  const properties = schemaAt(schema, 'properties');
  return properties && Object.hasOwn(properties, name) ? ((properties[name] ?? {}) as RawSchema) : undefined;
}

/** True when something in a schema, or in any schema within it, is so. */
export function someSchema(schema: RawSchema, test: (schema: RawSchema) => boolean): boolean {
  return (
    test(schema) ||
    ['items', 'additionalProperties', 'additionalItems', 'not'].some((key) => {
      const child = schemaAt(schema, key);
      return child !== undefined && someSchema(child, test);
    }) ||
    ['allOf', 'anyOf', 'oneOf'].some((key) => schemasAt(schema, key).some((child) => someSchema(child, test))) ||
    ['properties', 'patternProperties', 'definitions'].some((key) =>
      propertiesOf(schema, key).some(([, child]) => someSchema(child, test)),
    )
  );
}
