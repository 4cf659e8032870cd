import type { KubeObject } from '../kube/manifest.js';
import type { Shelf } from './shelf.js';

/** What objects are found by. */
export interface Selector {
  /** Absent: all of them. */
  readonly namespace?: string | undefined;
  readonly labels?: Readonly<Record<string, string>> | undefined;
}

/** A label's key. Of no label is the namespace, since no label has an empty key. */
type Facet = string;
const namespaceFacet: Facet = '';

/** More than authors ask by, and few enough to be kept true with each event. */
const mostIndexes = 32;

/**
 * Finds objects by namespace and labels without looking at all the others: 10,000 custom resources that each ask for
 * their own Pods must not look at everybody's.
 *
 * A facet is indexed from the first time that somebody asks by it, until many others were asked for since: which labels a
 * selector names may be up to those who write custom resources.
 */
export class Facets {
  /** By facet and value, keys. Whose turn was last is last. */
  readonly #indexes = new Map<Facet, Map<string, Set<string>>>();

  constructor(private readonly shelf: Pick<Shelf, 'keys' | 'getAll' | 'peek'>) {}

  add(key: string, object: KubeObject): void {
    for (const [facet, index] of this.#indexes) put(index, facet, key, object);
  }

  remove(key: string, object: KubeObject): void {
    for (const [facet, index] of this.#indexes) {
      const value = valueAt(object, facet);
      const bucket = value === undefined ? undefined : index.get(value);
      if (value === undefined || !bucket?.delete(key)) continue;
      if (bucket.size === 0) index.delete(value);
    }
  }

  /** In no order. */
  select({ namespace, labels = {} }: Selector): KubeObject[] {
    const wanted: (readonly [Facet, string])[] = Object.entries(labels);
    if (namespace !== undefined) wanted.push([namespaceFacet, namespace]);
    if (wanted.length === 0) return this.shelf.getAll([...this.shelf.keys()]);
    let fewest: ReadonlySet<string> | undefined;
    for (const [facet, value] of wanted) {
      const bucket = this.#index(facet).get(value);
      if (!bucket) return [];
      if (!fewest || bucket.size < fewest.size) fewest = bucket;
    }
    const found = this.shelf.getAll([...(fewest ?? [])]);
    return found.filter((object) => wanted.every(([facet, value]) => valueAt(object, facet) === value));
  }

  #index(facet: Facet): Map<string, Set<string>> {
    const known = this.#indexes.get(facet);
    const index = known ?? new Map<string, Set<string>>();
    if (!known) for (const key of this.shelf.keys()) put(index, facet, key, this.shelf.peek(key)!);
    this.#indexes.delete(facet);
    this.#indexes.set(facet, index);
    if (this.#indexes.size > mostIndexes) this.#indexes.delete(this.#indexes.keys().next().value!);
    return index;
  }
}

function put(index: Map<string, Set<string>>, facet: Facet, key: string, object: KubeObject): void {
  const value = valueAt(object, facet);
  if (value === undefined) return;
  const bucket = index.get(value);
  if (bucket) bucket.add(key);
  else index.set(value, new Set([key]));
}

function valueAt({ metadata }: KubeObject, facet: Facet): string | undefined {
  if (facet === namespaceFacet) return metadata.namespace;
  return metadata.labels && Object.hasOwn(metadata.labels, facet) ? metadata.labels[facet] : undefined;
}
