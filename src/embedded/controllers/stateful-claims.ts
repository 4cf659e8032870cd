import type { PersistentVolumeClaimObject } from '../../../imports/k8s.js';
import type { Json, KubeObject, OwnerReference } from '../../kube/manifest.js';
import { controllerReferenceTo } from '../../kube/owner-reference.js';
import { claims, type Live } from './built-in.js';
import type { Desk } from './controller.js';
import { isTerminating, type Pod } from './pod-state.js';
import type { StatefulSet } from './stateful-pods.js';

type Claim = Live<PersistentVolumeClaimObject>;

/** Creates the claims of a Pod that are not there. Returns why it cannot have those that are, where they are about to go. */
export function createClaims(desk: Desk, set: StatefulSet, pod: string): string | undefined {
  const faults: string[] = [];
  for (const { metadata, spec } of set.spec!.volumeClaimTemplates ?? []) {
    const name = `${metadata?.name ?? ''}-${pod}`;
    const there = desk.index.get(claims, set.metadata.namespace, name);
    if (there) {
      if (isTerminating(there)) faults.push(`pvc ${name} is being deleted`);
      continue;
    }
    desk.writer.create(claims, set.metadata.namespace, {
      metadata: {
        name,
        labels: { ...metadata?.labels, ...set.spec!.selector.matchLabels },
        ...(metadata?.annotations === undefined ? {} : { annotations: metadata.annotations }),
      },
      spec,
    });
    const message = `Create Claim ${name} Pod ${pod} in StatefulSet ${set.metadata.name} success`;
    desk.events.normal(set, 'SuccessfulCreate', message);
  }
  return faults.length > 1 ? `[${faults.join(', ')}]` : faults[0];
}

/** True while a claim goes with an earlier Pod of this name: the next one would take it and never let it go. */
export function isLeftByEarlierPod(desk: Desk, set: StatefulSet, name: string): boolean {
  if (policyOf(set).whenScaled !== 'Delete') return false;
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name } };
  return claimsOf(desk, set, name).some((claim) => ownersOf(claim).some((owner) => isNamed(owner, pod)));
}

/**
 * Has the claims of a Pod go with whom the StatefulSet says: with itself, with a Pod that is scaled away, or with nobody.
 * True when that changed one.
 *
 * https://kubernetes.io/docs/concepts/workloads/controllers/statefulset/#persistentvolumeclaim-retention
 */
export function settleClaims(desk: Desk, set: StatefulSet, pod: Pod, isScaledAway: boolean): boolean {
  const { whenDeleted, whenScaled } = policyOf(set);
  const keeper = isScaledAway && whenScaled === 'Delete' ? pod : whenDeleted === 'Delete' ? set : undefined;
  const owner = keeper && controllerReferenceTo(keeper);
  let isChanged = false;
  for (const claim of claimsOf(desk, set, pod.metadata.name)) {
    const owners = ownersOf(claim);
    const ours = [set, pod];
    const others = owners.filter((each) => !ours.some((object) => isNamed(each, object)));
    // One of our names and not of ours: what it belongs to is gone or going, and the garbage collector sees to it.
    if (owners.some((each) => ours.some((object) => isNamed(each, object) && each.uid !== object.metadata.uid)))
      continue;
    const isForeign = owner !== undefined && others.some(({ controller }) => controller === true);
    const wanted = isForeign || owner === undefined ? others : [...others, owner];
    if (sameOwners(owners, wanted)) continue;
    if (isForeign) tellConflict(desk, set, claim);
    const ownerReferences = wanted.length === 0 ? null : (wanted as unknown as Json);
    desk.writer.patch(claim, { metadata: { uid: claim.metadata.uid, ownerReferences } });
    isChanged = true;
  }
  return isChanged;
}

/** Whether a claim is of the name of one that `set` makes. */
export function isClaimOf(set: StatefulSet, claim: KubeObject): boolean {
  return (set.spec!.volumeClaimTemplates ?? []).some(({ metadata }) =>
    claim.metadata.name.startsWith(`${metadata?.name ?? ''}-${set.metadata.name}-`),
  );
}

function claimsOf(desk: Desk, set: StatefulSet, pod: string): readonly Claim[] {
  const names = (set.spec!.volumeClaimTemplates ?? []).map(({ metadata }) => `${metadata?.name ?? ''}-${pod}`);
  return names.flatMap((name) => desk.index.get(claims, set.metadata.namespace, name) ?? []);
}

function policyOf({ spec }: StatefulSet): { readonly whenDeleted: string; readonly whenScaled: string } {
  const { whenDeleted = 'Retain', whenScaled = 'Retain' } = spec!.persistentVolumeClaimRetentionPolicy ?? {};
  return { whenDeleted, whenScaled };
}

function ownersOf({ metadata: { ownerReferences = [] } }: Claim): readonly OwnerReference[] {
  return ownerReferences;
}

type Named = Pick<KubeObject, 'apiVersion' | 'kind'> & { readonly metadata: { readonly name: string } };

function isNamed({ apiVersion, kind, name }: OwnerReference, object: Named): boolean {
  return apiVersion === object.apiVersion && kind === object.kind && name === object.metadata.name;
}

function sameOwners(before: readonly OwnerReference[], after: readonly OwnerReference[]): boolean {
  const idOf = ({ uid, controller = false }: OwnerReference) => `${uid} ${controller}`;
  return before.length === after.length && after.every((owner) => before.some((each) => idOf(each) === idOf(owner)));
}

function tellConflict({ events }: Desk, set: StatefulSet, { metadata: { name } }: Claim): void {
  const message = `PersistentVolumeClaim ${name} has a conflicting OwnerReference that acts as a manging controller, the retention policy is ignored for this claim`;
  events.warning(set, 'ConflictingController', message);
}
