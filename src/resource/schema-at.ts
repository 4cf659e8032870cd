import { propertyOf, type StructuralSchema } from '../schema/structural.js';

/**
 * The schema that a JSONPath such as `.spec.size` leads to; undefined where it leads nowhere.
 *
 * `[…]` behind a list stands for one of its items, whatever picks it; `['a\.b']` is the field or the key `a.b`.
 */
export function schemaAt(path: string, root: StructuralSchema): StructuralSchema | undefined {
  let at: StructuralSchema | undefined = root;
  for (const segment of segmentsOf(path) ?? ['']) {
    if (at === undefined || at['x-kubernetes-preserve-unknown-fields']) return at;
    if (/^\[(?!')/.test(segment)) at = at.items;
    else {
      const key = segment.replace(/^\['(.*)'\]$/, '$1').replace(/\\(.)/g, '$1');
      at = propertyOf(at, key) ?? at.additionalProperties;
    }
  }
  return at;
}

/**
 * A field, or what picks items: an index, a range, `*`, a key in quotes, a filter; a dot in a name or a key has a `\` before it.
 * Of one path that it cannot read the server drops every column.
 */
const segment =
  /\.(?:[^.[\]\\]|\\.)+|\[(?:(?:-?\d+)?(?::(?:-?\d+)?){0,2}|\*|'(?:[^'.\\]|\\.)*'|\?\((?:[^)]*|[^\]]*)\))\]/g;

/** `.status.hosts[0].name` as `status`, `hosts`, `[0]`, `name`. Undefined for what is no such path. */
export function segmentsOf(path: string): readonly string[] | undefined {
  const segments = path.match(segment) ?? [];
  if (segments.length === 0 || segments.join('') !== path) return undefined;
  return segments.map((segment) => segment.replace(/^\./, ''));
}
