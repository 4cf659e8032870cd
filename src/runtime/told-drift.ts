import type { ChangeSetEntry } from '../drift/change-set.js';
import { showTimedDifference } from '../drift/difference.js';
import { keyOf } from '../kube/object-ref.js';

/** Which drift that is left alone was told already, so that nobody hears the same again at each reconcile. */
export class ToldDrift {
  /** By the key of the custom resource, then by that of the child. */
  readonly #told = new Map<string, Map<string, string>>();

  /** True when it is the first time that `entry` reports this. What is reported no more is forgotten. */
  isNews(owner: string, { ref, reported = [] }: ChangeSetEntry): boolean {
    const told = this.#told.get(owner);
    const child = keyOf(ref);
    if (reported.length === 0) {
      told?.delete(child);
      if (told?.size === 0) this.#told.delete(owner);
      return false;
    }
    const text = reported.map(showTimedDifference).join('\n');
    if (told?.get(child) === text) return false;
    this.#told.set(owner, (told ?? new Map<string, string>()).set(child, text));
    return true;
  }

  forget(owner: string): void {
    this.#told.delete(owner);
  }
}
