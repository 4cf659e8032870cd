import type { Json } from '../kube/manifest.js';
import { propertyOf, type StructuralSchema } from '../schema/structural.js';

/** Of what is below a field that preserves all that it does not know. */
const anything: StructuralSchema = { nullable: true, 'x-kubernetes-preserve-unknown-fields': true };

/**
 * `value` without the nulls in its maps, but for those that `schema` has kept: of a kind whose schema is not known, none. Lists keep
 * theirs: an item has a place.
 *
 * Under server-side apply a null would claim a field for us, where the server then keeps a default, an empty string or nothing;
 * leaving it out says all that can be said. Where it may be null, that is another value than the default.
 */
export function withoutNulls(value: Json, schema: StructuralSchema | undefined): Json {
  if (!holdsNull(value)) return value;
  if (Array.isArray(value)) return value.map((item: Json) => withoutNulls(item, below(schema, schema?.items)));
  const entries = Object.entries(value as Readonly<Record<string, Json>>).flatMap(([key, child]) => {
    const field = below(schema, schema && (propertyOf(schema, key) ?? schema.additionalProperties));
    if (child === null) return field?.nullable ? [[key, null] as const] : [];
    return [[key, withoutNulls(child, field)] as const];
  });
  return Object.fromEntries(entries);
}

function below(
  schema: StructuralSchema | undefined,
  found: StructuralSchema | undefined,
): StructuralSchema | undefined {
  return found ?? (schema?.['x-kubernetes-preserve-unknown-fields'] ? anything : undefined);
}

/** Hardly any object does, and a look costs less than a copy. */
function holdsNull(value: Json): boolean {
  if (typeof value !== 'object' || value === null) return false;
  for (const child of Object.values(value) as Json[]) if (child === null || holdsNull(child)) return true;
  return false;
}
