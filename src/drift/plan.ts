import type { KubeObject, Manifest } from '../kube/manifest.js';
import { keyOf, refOf } from '../kube/object-ref.js';
import { controllerOf, isControlledBy } from '../kube/owner-reference.js';
import { type Difference, differences } from './difference.js';
import { appliedHash, hashOf, withAppliedHash } from './hash.js';
import { entriesOf, ownershipOf } from './ownership.js';
import { uncoveredFields } from './uncovered.js';

/** What is to be done about one child. */
export type Step =
  | { readonly type: 'create'; readonly manifest: Manifest }
  /** `fold`: a field may have been dropped that the POST's entry would keep alive. */
  | {
      readonly type: 'apply';
      readonly manifest: Manifest;
      readonly observed: KubeObject;
      readonly fold: boolean;
      readonly drift: readonly Difference[];
    }
  | { readonly type: 'keep'; readonly observed: KubeObject }
  /** It is being deleted: only when it is gone can it be made anew. */
  | { readonly type: 'wait'; readonly observed: KubeObject }
  /** An object of this name is there and not ours to touch. */
  | { readonly type: 'refuse'; readonly observed: KubeObject; readonly owner: string }
  | { readonly type: 'prune'; readonly observed: KubeObject };

export interface PlanInput {
  readonly owner: { readonly uid: string };
  readonly manager: string;
  readonly desired: readonly Manifest[];
  /** All objects of the owned kinds that the owner controls, and those that have a desired child's name. */
  observe(manifest: Manifest): KubeObject | undefined;
  readonly controlled: readonly KubeObject[];
  /** Fingerprints after our own last writes, by uid. An object that is not there was not written by this process. */
  readonly remembered: ReadonlyMap<string, string>;
}

/**
 * What must happen for the cluster to match: a value, not a deed.
 *
 * **Guarantees.** A child is written only when what is desired of it changed, or when something that we applied was
 * taken from us; no value is compared. What the owner does not control is never touched. Prunes come last, and whoever
 * carries out the plan does them only when everything before succeeded.
 */
export function plan({ owner, manager, desired, observe, controlled, remembered }: PlanInput): Step[] {
  const wanted = new Set(desired.map((manifest) => keyOf(refOf(manifest))));
  return [
    ...desired.map((manifest) => stepFor(manifest, observe(manifest), owner, manager, remembered)),
    ...controlled
      .filter((object) => isControlledBy(owner, object) && !wanted.has(keyOf(refOf(object))))
      .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
      .map((observed) => ({ type: 'prune' as const, observed })),
  ];
}

function stepFor(
  desired: Manifest,
  observed: KubeObject | undefined,
  owner: { readonly uid: string },
  manager: string,
  remembered: ReadonlyMap<string, string>,
): Step {
  const hash = hashOf(desired);
  const manifest = withAppliedHash(desired, hash);
  if (!observed) return { type: 'create', manifest };
  if (!isControlledBy(owner, observed)) return { type: 'refuse', observed, owner: ownerName(observed) };
  if (observed.metadata.deletionTimestamp !== undefined) return { type: 'wait', observed };

  const { fields, fingerprint, update } = ownershipOf(observed, manager);
  const isCurrent = observed.metadata.annotations?.[appliedHash] === hash;
  const last = remembered.get(observed.metadata.uid);
  const all = entriesOf(observed).map(({ fieldsV1 = {} }) => fieldsV1);
  const isTaken =
    (last !== undefined && last !== fingerprint) || uncoveredFields(manifest, observed, fields, all, 1).length > 0;
  if (isCurrent && !isTaken) return { type: 'keep', observed };
  return {
    type: 'apply',
    manifest,
    observed,
    fold: !isCurrent && update !== undefined,
    // Of a child that we change anyway, nobody wants to hear which fields are not as they will be.
    drift: isCurrent ? differences(manifest, observed, manager) : [],
  };
}

function ownerName(object: KubeObject): string {
  const controller = controllerOf(object);
  return controller ? `${controller.kind}/${controller.name}` : 'nobody';
}
