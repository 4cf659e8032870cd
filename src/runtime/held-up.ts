import { refOfStep, type Step } from '../drift/plan.js';
import { keyOf, refOf } from '../kube/object-ref.js';
import type { Conclusions } from './conclusions.js';
import type { Lateness } from './lateness.js';
import type { Outcome } from './outcome.js';
import type { Planner } from './planner.js';
import { readyIn } from './status/own-status.js';
import { conditionsOf, type Verdict } from './status/status.js';
import type { Work } from './work.js';

interface HeldUpOptions {
  readonly conclusions: Conclusions;
  readonly lateness: Lateness;
  readonly planner: Pick<Planner, 'stored'>;
}

/**
 * Says of a custom resource whose plan is not carried out yet, unless it says so, whether the children that it has are ready. What
 * another version of its operator said of it beside that stays.
 */
export async function concludeHeldUp(
  { round, cr, composed, limited }: Work,
  steps: readonly Step[],
  { conclusions, lateness, planner }: HeldUpOptions,
): Promise<Outcome> {
  const { key, discretion } = round;
  const isOthers = (step: Step) => step.type === 'refuse' || (step.type === 'apply' && step.adopted);
  const others = new Set(steps.filter(isOthers).map((step) => keyOf(refOfStep(step))));
  // Whatever becomes of them by this version, as where it only reports what differs.
  const ours = composed.children.filter((manifest) => !others.has(keyOf(refOf(manifest))));
  const children = ours.flatMap((manifest) => planner.stored(manifest) ?? []);
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
