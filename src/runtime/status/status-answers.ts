import { createHash } from 'node:crypto';
import type { KubeObject, Manifest } from '../../kube/manifest.js';
import { statusOf } from './own-status.js';
import { markOf } from './status-fights.js';

interface Answer {
  readonly said: string;
  readonly shown: string;
}

/**
 * What the API server made of a status that does not show what was said, and never will: admission has its way, or somebody
 * has keys of his own in a map of ours, which no apply takes away. To say the same again would change nothing, in each round.
 *
 * In memory are only those, which are few.
 */
export class StatusAnswers {
  readonly #answers = new Map<string, Answer>();

  /** True where `cr` shows what the API server made of `status` when it was said last. */
  isAnswered(key: string, cr: KubeObject, status: Manifest): boolean {
    const last = this.#answers.get(key);
    return last !== undefined && last.said === markOf(cr, status) && last.shown === shownBy(cr);
  }

  /** `status` was said, of which came `stored`. `isAsSaid`: that shows it. */
  answered(key: string, status: Manifest, stored: KubeObject, isAsSaid: boolean): void {
    if (isAsSaid) this.#answers.delete(key);
    else this.#answers.set(key, { said: markOf(stored, status), shown: shownBy(stored) });
  }

  forget(key: string): void {
    this.#answers.delete(key);
  }
}

function shownBy(cr: KubeObject): string {
  return createHash('sha256')
    .update(JSON.stringify(statusOf(cr)))
    .digest('base64');
}
