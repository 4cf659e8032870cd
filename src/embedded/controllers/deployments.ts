import type { DeploymentObject, ReplicaSetObject } from '../../../imports/k8s.js';
import { controllerOf } from '../../kube/owner-reference.js';
import type { Revision } from '../object-store.js';
import { deployments, type Live, pods, replicaSets } from './built-in.js';
import { claimChildren } from './claim-children.js';
import { withCondition } from './conditions.js';
import { addressOf, type Controller, type Desk, keyOf, type Queue } from './controller.js';
import { isComplete, syncCounts, syncProgress } from './deployment-status.js';
import { parentsOf } from './parents-of.js';
import { isFinished } from './pod-state.js';
import { revisionOf } from './revision-annotations.js';
import { never, Rollout, sumOf } from './rollout.js';
import { scaleInProportion } from './scale-in-proportion.js';

export type Deployment = Live<DeploymentObject>;
export type ReplicaSet = Live<ReplicaSetObject>;

/** https://kubernetes.io/docs/concepts/workloads/controllers/deployment/ */
export class Deployments implements Controller {
  readonly name = 'deployments';
  readonly hears = [deployments.storage, replicaSets.storage, pods.storage];

  constructor(private readonly desk: Desk) {}

  observe(change: Revision, queue: Queue): void {
    if (change.resource === deployments.storage) queue.add(keyOf(change.object));
    else if (change.resource === replicaSets.storage) {
      for (const parent of parentsOf(this.desk, change, deployments)) queue.add(parent);
    } else if (change.type === 'DELETED' || isFinished(change.object)) {
      // Recreate waits for the last Pod to be gone.
      const set = this.desk.index.byUid(controllerOf(change.object)?.uid ?? '')?.object;
      const parent = set && this.desk.index.byUid(controllerOf(set)?.uid ?? '')?.object;
      if (parent?.kind === deployments.kind) queue.add(keyOf(parent));
    }
  }

  reconcile(key: string, queue: Queue): void {
    const { namespace, name } = addressOf(key);
    const deployment = this.desk.index.get(deployments, namespace, name);
    if (!deployment) return;
    const { selector, paused, strategy } = deployment.spec!;
    if (Object.keys({ ...selector.matchLabels }).length + (selector.matchExpressions?.length ?? 0) === 0) {
      const message = 'This deployment is selecting all pods. A non-empty selector is required.';
      this.desk.events.warning(deployment, 'SelectingAll', message);
      return;
    }
    const rollout = new Rollout(this.desk, deployment, claimChildren(this.desk, deployment, selector, replicaSets));
    if (deployment.metadata.deletionTimestamp !== undefined) {
      rollout.syncRevision(false);
      syncCounts(rollout);
      return;
    }
    this.#tellPause(rollout);
    if (!paused) rollout.syncRevision(false);
    if (paused || rollout.isScaledSinceLastSync) this.#resize(rollout);
    else if (strategy?.type === 'Recreate') this.#recreate(rollout, queue);
    else this.#roll(rollout, queue);
  }

  #tellPause(rollout: Rollout): void {
    const { deployment, progressing } = rollout;
    const { paused = false } = deployment.spec!;
    const isTold = progressing?.reason === 'DeploymentPaused';
    if (!rollout.hasDeadline || progressing?.reason === 'ProgressDeadlineExceeded' || paused === isTold) return;
    const condition = paused
      ? rollout.condition('Progressing', 'Unknown', 'DeploymentPaused', 'Deployment is paused')
      : rollout.condition('Progressing', 'Unknown', 'DeploymentResumed', 'Deployment is resumed');
    const conditions = withCondition(deployment.status?.conditions, condition);
    rollout.writeStatus({ ...deployment.status, conditions });
  }

  #resize(rollout: Rollout): void {
    rollout.syncRevision(false);
    scaleInProportion(rollout);
    if (rollout.deployment.spec!.paused) this.#forgetOld(rollout);
    syncCounts(rollout);
  }

  #roll(rollout: Rollout, queue: Queue): void {
    rollout.syncRevision(true);
    const { current, replicas } = rollout;
    const size = current!.spec?.replicas ?? 1;
    const target = size > replicas ? replicas : size === replicas ? size : rollout.sizeOfNew(size);
    if (!rollout.scale(current!, target) && !this.#shrinkOld(rollout)) {
      if (isComplete(rollout, rollout.deployment.status)) this.#forgetOld(rollout);
    }
    syncProgress(rollout, queue);
  }

  /** Takes from the old ReplicaSets what may be missing: Pods that do not work first. */
  #shrinkOld(rollout: Rollout): boolean {
    const sizeOf = ({ spec }: ReplicaSet) => spec?.replicas ?? 1;
    const { replicas, maxUnavailable, current } = rollout;
    if (sumOf(rollout.old, sizeOf) === 0) return false;
    const atLeast = replicas - maxUnavailable;
    const unavailableNew = sizeOf(current!) - (current!.status?.availableReplicas ?? 0);
    let room = sumOf(rollout.all, sizeOf) - atLeast - unavailableNew;
    if (room <= 0) return false;
    let isShrunk = false;
    const shrink = (set: ReplicaSet, by: number) => {
      if (by <= 0) return 0;
      isShrunk = rollout.scale(set, sizeOf(set) - by) || isShrunk;
      return by;
    };
    for (const set of [...rollout.old]) {
      const broken = sizeOf(set) - (set.status?.availableReplicas ?? 0);
      room -= shrink(set, Math.min(room, broken));
    }
    let spare = sumOf(rollout.all, ({ status }) => status?.availableReplicas) - atLeast;
    for (const set of [...rollout.old]) spare -= shrink(set, Math.min(spare, sizeOf(set)));
    return isShrunk;
  }

  #recreate(rollout: Rollout, queue: Queue): void {
    const isScaledDown = [...rollout.old].map((set) => rollout.scale(set, 0)).some(Boolean);
    if (!isScaledDown && !this.#runsOldPods(rollout)) {
      rollout.syncRevision(true);
      rollout.scale(rollout.current!, rollout.replicas);
      if (isComplete(rollout, rollout.deployment.status)) this.#forgetOld(rollout);
    }
    syncProgress(rollout, queue);
  }

  #runsOldPods({ old }: Rollout): boolean {
    if (sumOf(old, ({ status }) => status?.replicas) > 0) return true;
    return old.some((set) => this.desk.index.controlledBy(set, pods).some((pod) => !isFinished(pod)));
  }

  #forgetOld({ old, deployment }: Rollout): void {
    const { revisionHistoryLimit = 10 } = deployment.spec!;
    if (revisionHistoryLimit === never) return;
    const alive = old.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
    const oldest = alive
      .sort((a, b) => revisionOf(a) - revisionOf(b))
      .slice(0, Math.max(0, alive.length - revisionHistoryLimit));
    for (const set of oldest) {
      const { replicas = 0, observedGeneration = 0 } = set.status ?? {};
      const isUsed = replicas !== 0 || set.spec?.replicas !== 0 || (set.metadata.generation ?? 0) > observedGeneration;
      if (!isUsed) this.desk.writer.delete(set);
    }
  }
}
