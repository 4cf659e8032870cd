import type { KubeObject, ManagedFieldsEntry, Manifest } from '../kube/manifest.js';
import { keyOf, type ObjectRef, refOf } from '../kube/object-ref.js';
import { type Removal, removalOf } from '../kube/removal.js';
import { judgedAdditions, removableAdditions, undeclaredIn } from './additions.js';
import { type Adoption, inheriting, isAdoptable, isTool, wasOurs } from './adoption.js';
import { belongsTo, type Owner } from './belonging.js';
import { type Bond, type Rebound, rebound } from './bond.js';
import {
  type Compared,
  type Difference,
  differences,
  differencesIn,
  overwrittenDifferences,
  pendingDifferences,
  telling,
} from './difference.js';
import { DriftPolicy } from './drift-policy.js';
import { isAutoscaled, isScaledByAutoscaler, leftTo, withHeldFields, withoutReplicas } from './handed-over.js';
import { appliedHash, hashOf, withAppliedHash } from './hash.js';
import { entriesOf, isToBeFolded } from './ownership.js';
import { type Refusal, refusal } from './refusal.js';
import { look, type Remembered } from './remembered.js';
import type { UncoveredField } from './uncovered.js';
import { yieldFields } from './yielded.js';

/** What is to be done about one child. */
export type Step =
  | { readonly type: 'create'; readonly manifest: Manifest }
  /** `fold`: a field may have been dropped that the POST's entry would keep alive. `isAsNoted`: by that its note stays true. */
  | {
      readonly type: 'apply';
      readonly manifest: Manifest;
      readonly observed: KubeObject;
      readonly fold: boolean;
      readonly isAsNoted: boolean;
      /** It was not ours, and is to be. */
      readonly adopted: boolean;
      /** Of what is adopted: how it is, and whose, where `observed` has as ours what we inherit. */
      readonly former?: KubeObject;
      /** What others added and is to be removed, as the segments of `fieldsV1`. */
      readonly claim: readonly (readonly string[])[];
      /** What others added, by which the server may refuse what is desired. Then it is to be removed, too; else nobody asks. */
      removable(): readonly UncoveredField[];
      readonly drift: readonly Difference[];
      /** What differs in fields that are reported and not enforced. */
      readonly reported: readonly Difference[];
    }
  | {
      readonly type: 'keep';
      readonly manifest: Manifest;
      readonly observed: KubeObject;
      readonly seen: Remembered;
      readonly reported: readonly Difference[];
    }
  /** A child that is not enforced is left as it is, or left missing. */
  | {
      readonly type: 'leave';
      readonly mode: 'report' | 'ignore';
      readonly ref: ObjectRef;
      readonly isDesired: boolean;
      readonly reported: readonly Difference[];
    }
  /** It is fought over, and too early to put it back again. */
  | { readonly type: 'hold'; readonly ref: ObjectRef; readonly reported: readonly Difference[] }
  /** It is being deleted: only when it is gone can it be made anew. */
  | { readonly type: 'wait'; readonly observed: KubeObject }
  | Refusal
  /** It is no longer desired, and stays. `rebound`: what says whose it is has to be written first, or where it cannot go yet. */
  | { readonly type: 'retain' | 'prune'; readonly observed: KubeObject; readonly rebound?: Rebound | undefined };

/** The child that a step is about. */
export function refOfStep(step: Step): ObjectRef {
  if ('ref' in step) return step.ref;
  return refOf('manifest' in step ? step.manifest : step.observed);
}

export interface PlanInput {
  readonly owner: Owner;
  readonly manager: string;
  readonly desired: readonly Manifest[];
  /** What has a desired child's name, whoever it belongs to. */
  observe(manifest: Manifest): KubeObject | undefined;
  /** All objects of the owned kinds that belong to the owner. */
  readonly controlled: readonly KubeObject[];
  /** By uid, what this process remembers of its children. What is not there it never saw as it should be. */
  readonly remembered: ReadonlyMap<string, Remembered>;
  /** What is enforced. Default: everything. */
  readonly policy?: DriftPolicy;
  /** Which objects of others become children. Default: none. */
  readonly adoption?: Adoption;
  /** What is to become of all that is desired no more; if not given each child says it of itself. */
  readonly removal?: Removal | undefined;
  /** How what stays is bound to its owner. If not given it stays as it is. */
  readonly bond?: () => Bond;
  /** Names that our field manager had before. */
  readonly formerly?: readonly string[];
}

/**
 * What must happen for the cluster to match: a value, not a deed.
 *
 * **Guarantees.** A child is written only when what is desired of it changed, or when something that we applied was
 * taken from us; no value is compared. What the owner does not control is touched only where `adoption` says so. Prunes
 * come last, and whoever carries out the plan does them only when everything before succeeded.
 */
export function plan(input: PlanInput): Step[] {
  const { owner, desired, observe, controlled, policy = DriftPolicy.enforcing, bond } = input;
  const wanted = new Set(desired.map((manifest) => keyOf(refOf(manifest))));
  const extra = controlled
    .filter((object) => belongsTo(owner, object) && !wanted.has(keyOf(refOf(object))))
    .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    // Of those that an inventory has, what was made last, and may need what was made before, goes first.
    .reverse();
  return [
    ...desired.map((manifest) => stepFor(manifest, observe(manifest), input, policy)),
    ...extra.map((observed): Step => {
      const mode = policy.modeOf(observed);
      const { removal = removalOf(observed) } = input;
      const ties = bond && { rebound: rebound(observed, bond()) };
      if (mode === 'enforce') return { type: removal === 'delete' ? 'prune' : 'retain', observed, ...ties };
      // What would stay anyway does not differ from what is to be.
      const reported = mode === 'report' && removal === 'delete' ? [noLongerDesired] : [];
      return { type: 'leave', mode, ref: refOf(observed), isDesired: false, reported };
    }),
  ];
}

function stepFor(
  desired: Manifest,
  found: KubeObject | undefined,
  { owner, manager, remembered, adoption = nothingElse, formerly = [] }: PlanInput,
  policy: DriftPolicy,
): Step {
  const mode = policy.modeOf(desired);
  const hash = hashOf(desired);
  if (!found) {
    if (mode === 'enforce') return { type: 'create', manifest: withAppliedHash(desired, hash) };
    return { type: 'leave', mode, ref: refOf(desired), isDesired: true, reported: mode === 'report' ? [missing] : [] };
  }
  // What we wrote under an older name is ours.
  const heir = inheriting(found, manager, (name) => formerly.includes(name), []);
  const observed = heir ?? found;
  const last = remembered.get(observed.metadata.uid);
  const isOrphan = !belongsTo(owner, observed);
  const adopted = isOrphan && !wasOurs(observed, hash, last, owner, adoption);
  const names = [manager, ...formerly];
  if (adopted && !isAdoptable(observed, owner, adoption, names)) {
    return refusal(desired, observed, owner, adoption, names);
  }
  if (observed.metadata.deletionTimestamp !== undefined) return { type: 'wait', observed };
  if (mode === 'ignore') return { type: 'leave', mode, ref: refOf(desired), isDesired: true, reported: [] };
  const compared = { desired, observed, manager, policy };
  const modes = policy.fieldsOf(desired);
  const yielded = yieldFields(desired, observed, manager, modes, { adopted });
  const trails = new Set(
    yielded.fields.filter(({ trail }) => modes?.modeOf(trail) === 'report').map(({ trail }) => trail.join('\n')),
  );
  // What is given up and ours by inheritance would be reset.
  const kept = () => [...yielded.fields.map(({ trail }) => trail), ...leftTo(isTool, desired, observed, modes)];
  const inherited = adopted ? inheriting(observed, manager, isTool, kept()) : heir;
  const wanted = withHeldFields(yielded.manifest, inherited ?? observed, manager, modes);
  // What is inherited goes with the apply, and is no addition, unless nothing is applied.
  const added = judgedAdditions(desired, (mode !== 'report' && inherited) || observed, manager, policy);
  const wantedHash = wanted === desired ? hash : hashOf(wanted);
  const manifest = withAppliedHash(wanted, wantedHash);
  if (mode === 'report') {
    const taken = foreign(compared);
    const isCurrent = [hash, wantedHash].includes(observed.metadata.annotations?.[appliedHash] ?? '');
    const pending = isCurrent ? [] : pendingDifferences({ ...compared, desired: manifest }, taken);
    const additions = differencesIn([...added.claimed, ...added.reported], compared);
    return {
      type: 'leave',
      mode,
      ref: refOf(desired),
      isDesired: true,
      reported: [...taken, ...pending, ...additions],
    };
  }
  const reported = [
    ...(trails.size === 0
      ? []
      : telling(
          differences(compared).filter(({ trail }) => trails.has(trail.join('\n'))),
          compared,
        )),
    ...differencesIn(added.reported, compared),
  ];
  const { taken, isOverwritten, hash: applied, seen } = look(manifest, observed, manager, last, modes);
  // A field that was taken since, and is left to its taker, is no reason to apply the others again. Where nothing tells
  // what we applied, somebody took our note of it, and that is what happened.
  const isCurrent = applied === undefined || applied === wantedHash || applied === hash;
  const isUntouched =
    applied !== undefined &&
    taken.length === 0 &&
    added.claimed.length === 0 &&
    !isOverwritten &&
    !isOrphan &&
    !inherited;
  if (isCurrent && isUntouched) return { type: 'keep', manifest, observed, seen, reported };
  const { claimed } = isCurrent ? added : judgedAdditions(desired, observed, manager, policy, { isShared: true });
  const driftOf = (): Difference[] => {
    // Of a child that we know, it is no inheritance: whoever had our name before still writes.
    if (heir) {
      if (!last) return [];
      const isRivals = (entry: ManagedFieldsEntry) => !entry.subresource && formerly.includes(entry.manager ?? '');
      const more = entriesOf(found)
        .filter(isRivals)
        .flatMap(({ fieldsV1 = {} }) => undeclaredIn(fieldsV1, manifest, found, policy));
      const { taken } = look(manifest, found, manager, last);
      return differencesIn([...taken, ...more], { ...compared, observed: found, desired: manifest });
    }
    return [
      ...telling(differencesIn(taken, { ...compared, desired: manifest }), { ...compared, desired: manifest }),
      ...(isOverwritten ? overwrittenDifferences({ ...compared, desired: manifest }) : []),
      ...differencesIn(added.claimed, compared),
    ];
  };
  return {
    type: 'apply',
    manifest,
    observed: inherited ?? observed,
    adopted,
    ...(adopted ? { former: found } : {}),
    fold: inherited ? true : (!isCurrent || isOverwritten || applied === undefined) && isToBeFolded(observed, manager),
    isAsNoted: applied !== undefined && !isOverwritten && !inherited,
    claim: claimed.map(({ trail }) => trail),
    removable: () => removableAdditions(desired, observed, manager, policy),
    // Of a child that we change anyway, nobody wants to hear which fields are not as they will be.
    drift: (isCurrent || isTakenBack(compared, applied)) && !adopted ? driftOf() : [],
    reported,
  };
}

/** True where all that changes is that a person has the number of replicas, which was an autoscaler's when we applied the rest. */
function isTakenBack(compared: Compared, applied: string | undefined): boolean {
  const rest = withoutReplicas(compared.desired);
  return rest !== undefined && applied === hashOf(rest) && !isScaledByAutoscaler(compared);
}

/** The differences, but for what an autoscaler decides, and what a rule ignores. */
function foreign(compared: Compared): Difference[] {
  const modes = compared.policy.fieldsOf(compared.desired);
  const isTold = ({ trail }: Difference) => modes?.modeOf(trail) !== 'ignore' && !isAutoscaled(trail, compared, modes);
  return telling(differences(compared).filter(isTold), compared);
}

const nothingElse: Adoption = { mode: 'never', isAlive: () => true };
/** Of what is desired and not there. */
export const missing: Difference = { path: '', trail: [], desired: 'there', observed: undefined, by: undefined };
const noLongerDesired: Difference = { path: '', trail: [], desired: undefined, observed: 'there', by: undefined };
