import type { DeleteOptions } from '../../client/cluster.js';
import type { KubeObject } from '../../kube/manifest.js';
import type { ServedKind } from '../kinds/served-kind.js';

const orphan = 'orphan';
const foreground = 'foregroundDeletion';

/** True when an update leaves an object that is being deleted with nothing to wait for. */
export function isDone(kind: ServedKind, next: KubeObject, live: KubeObject): boolean {
  if ((next.metadata.finalizers?.length ?? 0) > 0 || live.metadata.deletionTimestamp === undefined) return false;
  const { deletionGracePeriodSeconds = 0 } = live.metadata;
  return deletionGracePeriodSeconds === 0 && !isHeldBySpec(kind, next);
}

/** A namespace also waits until its content is gone, which its spec says. */
export function isHeldBySpec(kind: ServedKind, object: KubeObject): boolean {
  if (kind.storage !== 'namespaces') return false;
  return ((object['spec'] as { finalizers?: readonly string[] } | undefined)?.finalizers?.length ?? 0) > 0;
}

/**
 * The finalizers of an object after a deletion that asks for `propagationPolicy`: those of the garbage collector are
 * exchanged for the one that the policy needs.
 *
 * https://kubernetes.io/docs/concepts/architecture/garbage-collection/#cascading-deletion
 */
export function finalizersFor(
  kind: ServedKind,
  { finalizers = [] }: KubeObject['metadata'],
  { propagationPolicy }: DeleteOptions,
): readonly string[] {
  const others = finalizers.filter((name) => name !== orphan && name !== foreground);
  // Nothing depends on an event.
  if (kind.storage === 'events') return others;
  switch (propagationPolicy ?? policyOf(kind, finalizers)) {
    case 'Orphan':
      return [...others, orphan];
    case 'Foreground':
      return [...others, foreground];
    default:
      return others;
  }
}

/** Without a policy, the first finalizer of the garbage collector that is there decides, then the kind. */
function policyOf(kind: ServedKind, finalizers: readonly string[]): DeleteOptions['propagationPolicy'] {
  const said = finalizers.find((name) => name === orphan || name === foreground);
  if (said !== undefined) return said === orphan ? 'Orphan' : 'Foreground';
  return kind.rules.defaultPropagation ?? 'Background';
}
