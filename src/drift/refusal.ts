import { type AdoptMode, adoptModes } from '../kube/adopt.js';
import type { KubeObject, Manifest } from '../kube/manifest.js';
import { type Adoption, isAdoptable } from './adoption.js';
import { isLeftover, type Owner, ownerName } from './belonging.js';

/** An object of a child's name is there and not ours to touch. */
export interface Refusal {
  readonly type: 'refuse';
  readonly observed: KubeObject;
  /** Whose it is. */
  readonly owner: string;
  /** Nobody has to do anything, for it goes by itself. */
  readonly isLeft: boolean;
  /**
   * Another custom resource of the same operator, which has it. `isThere`: it is not gone, and makes again what is taken from it.
   * `isEnding`: it is being deleted, and what it has goes with it.
   */
  readonly rival?: { readonly uid: string; readonly isThere: boolean; readonly isEnding: boolean };
  /** The `adopt` of an operator that would take it, where there is one. */
  readonly taker: AdoptMode | undefined;
}

/** What there is to say of `observed`, which is in the way of `desired`, to an operator that is, or was, called one of `names`. */
export function refusal(
  desired: Manifest,
  observed: KubeObject,
  owner: Owner,
  adoption: Adoption,
  names: readonly string[],
): Refusal {
  return {
    type: 'refuse',
    observed,
    owner: ownerName(observed, owner),
    isLeft: isLeftover(desired, observed),
    taker: adoptModes.find((mode) => isAdoptable(observed, owner, { ...adoption, mode }, names)),
  };
}
