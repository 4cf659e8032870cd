import type { KubeObject } from '../../kube/manifest.js';

/** The keys of objects by what they have, such as their labels, of which each has none, one or many. */
export class KeyIndex {
  /** The only key, or all of them: much that objects have is theirs alone, and a set takes more than what is in it. */
  readonly #keys = new Map<string, string | Set<string>>();

  constructor(private readonly facetsOf: (object: KubeObject) => readonly string[]) {}

  get(facet: string): ReadonlySet<string> {
    const keys = this.#keys.get(facet);
    return typeof keys === 'string' ? new Set([keys]) : (keys ?? new Set());
  }

  add(key: string, object: KubeObject): void {
    for (const facet of this.facetsOf(object)) {
      const keys = this.#keys.get(facet);
      if (keys === undefined) this.#keys.set(facet, key);
      else if (typeof keys !== 'string') keys.add(key);
      else if (keys !== key) this.#keys.set(facet, new Set([keys, key]));
    }
  }

  remove(key: string, object: KubeObject): void {
    for (const facet of this.facetsOf(object)) {
      const keys = this.#keys.get(facet);
      if (keys === key) this.#keys.delete(facet);
      else if (typeof keys === 'object' && keys.delete(key) && keys.size === 0) this.#keys.delete(facet);
    }
  }
}
