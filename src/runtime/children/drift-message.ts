import type { ChangeSetEntry } from '../../drift/change-set.js';
import { showDifference } from '../../drift/difference.js';
import type { Step } from '../../drift/plan.js';
import type { ObjectRef } from '../../kube/object-ref.js';

/** What differs and is left alone, child by child. */
export type Drifted = readonly Pick<ChangeSetEntry, 'ref' | 'reported'>[];

/** What of `steps` is desired, not there, and only told to be missing. */
export function missingOf(steps: readonly Step[]): readonly ObjectRef[] {
  return steps.flatMap((step) => (step.type === 'leave' && step.isDesired && isMissing(step) ? step.ref : []));
}

/** True of what is missing as a whole. */
export function isMissing({ reported: [first] = [] }: Pick<ChangeSetEntry, 'reported'>): boolean {
  return first?.path === '' && first.observed === undefined;
}

const shownDifferences = 3;

/** How many fields differ, and the first of them, by whom. Stable as long as the drift is. */
export function driftMessage(drifted: Drifted): string {
  const all = drifted.flatMap(({ ref, reported = [] }) =>
    reported.map((difference) => `${ref.kind}/${ref.name} ${showDifference(difference)}`),
  );
  const rest = all.length - shownDifferences;
  const more = rest > 0 ? `, and ${rest} more` : '';
  return `${all.length} ${all.length === 1 ? 'difference is' : 'differences are'} left alone: ${all.slice(0, shownDifferences).join(', ')}${more}`;
}
