import { propertyOf, type StructuralSchema } from './structural.js';

/** A copy of `value` without the fields that its schema does not have, as the API server stores it. */
export function pruned(schema: StructuralSchema | undefined, value: unknown): unknown {
  const keepsUnknown = schema?.['x-kubernetes-preserve-unknown-fields'] === true;
  if (Array.isArray(value)) {
    if (keepsUnknown && schema.items === undefined) return value;
    return value.map((item: unknown) => pruned(schema?.items, item));
  }
  if (value === null || typeof value !== 'object') return value;
  // fromEntries, because a field may well be called __proto__.
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, child]): [string, unknown][] => {
      const childSchema = schema && (propertyOf(schema, name) ?? schema.additionalProperties);
      if (childSchema !== undefined) return [[name, pruned(childSchema, child)]];
      return keepsUnknown ? [[name, child]] : [];
    }),
  );
}
