import type { ReplicaSetObject, ReplicaSetStatus } from '../../../imports/k8s.js';
import type { Json } from '../../kube/manifest.js';
import { controllerOf } from '../../kube/owner-reference.js';
import { timestamp } from '../../kube/timestamp.js';
import { equal } from '../fields/field-type.js';
import type { Revision } from '../object-store.js';
import { StatusError } from '../status-error.js';
import { type Live, pods, replicaSets } from './built-in.js';
import { claimChildren } from './claim-children.js';
import { conditionOf, withCondition, withoutCondition } from './conditions.js';
import { addressOf, type Controller, type Desk, keyOf, type Queue } from './controller.js';
import { nonZero } from './counts.js';
import { hasAll } from './label-match.js';
import { parentsOf } from './parents-of.js';
import { createPod, deletePod, podFrom } from './pod-from-template.js';
import { isActive, isReady, isTerminating, type Pod, untilAvailable } from './pod-state.js';
import { byWorth } from './pod-worth.js';

type ReplicaSet = Live<ReplicaSetObject>;

/** At most so many Pods come or go in one go. */
const burst = 500;

/** https://kubernetes.io/docs/concepts/workloads/controllers/replicaset/ */
export class ReplicaSets implements Controller {
  readonly name = 'replica-sets';
  readonly hears = [replicaSets.storage, pods.storage];

  constructor(private readonly desk: Desk) {}

  observe(change: Revision, queue: Queue): void {
    if (change.resource === replicaSets.storage) queue.add(keyOf(change.object));
    else for (const parent of parentsOf(this.desk, change, replicaSets)) queue.add(parent);
  }

  reconcile(key: string, queue: Queue): void {
    const { namespace, name } = addressOf(key);
    const set = this.desk.index.get(replicaSets, namespace, name);
    if (!set) return;
    const all = claimChildren(this.desk, set, set.spec?.selector, pods, (pod) => isActive(pod) || isTerminating(pod));
    const active = all.filter(isActive);
    let failure: StatusError | undefined;
    if (!isTerminating(set)) {
      try {
        this.#manage(set, active);
      } catch (error) {
        if (!(error instanceof StatusError)) throw error;
        failure = error;
      }
    }
    this.#updateStatus(set, active, all.filter(isTerminating).length, failure, queue);
    if (failure) throw failure;
  }

  #manage(set: ReplicaSet, active: readonly Pod[]): void {
    const missing = (set.spec?.replicas ?? 1) - active.length;
    for (let count = Math.min(missing, burst); count > 0; count--) {
      const pod = podFrom(set.spec!.template!, set);
      createPod(this.desk, set, { ...pod, metadata: { ...pod.metadata, ...nameOf(set) } });
    }
    if (missing >= 0) return;
    const related = this.#related(set);
    for (const pod of byWorth(active, related, this.desk.clock.now()).slice(0, Math.min(-missing, burst))) {
      deletePod(this.desk, set, pod);
    }
  }

  /** Active Pods of all ReplicaSets of the same controller: where there are many on a Node, one of those goes first. */
  #related(set: ReplicaSet): readonly Pod[] {
    const controller = controllerOf(set);
    const owner = controller && this.desk.index.byUid(controller.uid)?.object;
    const sets = owner ? this.desk.index.controlledBy(owner, replicaSets) : [set];
    return sets.flatMap((each) => this.desk.index.controlledBy(each, pods)).filter(isActive);
  }

  #updateStatus(
    set: ReplicaSet,
    active: readonly Pod[],
    terminatingReplicas: number,
    failure: StatusError | undefined,
    queue: Queue,
  ): void {
    const { replicas = 1, minReadySeconds, template } = set.spec!;
    const labels = template?.metadata?.labels ?? {};
    const waits = active.map((pod) => untilAvailable(pod, minReadySeconds, this.desk.clock.now()));
    let conditions = set.status?.conditions;
    if (!failure) conditions = withoutCondition(conditions, 'ReplicaFailure');
    else if (!conditionOf(conditions, 'ReplicaFailure')) {
      conditions = withCondition(conditions, {
        type: 'ReplicaFailure',
        status: 'True',
        reason: active.length < replicas ? 'FailedCreate' : 'FailedDelete',
        message: failure.message,
        lastTransitionTime: timestamp(this.desk.clock.now()),
      });
    }
    const counts = {
      fullyLabeledReplicas: active.filter((pod) => hasAll(pod.metadata.labels, labels)).length,
      readyReplicas: active.filter(isReady).length,
      availableReplicas: waits.filter((wait) => wait === 0).length,
    };
    const status: ReplicaSetStatus = {
      replicas: active.length,
      ...nonZero(counts),
      terminatingReplicas,
      ...(set.metadata.generation === undefined ? {} : { observedGeneration: set.metadata.generation }),
      ...(conditions === undefined || conditions.length === 0 ? {} : { conditions }),
    };
    if (!equal(status as unknown as Json, (set.status ?? {}) as unknown as Json)) {
      this.desk.writer.updateStatus(replicaSets, { ...set, status });
    }
    const soonest = Math.min(...waits.filter((wait) => wait !== undefined && wait > 0).map(Number));
    if (Number.isFinite(soonest)) queue.addAfter(keyOf(set), soonest, true);
  }
}

/** Names too long to take a suffix are cut by the server. */
function nameOf({ metadata: { name } }: ReplicaSet) {
  return { generateName: `${name}-` };
}
