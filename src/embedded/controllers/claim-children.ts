import type { LabelSelector } from '../../../imports/k8s.js';
import type { Json, KubeObject } from '../../kube/manifest.js';
import { controllerOf, controllerReferenceTo } from '../../kube/owner-reference.js';
import type { BuiltIn, Live } from './built-in.js';
import type { Desk } from './controller.js';
import { selects } from './label-match.js';

/**
 * The objects of a kind that belong to `owner`: those that it controls and selects. One that it selects and nobody
 * controls is adopted, one that it controls and no longer selects is released.
 */
export function claimChildren<T>(
  desk: Desk,
  owner: KubeObject,
  selector: LabelSelector | undefined,
  resource: BuiltIn<T>,
  mayClaim: (child: Live<T>) => boolean = () => true,
): Live<T>[] {
  const claimed: Live<T>[] = [];
  for (const child of desk.index.list(resource, owner.metadata.namespace!)) {
    const controller = controllerOf(child);
    const isWanted = selects(selector, child.metadata.labels) && mayClaim(child);
    const isGoing = owner.metadata.deletionTimestamp !== undefined;
    if (controller) {
      if (controller.uid !== owner.metadata.uid) continue;
      if (isWanted) claimed.push(child);
      else if (!isGoing) release(desk, owner, child);
    } else if (isWanted && !isGoing && child.metadata.deletionTimestamp === undefined) {
      claimed.push(adopt(desk, owner, child));
    }
  }
  return claimed;
}

function adopt<T>(desk: Desk, owner: KubeObject, child: Live<T>): Live<T> {
  const others = (child.metadata.ownerReferences ?? []).filter(({ uid }) => uid !== owner.metadata.uid);
  const ownerReferences = [...others, controllerReferenceTo(owner)] as unknown as Json;
  return desk.writer.patch(child, { metadata: { uid: child.metadata.uid, ownerReferences } });
}

function release<T>(desk: Desk, owner: KubeObject, child: Live<T>): void {
  const left = (child.metadata.ownerReferences ?? []).filter(({ uid }) => uid !== owner.metadata.uid);
  const ownerReferences = left.length === 0 ? null : (left as unknown as Json);
  desk.writer.patch(child, { metadata: { uid: child.metadata.uid, ownerReferences } });
}
