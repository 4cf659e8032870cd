import type { Json, Manifest } from '../kube/manifest.js';
import { canonicalQuantity } from '../kube/quantity.js';
import { quantityFields } from './quantity-fields.js';

/** Where quantities stand, by kind: a name with `[]` stands for the items of a list, `*` for the keys of a map. */
export type QuantityFields = Readonly<Record<string, readonly string[]>>;

/**
 * `manifest` with its quantities spelled as the server stores them (`1000m` is `1`).
 *
 * Two appliers with different spellings of one quantity take the field from each other for ever, since the server
 * compares text and stores the canonical one.
 */
export function canonicalQuantities(manifest: Manifest, fields: QuantityFields = quantityFields): Manifest {
  const tree = treeOf(`${manifest.apiVersion}/${manifest.kind}`, fields);
  return tree === undefined ? manifest : (rewritten(manifest as unknown as Json, tree) as unknown as Manifest);
}

/** The paths of one kind as a tree, so that one walk finds all; a leaf is a quantity. */
interface Tree {
  readonly [segment: string]: Tree;
}

const trees = new WeakMap<QuantityFields, Map<string, Tree | undefined>>();

function treeOf(kind: string, fields: QuantityFields): Tree | undefined {
  const known = trees.get(fields) ?? new Map<string, Tree | undefined>();
  trees.set(fields, known);
  if (!known.has(kind)) known.set(kind, Object.hasOwn(fields, kind) ? grown(fields[kind]!) : undefined);
  return known.get(kind);
}

function grown(paths: readonly string[]): Tree {
  const root: Record<string, Tree> = {};
  for (const path of paths) {
    let node: Record<string, Tree> = root;
    for (const segment of path.split('.')) {
      node[segment] ??= {};
      node = node[segment] as Record<string, Tree>;
    }
  }
  return root;
}

/** A copy only where something is spelled differently. */
function rewritten(value: Json, tree: Tree): Json {
  const segments = Object.keys(tree);
  if (segments.length === 0) return typeof value === 'string' || typeof value === 'number' ? spelled(value) : value;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;

  const map = value as Readonly<Record<string, Json>>;
  const changed = new Map<string, Json>();
  const change = (key: string, after: Json) => {
    if (after !== map[key]) changed.set(key, after);
  };
  for (const segment of segments) {
    const below = tree[segment]!;
    if (segment === '*') {
      for (const key of Object.keys(map)) change(key, rewritten(map[key]!, below));
    } else if (segment.endsWith('[]')) {
      const key = segment.slice(0, -2);
      const items = Object.hasOwn(map, key) ? map[key] : undefined;
      if (!Array.isArray(items)) continue;
      const after = items.map((item: Json) => rewritten(item, below));
      if (after.some((item, index) => item !== items[index])) change(key, after);
    } else if (Object.hasOwn(map, segment)) {
      change(segment, rewritten(map[segment]!, below));
    }
  }
  if (changed.size === 0) return value;
  return Object.fromEntries(Object.entries(map).map(([key, before]) => [key, changed.get(key) ?? before]));
}

function spelled(quantity: string | number): Json {
  try {
    return canonicalQuantity(String(quantity));
  } catch {
    // The server has better words for what is no quantity.
    return quantity;
  }
}
