import { refOfStep, type Step } from '../../drift/plan.js';
import { keyOf, type ObjectRef } from '../../kube/object-ref.js';

/** What is known of children, by the key of their custom resource. One of whose children nothing is known takes no room. */
export class ByChild<T> {
  readonly #byOwner = new Map<string, Map<string, T>>();

  get(owner: string, child: ObjectRef): T | undefined {
    return this.#byOwner.get(owner)?.get(keyOf(child));
  }

  of(owner: string): readonly T[] {
    return [...(this.#byOwner.get(owner)?.values() ?? [])];
  }

  /** Those of whose children something is known. */
  get owners(): readonly string[] {
    return [...this.#byOwner.keys()];
  }

  set(owner: string, child: ObjectRef, value: T): void {
    const known = this.#byOwner.get(owner) ?? new Map<string, T>();
    this.#byOwner.set(owner, known.set(keyOf(child), value));
  }

  delete(owner: string, child: ObjectRef): void {
    const known = this.#byOwner.get(owner);
    if (known?.delete(keyOf(child)) && known.size === 0) this.#byOwner.delete(owner);
  }

  /** Forgets what is not among `steps`. */
  keepOnly(owner: string, steps: readonly Step[]): void {
    const known = this.#byOwner.get(owner);
    if (!known) return;
    const kept = new Set(steps.map((step) => keyOf(refOfStep(step))));
    for (const child of known.keys()) if (!kept.has(child)) known.delete(child);
    if (known.size === 0) this.#byOwner.delete(owner);
  }

  forget(owner: string): void {
    this.#byOwner.delete(owner);
  }
}
