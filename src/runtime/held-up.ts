import type { Step } from '../drift/plan.js';
import type { KubeObject } from '../kube/manifest.js';
import { readyIn } from './status/own-status.js';
import { conditionsOf, type Verdict } from './status/status.js';

/**
 * What is to be said of `cr`, whose plan is not carried out yet, or undefined where it says so: whether the children that it has are
 * ready. What another version of its operator said of it beside that stays.
 */
export function newsOfHeldUp(cr: KubeObject, steps: readonly Step[]): Verdict | undefined {
  const children = steps.flatMap((step) =>
    step.type === 'keep' || (step.type === 'apply' && !step.adopted) ? step.observed : [],
  );
  const verdict: Verdict = { type: 'applied', children };
  return conditionsOf(verdict, 0)[0]?.status === readyIn(cr) ? undefined : verdict;
}
