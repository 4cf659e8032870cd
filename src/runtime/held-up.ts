import type { Step } from '../drift/plan.js';
import type { Conclusions } from './conclusions.js';
import type { Lateness } from './lateness.js';
import type { Outcome } from './outcome.js';
import { readyIn } from './status/own-status.js';
import { conditionsOf, type Verdict } from './status/status.js';
import type { Work } from './work.js';

/**
 * Says of a custom resource whose plan is not carried out yet, unless it says so, whether the children that it has are ready. What
 * another version of its operator said of it beside that stays.
 */
export async function concludeHeldUp(
  { round, cr, limited }: Work,
  steps: readonly Step[],
  { conclusions, lateness }: { readonly conclusions: Conclusions; readonly lateness: Lateness },
): Promise<Outcome> {
  const { key, discretion } = round;
  const children = steps.flatMap((step) =>
    step.type === 'keep' || (step.type === 'apply' && !step.adopted) ? step.observed : [],
  );
  const verdict: Verdict = { type: 'applied', children };
  if (conditionsOf(verdict, 0)[0]?.status === readyIn(cr)) return { type: 'done' };
  const late = await lateness.of(
    { key, cr, verdict, author: undefined, children, steps: [], executed: [] },
    undefined,
    limited,
  );
  const failed: Verdict | undefined = late && { type: 'failed', error: discretion.error(late), step: 'apply' };
  return conclusions.conclude(round, cr, failed ?? verdict, undefined);
}
