import type { LabelSelector } from '../../../imports/k8s.js';
import type { Json, KubeObject } from '../../kube/manifest.js';
import { controllerOf, controllerReferenceTo } from '../../kube/owner-reference.js';
import type { BuiltIn, Live } from './built-in.js';
import type { Desk } from './controller.js';
import { selects } from './label-match.js';

/**
 * The objects of a kind that belong to `owner`: those that it controls and selects. One that it selects and nobody
 * controls is adopted, one that it controls and no longer selects is released. With `finalizer`, one is held by that as long as
 * it belongs to `owner`.
 */
export function claimChildren<T>(
  desk: Desk,
  owner: KubeObject,
  selector: LabelSelector | undefined,
  resource: BuiltIn<T>,
  mayClaim: (child: Live<T>) => boolean = () => true,
  finalizer?: string,
): Live<T>[] {
  const claimed: Live<T>[] = [];
  for (const child of desk.index.list(resource, owner.metadata.namespace!)) {
    const controller = controllerOf(child);
    const isWanted = selects(selector, child.metadata.labels) && mayClaim(child);
    const isGoing = owner.metadata.deletionTimestamp !== undefined;
    if (controller) {
      if (controller.uid !== owner.metadata.uid) continue;
      if (isWanted) claimed.push(child);
      else if (!isGoing) release(desk, owner, child, finalizer);
    } else if (isWanted && !isGoing && child.metadata.deletionTimestamp === undefined) {
      claimed.push(adopt(desk, owner, child, finalizer));
    }
  }
  return claimed;
}

function adopt<T>(desk: Desk, owner: KubeObject, child: Live<T>, finalizer: string | undefined): Live<T> {
  const { uid, finalizers = [] } = child.metadata;
  const others = (child.metadata.ownerReferences ?? []).filter((each) => each.uid !== owner.metadata.uid);
  const ownerReferences = [...others, controllerReferenceTo(owner)] as unknown as Json;
  const isHeld = finalizer === undefined || finalizers.includes(finalizer);
  const held = isHeld ? {} : { finalizers: [...finalizers, finalizer] };
  return desk.writer.patch(child, { metadata: { uid, ownerReferences, ...held } });
}

function release<T>(desk: Desk, owner: KubeObject, child: Live<T>, finalizer: string | undefined): void {
  const { uid, ownerReferences = [], finalizers } = child.metadata;
  const owners = ownerReferences.filter((each) => each.uid !== owner.metadata.uid);
  const held = finalizers?.filter((each) => each !== finalizer);
  desk.writer.patch(child, {
    metadata: {
      uid,
      ownerReferences: owners.length === 0 ? null : (owners as unknown as Json),
      ...(held === undefined ? {} : { finalizers: held.length === 0 ? null : held }),
    },
  });
}
