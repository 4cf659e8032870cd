import { propertyOf, type StructuralSchema } from './structural.js';

/**
 * A copy of `value` as the API server would store it: a null where null is not allowed is dropped or becomes the
 * default, and absent fields that have a default get it.
 *
 * **Beware**: as in the server, nothing is defaulted below an object that is absent and has no default of its own.
 * https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#defaulting
 */
export function withDefaults(schema: StructuralSchema, value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map((item) => {
      if (schema.items === undefined) return item;
      return withDefaults(schema.items, isUnwantedNull(item, schema.items) ? (defaultOf(schema.items) ?? null) : item);
    });
  }
  if (value === null || typeof value !== 'object') return value;

  const result = new Map<string, unknown>();
  for (const [name, child] of Object.entries(value)) {
    // JSON has none.
    if (child === undefined) continue;
    const childSchema = propertyOf(schema, name) ?? schema.additionalProperties;
    if (childSchema === undefined) result.set(name, child);
    else if (!isUnwantedNull(child, childSchema)) result.set(name, withDefaults(childSchema, child));
    else if (childSchema.default !== undefined) result.set(name, withDefaults(childSchema, defaultOf(childSchema)));
  }
  for (const [name, childSchema] of Object.entries(schema.properties ?? {})) {
    if (childSchema.default !== undefined && !result.has(name)) {
      result.set(name, withDefaults(childSchema, defaultOf(childSchema)));
    }
  }
  // fromEntries, because a field may well be called __proto__.
  return Object.fromEntries(result);
}

/** A copy: whoever gets it may change it. */
function defaultOf(schema: StructuralSchema): unknown {
  return structuredClone(schema.default);
}

function isUnwantedNull(value: unknown, schema: StructuralSchema): boolean {
  return value === null && schema.nullable !== true;
}
