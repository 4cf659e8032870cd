import type { ChangeSetEntry } from '../../drift/change-set.js';
import { showTimedDifference } from '../../drift/difference.js';
import type { Step } from '../../drift/plan.js';
import type { ObjectRef } from '../../kube/object-ref.js';
import { ByChild } from './by-child.js';

/** Which drift was told already, so that nobody hears the same again at each reconcile that leaves it, or has to. */
export class ToldDrift {
  readonly #told = new ByChild<string>();
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
    const text = reported.map(showTimedDifference).join('\n');
    if (this.#told.get(owner, ref) === text) return false;
    this.#told.set(owner, ref, text);
    return true;
  }

  /** The child is as it should be: what comes next is told, even if it is the same. */
  over(owner: string, child: ObjectRef): void {
    this.#told.delete(owner, child);
  }

  /** Forgets what is not among `steps`: what is desired again is told again. */
  keepOnly(owner: string, steps: readonly Step[]): void {
    this.#told.keepOnly(owner, steps);
  }

  forget(owner: string): void {
    this.#told.forget(owner);
    this.#begun.delete(owner);
  }
}
