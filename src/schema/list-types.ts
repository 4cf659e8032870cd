import { type FieldProblem, problem } from './field-problem.js';
import { goJson } from './go-format.js';
import { propertyOf, type StructuralSchema } from './structural.js';

/** Items that appear twice in a set, or whose keys appear twice in a list map. */
export function duplicates(schema: StructuralSchema, value: unknown, path: string): FieldProblem[] {
  if (Array.isArray(value)) {
    return [
      ...duplicatesIn(schema, value, path),
      ...value.flatMap((item, index) => (schema.items ? duplicates(schema.items, item, `${path}[${index}]`) : [])),
    ];
  }
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([name, child]) => {
    const property = propertyOf(schema, name);
    if (property !== undefined) return duplicates(property, child, path === '' ? name : `${path}.${name}`);
    return schema.additionalProperties ? duplicates(schema.additionalProperties, child, `${path}[${name}]`) : [];
  });
}

function duplicatesIn(schema: StructuralSchema, items: readonly unknown[], path: string): FieldProblem[] {
  switch (schema['x-kubernetes-list-type']) {
    case 'set':
      return repeated(items, path);
    case 'map': {
      const stray = items.findIndex((item) => item !== null && (typeof item !== 'object' || Array.isArray(item)));
      if (stray >= 0) {
        const detail = 'must be an object for an array of list-type map';
        return [problem('FieldValueInvalid', `${path}[${stray}]`, items[stray], detail)];
      }
      const keys = schema['x-kubernetes-list-map-keys'] ?? [];
      return repeated(
        items.map((item) => keyOf(item as Readonly<Record<string, unknown>> | null, keys)),
        path,
      );
    }
    default:
      return [];
  }
}

function keyOf(item: Readonly<Record<string, unknown>> | null, keys: readonly string[]): object {
  return Object.fromEntries(
    keys.filter((key) => item !== null && Object.hasOwn(item, key)).map((key) => [key, item?.[key]]),
  );
}

/** The server names the second appearance alone, however many follow. */
function repeated(items: readonly unknown[], path: string): FieldProblem[] {
  const seen = new Map<string, number>();
  return items.flatMap((item, index) => {
    const times = (seen.get(goJson(item)) ?? 0) + 1;
    seen.set(goJson(item), times);
    return times === 2 ? [problem('FieldValueDuplicate', `${path}[${index}]`, item)] : [];
  });
}
