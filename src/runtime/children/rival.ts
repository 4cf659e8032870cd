import { mayBeCut } from '../../compose/label-value.js';
import type { Step } from '../../drift/plan.js';
import type { Refusal } from '../../drift/refusal.js';
import { isSameKind } from '../../kube/api-resource.js';
import type { KubeObject } from '../../kube/manifest.js';
import { keyOf, refOf } from '../../kube/object-ref.js';
import { ownerLabels } from '../../kube/owner-labels.js';
import { controllerOf } from '../../kube/owner-reference.js';
import type { WatchedKind } from '../informer/watched-kind.js';

/** What a child that is refused waits for: that what has its name goes, or that whose that is goes. */
export function waitedFor({ observed, rival }: Refusal): readonly string[] {
  return [keyOf(refOf(observed)), ...(rival ? [rival.uid] : [])];
}

/** The objects that have the names of children, and are not ours to touch. */
export function inTheWayOf(steps: readonly Step[]): readonly KubeObject[] {
  return steps.flatMap((step) => (step.type === 'refuse' ? step.observed : []));
}

/** What others may wait for, where something becomes of `object`. */
export function thingsOf(object: KubeObject): readonly string[] {
  return [keyOf(refOf(object)), object.metadata.uid];
}

/** Where custom resources are looked up. */
type Custom = Pick<WatchedKind, 'resource' | 'get' | 'list'>;

/** `steps`, with what becomes of those among `custom` that have what is refused. */
export function withRivals(steps: readonly Step[], custom: Custom): Step[] {
  return steps.map((step) => (step.type === 'refuse' ? withRival(step, custom) : step));
}

/** `refusal`, with what becomes of the one among `custom` that has what is refused, where it is one of these. */
export function withRival(refusal: Refusal, custom: Custom): Refusal {
  const { namespace, labels = {} } = refusal.observed.metadata;
  const { resource } = custom;
  const controller = controllerOf(refusal.observed);
  if (controller && !isSameKind(controller, resource)) return refusal;
  const named = ownerLabels(resource);
  // No reference reaches out of a namespace.
  const home = controller ? (resource.namespaced ? namespace : undefined) : labels[named.namespace];
  const { uid, name = '' } = controller ?? { uid: labels[named.uid], name: labels[named.name] };
  if (uid === undefined) return refusal;
  const isOwner = (each: KubeObject | undefined) => each?.metadata.uid === uid;
  const isByName = controller !== undefined || !mayBeCut(name);
  const candidates = isByName ? [custom.get(home, name)] : custom.list(home === undefined ? {} : { namespace: home });
  const owner = candidates.find(isOwner);
  const isGone = owner === undefined;
  const isEnding = owner?.metadata.deletionTimestamp !== undefined;
  // What only labels bind to one that is gone is left for good: no garbage collector reads them.
  const isLeft = refusal.isLeft || (isGone && controller !== undefined);
  return { ...refusal, isLeft, rival: { uid, isThere: !isGone, isEnding } };
}
