import type { Step } from '../drift/plan.js';
import type { Manifest } from '../kube/manifest.js';

/** What of a plan is to be there, and has no owner reference. */
export function farManifests(steps: readonly Step[]): readonly Manifest[] {
  return wantedManifests(steps).filter(({ metadata }) => metadata.ownerReferences === undefined);
}

/** What of a plan is to be there, and has one. */
export function nearManifests(steps: readonly Step[]): readonly Manifest[] {
  return wantedManifests(steps).filter(({ metadata }) => metadata.ownerReferences !== undefined);
}

function wantedManifests(steps: readonly Step[]): readonly Manifest[] {
  return steps.flatMap((step) =>
    step.type === 'create' || step.type === 'apply' || step.type === 'keep' ? step.manifest : [],
  );
}
