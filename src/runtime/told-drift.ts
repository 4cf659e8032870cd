import type { ChangeSetEntry } from '../drift/change-set.js';
import { showTimedDifference } from '../drift/difference.js';
import { refOfStep, type Step } from '../drift/plan.js';
import { keyOf, type ObjectRef } from '../kube/object-ref.js';

/** Which drift was told already, so that nobody hears the same again at each reconcile that leaves it, or has to. */
export class ToldDrift {
  /** By the key of the custom resource, then by that of the child. */
  readonly #told = new Map<string, Map<string, string>>();
  /** Of whom anything was to be told since this process began. */
  readonly #begun = new Set<string>();

  /** True the first time: what was told of it before, its status may show. */
  begins(owner: string): boolean {
    const isFirst = !this.#begun.has(owner);
    this.#begun.add(owner);
    return isFirst;
  }

  /** True when it is the first time that this is reported of the child. What is reported no more is forgotten. */
  isNews(owner: string, { ref, reported = [] }: Pick<ChangeSetEntry, 'ref' | 'reported'>): boolean {
    if (reported.length === 0) {
      this.over(owner, ref);
      return false;
    }
    const told = this.#told.get(owner);
    const child = keyOf(ref);
    const text = reported.map(showTimedDifference).join('\n');
    if (told?.get(child) === text) return false;
    this.#told.set(owner, (told ?? new Map<string, string>()).set(child, text));
    return true;
  }

  /** The child is as it should be: what comes next is told, even if it is the same. */
  over(owner: string, child: ObjectRef): void {
    const told = this.#told.get(owner);
    told?.delete(keyOf(child));
    if (told?.size === 0) this.#told.delete(owner);
  }

  /** Forgets what is not among `steps`: what is desired again is told again. */
  keepOnly(owner: string, steps: readonly Step[]): void {
    const told = this.#told.get(owner);
    if (!told) return;
    const kept = new Set(steps.map((step) => keyOf(refOfStep(step))));
    for (const child of told.keys()) if (!kept.has(child)) told.delete(child);
    if (told.size === 0) this.#told.delete(owner);
  }

  forget(owner: string): void {
    this.#told.delete(owner);
    this.#begun.delete(owner);
  }
}
