import type { DeploymentCondition, DeploymentStatus } from '../../../imports/k8s.js';
import type { Json } from '../../kube/manifest.js';
import { equal } from '../fields/field-type.js';
import { conditionOf, withCondition, withoutCondition } from './conditions.js';
import { keyOf, type Queue } from './controller.js';
import { nonZero } from './counts.js';
import { type Rollout, sumOf } from './rollout.js';

/** What the ReplicaSets add up to. */
function countedStatus(rollout: Rollout): DeploymentStatus {
  const { deployment, all, current } = rollout;
  const { conditions, collisionCount } = deployment.status ?? {};
  const availableReplicas = sumOf(all, ({ status }) => status?.availableReplicas);
  const isEnough = availableReplicas >= rollout.replicas - rollout.maxUnavailable;
  const available = isEnough
    ? rollout.condition('Available', 'True', 'MinimumReplicasAvailable', 'Deployment has minimum availability.')
    : rollout.condition(
        'Available',
        'False',
        'MinimumReplicasUnavailable',
        'Deployment does not have minimum availability.',
      );
  const counts = nonZero({
    observedGeneration: deployment.metadata.generation ?? 0,
    replicas: sumOf(all, ({ status }) => status?.replicas),
    updatedReplicas: current?.status?.replicas ?? 0,
    readyReplicas: sumOf(all, ({ status }) => status?.readyReplicas),
    availableReplicas,
    unavailableReplicas: Math.max(0, sumOf(all, ({ spec }) => spec?.replicas ?? 1) - availableReplicas),
  });
  const isTold = all.every(({ status }) => status?.terminatingReplicas !== undefined);
  return {
    ...counts,
    ...(isTold ? { terminatingReplicas: sumOf(all, ({ status }) => status?.terminatingReplicas) } : {}),
    ...(collisionCount === undefined ? {} : { collisionCount }),
    conditions: withCondition(conditions, available),
  };
}

/** Writes the counts, without a word on progress: while a Deployment is paused, scaled or deleted. */
export function syncCounts(rollout: Rollout): void {
  writeIfChanged(rollout, countedStatus(rollout));
}

/** Writes the counts and how the roll-out gets on. */
export function syncProgress(rollout: Rollout, queue: Queue): void {
  let status = countedStatus(rollout);
  if (!rollout.hasDeadline) status = { ...status, conditions: withoutCondition(status.conditions, 'Progressing') };
  else if (!isDone(rollout, status)) status = { ...status, conditions: progressed(rollout, status) };
  const failure = failureOf(rollout);
  const conditions = failure
    ? withCondition(status.conditions, failure)
    : withoutCondition(status.conditions, 'ReplicaFailure');
  status = { ...status, conditions };
  if (!writeIfChanged(rollout, status)) lookAgainAtDeadline(rollout, queue);
}

export function isComplete({ replicas, deployment }: Rollout, status: DeploymentStatus = {}): boolean {
  const { updatedReplicas = 0, replicas: actual = 0, availableReplicas = 0, observedGeneration = 0 } = status;
  const hasAll = [updatedReplicas, actual, availableReplicas].every((count) => count === replicas);
  return hasAll && observedGeneration >= (deployment.metadata.generation ?? 0);
}

/** Once the newest ReplicaSet was complete, what happens to its Pods is no progress of a roll-out. */
function isDone({ progressing }: Rollout, { replicas, updatedReplicas }: DeploymentStatus): boolean {
  return (replicas ?? 0) === (updatedReplicas ?? 0) && progressing?.reason === 'NewReplicaSetAvailable';
}

function progressed(rollout: Rollout, status: DeploymentStatus): readonly DeploymentCondition[] {
  const { deployment, current, progressing } = rollout;
  const who = current ? `ReplicaSet "${current.metadata.name}"` : `Deployment "${deployment.metadata.name}"`;
  const condition = (value: string, reason: string, did: string) =>
    rollout.condition('Progressing', value, reason, `${who} ${did}.`);
  if (isComplete(rollout, status)) {
    return withCondition(status.conditions, condition('True', 'NewReplicaSetAvailable', 'has successfully progressed'));
  }
  if (isProgress(deployment.status ?? {}, status)) {
    const latest = condition('True', 'ReplicaSetUpdated', 'is progressing');
    const { lastTransitionTime } = progressing?.status === 'True' ? progressing : latest;
    // In place of an earlier one with the same reason, so that the deadline counts from now.
    return [...withoutCondition(status.conditions, 'Progressing'), { ...latest, lastTransitionTime }];
  }
  if (isTimedOut(rollout, status)) {
    return withCondition(
      status.conditions,
      condition('False', 'ProgressDeadlineExceeded', 'has timed out progressing'),
    );
  }
  return status.conditions ?? [];
}

function isProgress(before: DeploymentStatus, after: DeploymentStatus): boolean {
  const grew = (['updatedReplicas', 'readyReplicas', 'availableReplicas'] as const).some(
    (count) => (after[count] ?? 0) > (before[count] ?? 0),
  );
  const outdated = ({ replicas = 0, updatedReplicas = 0 }: DeploymentStatus) => replicas - updatedReplicas;
  return grew || outdated(after) < outdated(before);
}

function isTimedOut({ deployment, desk }: Rollout, status: DeploymentStatus): boolean {
  const condition = conditionOf(status.conditions, 'Progressing');
  if (!condition || condition.reason === 'NewReplicaSetAvailable') return false;
  if (condition.reason === 'ProgressDeadlineExceeded') return true;
  return deadlineOf(condition, deployment.spec!.progressDeadlineSeconds!) < desk.clock.now();
}

function lookAgainAtDeadline(rollout: Rollout, queue: Queue): void {
  const { progressing, deployment, desk } = rollout;
  if (!rollout.hasDeadline || !progressing || progressing.reason === 'ProgressDeadlineExceeded') return;
  if (isComplete(rollout, deployment.status) || isDone(rollout, deployment.status ?? {})) return;
  const left = deadlineOf(progressing, deployment.spec!.progressDeadlineSeconds!) - desk.clock.now();
  queue.addAfter(keyOf(deployment), Math.max(0, left) + 1000);
}

function deadlineOf({ lastUpdateTime }: DeploymentCondition, seconds: number): number {
  return Date.parse(lastUpdateTime ?? '') + seconds * 1000;
}

function failureOf({ current, all }: Rollout): DeploymentCondition | undefined {
  for (const set of current ? [current, ...all] : all) {
    const failure = conditionOf(set.status?.conditions, 'ReplicaFailure');
    if (failure) return { ...failure, lastUpdateTime: failure.lastTransitionTime };
  }
  return undefined;
}

function writeIfChanged(rollout: Rollout, status: DeploymentStatus): boolean {
  const isSame = equal(status as unknown as Json, (rollout.deployment.status ?? {}) as unknown as Json);
  if (!isSame) rollout.writeStatus(status);
  return !isSame;
}
