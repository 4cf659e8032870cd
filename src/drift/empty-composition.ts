import { groupOf } from '../kube/api-resource.js';
import type { KubeObject } from '../kube/manifest.js';
import { show } from '../kube/object-ref.js';
import { refOfStep, type Step } from './plan.js';

/**
 * Why a plan that prunes every child that is enforced is not to be trusted, or undefined where it is.
 *
 * Whoever composes nothing more often made a mistake, an input that is not there or a condition the wrong way round, than
 * wants everything gone: Argo CD asks for `allowEmpty`, too. `unserved` is how many it composes of kinds that are not served.
 */
export function doubtOf(steps: readonly Step[], cr: KubeObject, allowEmpty: boolean, unserved = 0): string | undefined {
  const pruned = steps.filter(({ type }) => type === 'prune');
  const isEmpty = steps.every(isOfNoChild);
  const consent = `${groupOf(cr.apiVersion)}/allow-empty`;
  if (!isEmpty || pruned.length === 0 || allowEmpty || cr.metadata.annotations?.[consent] === 'true') return undefined;
  const first = show(refOfStep(pruned[0]!));
  const which = pruned.length === 1 ? first : `${first} and ${pruned.length - 1} more`;
  const none = unserved === 0 ? 'no child any more' : 'no child of a kind that is served';
  return `It composes ${none}, and ${which} would be pruned; annotate it with ${consent}: "true" if that is meant`;
}

/** True of what is to become of an object that no composition has any more, which its mode may leave where it is. */
function isOfNoChild(step: Step): boolean {
  return step.type === 'prune' || step.type === 'retain' || (step.type === 'leave' && !step.isDesired);
}
