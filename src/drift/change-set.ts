import { type ObjectRef, show } from '../kube/object-ref.js';
import type { Difference } from './difference.js';

export type Action = 'created' | 'adopted' | 'configured' | 'corrected' | 'unchanged' | 'pruned' | 'skipped';

/** What became of one child in a reconcile. */
export interface ChangeSetEntry {
  readonly ref: ObjectRef;
  readonly action: Action;
  /** Why it was skipped, or what is more to be said of it. */
  readonly because?: string;
  /** What was put back. */
  readonly drift?: readonly Difference[];
  /** What differs and is left alone, because it is to be reported only. */
  readonly reported?: readonly Difference[];
  /** What the API server warned of as it was written, in its words. */
  readonly warnings?: readonly string[];
  /** What the API server has left out of it without a word, as people name fields. */
  readonly dropped?: readonly string[];
}

/** What a reconcile did: reports, events, logs and tests read the same value. */
export type ChangeSet = readonly ChangeSetEntry[];

/** True when something was written. */
export function hasWrites(changes: ChangeSet): boolean {
  return changes.some(({ action }) => action !== 'unchanged' && action !== 'skipped');
}

/** `Deployment/prod/cache configured`, in kubectl's words. */
export function showChange({ ref, action, because }: ChangeSetEntry): string {
  return `${show(ref)} ${action}${because === undefined ? '' : ` (${because})`}`;
}
