import type { Json, Manifest } from '../kube/manifest.js';
import { canonicalQuantity } from '../kube/quantity.js';
import { quantityFields } from './quantity-fields.js';

/**
 * `manifest` with its quantities spelled as the server stores them (`1000m` is `1`).
 *
 * Two appliers with different spellings of one quantity take the field from each other for ever, since the server
 * compares text and stores the canonical one.
 */
export function canonicalQuantities(manifest: Manifest): Manifest {
  const paths = quantityFields[`${manifest.apiVersion}/${manifest.kind}`] ?? [];
  return paths.reduce<Json>(
    (value, path) => rewrite(value, path.split('.')),
    manifest as unknown as Json,
  ) as unknown as Manifest;
}

/** Segments are names; `*` stands for every key, and a name that ends with `[]` for every item of its list. */
function rewrite(value: Json, [segment, ...rest]: readonly string[]): Json {
  if (segment === undefined) return typeof value === 'string' || typeof value === 'number' ? spell(value) : value;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const map = value as Readonly<Record<string, Json>>;
  const isList = segment.endsWith('[]');
  const name = isList ? segment.slice(0, -2) : segment;
  if (name !== '*' && !Object.hasOwn(map, name)) return value;
  return Object.fromEntries(
    Object.entries(map).map(([key, child]) => {
      if (name !== '*' && key !== name) return [key, child];
      if (!isList) return [key, rewrite(child, rest)];
      return [key, Array.isArray(child) ? child.map((item: Json) => rewrite(item, rest)) : child];
    }),
  );
}

function spell(quantity: string | number): Json {
  try {
    return canonicalQuantity(String(quantity));
  } catch {
    // The server has better words for what is no quantity.
    return quantity;
  }
}
