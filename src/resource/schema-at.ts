import { propertyOf, type StructuralSchema } from '../schema/structural.js';

/**
 * The schema that a JSONPath such as `.spec.size` leads to; undefined where it leads nowhere.
 *
 * `[…]` behind a list stands for one of its items, whatever picks it.
 */
export function schemaAt(path: string, root: StructuralSchema): StructuralSchema | undefined {
  let at: StructuralSchema | undefined = root;
  for (const segment of segmentsOf(path) ?? ['']) {
    if (at === undefined || at['x-kubernetes-preserve-unknown-fields']) return at;
    at = segment.startsWith('[') ? at.items : (propertyOf(at, segment) ?? at.additionalProperties);
  }
  return at;
}

/** `.status.hosts[0].name` as `status`, `hosts`, `[0]`, `name`. Undefined for what is no such path. */
function segmentsOf(path: string): readonly string[] | undefined {
  const segments = path.match(/\.[^.[\]]+|\[(?:\?\([^)]*\)|[^\]]*)\]/g) ?? [];
  if (segments.length === 0 || segments.join('') !== path) return undefined;
  return segments.map((segment) => segment.replace(/^\./, ''));
}
