import { type FieldProblem, unknownField } from './field-problem.js';
import { propertyOf, type StructuralSchema } from './structural.js';

/** Every object has these, whatever its schema says. */
export const metaFields: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

/** Fields that are in `value` but not in its schema: what strict field validation refuses and anything else drops. */
export function unknownFields(schema: StructuralSchema | undefined, value: unknown, path: string): FieldProblem[] {
  const keepsUnknown = schema?.['x-kubernetes-preserve-unknown-fields'] === true;
  if (Array.isArray(value)) {
    // Below a list in a preserved value everything is preserved, unless the items say more.
    if (keepsUnknown && schema?.items === undefined) return [];
    return value.flatMap((item, index) => unknownFields(schema?.items, item, `${path}[${index}]`));
  }
  if (value === null || typeof value !== 'object') return [];
  const isResource = schema?.['x-kubernetes-embedded-resource'] === true;
  return Object.entries(value).flatMap(([name, child]) => {
    if (isResource && metaFields.has(name)) return [];
    const childPath = path === '' ? name : `${path}.${name}`;
    const childSchema = schema && (propertyOf(schema, name) ?? schema.additionalProperties);
    if (childSchema !== undefined) return unknownFields(childSchema, child, childPath);
    return keepsUnknown ? [] : [unknownField(childPath)];
  });
}
