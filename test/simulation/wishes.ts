import type { ObjectStore } from '../../src/embedded/object-store.js';
import type { KubeObject } from '../../src/kube/manifest.js';
import { refOf, show } from '../../src/kube/object-ref.js';
import { isHeld } from './far.js';
import type { Named } from './schedule.js';

/**
 * What users want of custom resources that are on their way out. Who would apply one then waits until it is gone, as
 * `kubectl delete` does: else it would be a matter of time whether what goes is edited, or another one is made.
 */
export class Wishes {
  readonly #waiting = new Map<string, () => Promise<void>>();

  constructor(
    store: ObjectStore,
    private readonly list: (kind: string) => readonly KubeObject[],
  ) {
    store.listen(({ type, object }) => {
      const name = show(refOf(object));
      const wish = type === 'DELETED' ? this.#waiting.get(name) : undefined;
      if (!wish) return;
      // Not before everybody else has heard that it is gone, and whoever let it go has its answer.
      void Promise.resolve().then(() => {
        // Somebody wants something else since.
        if (this.#waiting.get(name) !== wish) return;
        this.#waiting.delete(name);
        return wish();
      });
    });
  }

  /** True where it is on its way out: `wish` is granted when it is gone. Only the last one counts. */
  postpones(object: Named, wish: () => Promise<void>): boolean {
    const name = show(object);
    const there = this.list(object.kind).find((each) => show(refOf(each)) === name);
    if (there?.metadata.deletionTimestamp === undefined || !isHeld(there)) {
      this.#waiting.delete(name);
      return false;
    }
    this.#waiting.set(name, wish);
    return true;
  }

  /** Nobody wants it any more. */
  drop(object: Named): void {
    this.#waiting.delete(show(object));
  }
}
