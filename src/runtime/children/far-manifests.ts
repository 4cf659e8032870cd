import { refOfStep, type Step } from '../../drift/plan.js';
import type { Manifest } from '../../kube/manifest.js';
import { type ObjectRef, refOf } from '../../kube/object-ref.js';

/** What of a plan is to be there, and has no owner reference. */
export function farManifests(steps: readonly Step[]): readonly Manifest[] {
  return wantedManifests(steps).filter(({ metadata }) => metadata.ownerReferences === undefined);
}

/** What may be there without a reference to `owner` after a plan: what is composed so, and what is to stay so. */
export function farRefs(steps: readonly Step[], owner: { readonly uid: string }): readonly ObjectRef[] {
  return [...farManifests(steps).map(refOf), ...steps.filter((step) => refers(step, owner) === false).map(refOfStep)];
}

/** What has a reference to `owner` after a plan, all of which was carried out. */
export function nearRefs(steps: readonly Step[], owner: { readonly uid: string }): readonly ObjectRef[] {
  const near = wantedManifests(steps).filter(({ metadata }) => metadata.ownerReferences !== undefined);
  const retained = steps.filter((step) => step.type === 'retain' && refers(step, owner) === true);
  return [...near.map(refOf), ...retained.map(refOfStep)];
}

function wantedManifests(steps: readonly Step[]): readonly Manifest[] {
  return steps.flatMap((step) =>
    step.type === 'create' || step.type === 'apply' || step.type === 'keep' ? step.manifest : [],
  );
}

/** Whether what stays is to refer to `owner`. Undefined where that is not changed. */
function refers(step: Step, owner: { readonly uid: string }): boolean | undefined {
  return 'rebound' in step ? step.rebound?.ownerReferences.some(({ uid }) => uid === owner.uid) : undefined;
}
