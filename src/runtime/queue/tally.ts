import type { KubeObject } from '../../kube/manifest.js';
import type { Change } from '../informer/store.js';

/**
 * Counts objects by what they are, as changes tell of them: whoever wants to know must not look at all of ten thousand.
 *
 * **Assumes** that it hears every change of the stores that it counts.
 */
export class Tally {
  readonly #counts: Map<string, number>;

  /** `sorts` are there from the start, at zero. `sortOf` says which an object is counted as; undefined: as none. */
  constructor(
    sorts: readonly string[],
    private readonly sortOf: (object: KubeObject) => string | undefined,
  ) {
    this.#counts = new Map(sorts.map((sort) => [sort, 0]));
  }

  get counts(): ReadonlyMap<string, number> {
    return this.#counts;
  }

  heard(change: Change): void {
    if (change.type !== 'added') this.#add(change.type === 'updated' ? change.before : change.object, -1);
    if (change.type !== 'deleted') this.#add(change.object, 1);
  }

  #add(object: KubeObject, count: 1 | -1): void {
    const sort = this.sortOf(object);
    if (sort !== undefined) this.#counts.set(sort, (this.#counts.get(sort) ?? 0) + count);
  }
}
