import type { ReplicaSet } from './deployments.js';
import { desiredReplicas, mostReplicas } from './revision-annotations.js';
import { type Rollout, sumOf } from './rollout.js';

/**
 * Brings a Deployment to a new size outside of a roll-out, or in the middle of one, where each ReplicaSet gets its share:
 * https://kubernetes.io/docs/concepts/workloads/controllers/deployment/#proportional-scaling
 */
export function scaleInProportion(rollout: Rollout): void {
  const { current, replicas } = rollout;
  const active = rollout.all.filter((set) => sizeOf(set) > 0);
  if (active.length <= 1) {
    const only = active[0] ?? current ?? rollout.old.at(-1);
    if (only) rollout.scale(only, replicas);
  } else if (current && isSaturated(current, replicas)) {
    for (const set of active) if (set !== current) rollout.scale(set, 0);
  } else if (rollout.deployment.spec!.strategy?.type === 'RollingUpdate') {
    shareOut(rollout, active);
  }
}

function shareOut(rollout: Rollout, active: readonly ReplicaSet[]): void {
  const { replicas, maxSurge, deployment } = rollout;
  const toAdd = (replicas > 0 ? replicas + maxSurge : 0) - sumOf(active, sizeOf);
  // Largest first; of equals, growth is for the newer and shrinking for the older.
  const bySize = [...active].sort((a, b) => sizeOf(b) - sizeOf(a) || (toAdd > 0 ? byAge(b, a) : byAge(a, b)));
  let added = 0;
  const targets = bySize.map((set) => {
    const before = mostReplicas(set) || deployment.status?.replicas || 0;
    const fraction =
      replicas === 0
        ? -sizeOf(set)
        : before === 0
          ? 0
          : Math.round((sizeOf(set) * (replicas + maxSurge)) / before) - sizeOf(set);
    const left = toAdd - added;
    const part = left === 0 ? 0 : toAdd > 0 ? Math.min(fraction, left) : Math.max(fraction, left);
    added += part;
    return { set, target: sizeOf(set) + part };
  });
  targets.forEach(({ set, target }, index) => {
    rollout.scale(set, index === 0 ? Math.max(0, target + toAdd - added) : target, true);
  });
}

function isSaturated(set: ReplicaSet, replicas: number): boolean {
  const { availableReplicas = 0 } = set.status ?? {};
  return [sizeOf(set), desiredReplicas(set), availableReplicas].every((count) => count === replicas);
}

function sizeOf({ spec }: ReplicaSet): number {
  return spec?.replicas ?? 1;
}

function byAge({ metadata: a }: ReplicaSet, { metadata: b }: ReplicaSet): number {
  const [first = '', second = ''] = [a.creationTimestamp, b.creationTimestamp];
  return first === second ? (a.name < b.name ? -1 : 1) : first < second ? -1 : 1;
}
