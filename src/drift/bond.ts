import type { KubeObject, OwnerReference } from '../kube/manifest.js';
import { isControlledBy } from '../kube/owner-reference.js';
import { removalOf } from '../kube/removal.js';
import { appliedHash, outdated } from './hash.js';

/** How the children of a custom resource are bound to it: by a reference, or by labels where they are to outlive it. */
export interface Bond {
  readonly reference: OwnerReference;
  readonly labels: Readonly<Record<string, string>>;
  /** How far the reference reaches. Absent: everywhere. */
  readonly namespace: string | undefined;
  /** True where children outlive their owner, and so cannot have the reference. */
  readonly isOutlived: boolean;
}

/** What of a child says whose it is. */
export interface Rebound {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly ownerReferences: readonly OwnerReference[];
}

/**
 * What has to be written to a child that stays though nobody composes it, so that it is bound as it would be if it were
 * composed. Undefined where it is. Whoever composes it again finds it changed, and applies it.
 */
export function rebound(child: KubeObject, { reference, labels, namespace, isOutlived }: Bond): Rebound | undefined {
  const { labels: given = {}, annotations = {}, ownerReferences = [] } = child.metadata;
  const note = { ...annotations, [appliedHash]: outdated };
  const others = ownerReferences.filter(({ uid }) => uid !== reference.uid);
  const isReferring = isControlledBy(reference, child);
  if (isOutlived) {
    if (!isReferring) return undefined;
    return { labels: { ...given, ...labels }, annotations: note, ownerReferences: others };
  }
  const isReached = namespace === undefined || child.metadata.namespace === namespace;
  if (isReferring || !isReached || removalOf(child) === 'orphan') return undefined;
  const kept = Object.entries(given).filter(([key]) => !Object.hasOwn(labels, key));
  return { labels: Object.fromEntries(kept), annotations: note, ownerReferences: [...others, reference] };
}
