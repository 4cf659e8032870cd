import type { ChangeSetEntry } from '../../drift/change-set.js';
import { showDifference } from '../../drift/difference.js';

/** What differs and is left alone, child by child. */
export type Drifted = readonly Pick<ChangeSetEntry, 'ref' | 'reported'>[];

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
