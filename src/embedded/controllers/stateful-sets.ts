import type { StatefulSetStatus } from '../../../imports/k8s.js';
import type { Json } from '../../kube/manifest.js';
import { equal } from '../fields/field-type.js';
import type { Revision } from '../object-store.js';
import { claims, pods, revisions, statefulSets } from './built-in.js';
import { claimChildren } from './claim-children.js';
import { addressOf, type Controller, type Desk, keyOf, type Queue } from './controller.js';
import {
  type ControllerRevision,
  forgetRevisions,
  latestRevision,
  revisionHash,
  revisionsOf,
  templateOf,
} from './controller-revisions.js';
import { nonZero } from './counts.js';
import { parentsOf } from './parents-of.js';
import { isAvailable, isFinished, isReady, isTerminating, type Pod, untilAvailable } from './pod-state.js';
import { createClaims, isClaimOf, isLeftByEarlierPod, settleClaims } from './stateful-claims.js';
import { createStatefulPod, deleteStatefulPod, nameLabel, ordinalOf, type StatefulSet, say } from './stateful-pods.js';

/** What one look at a StatefulSet works with. */
interface Sync {
  readonly set: StatefulSet;
  readonly current: ControllerRevision;
  readonly update: ControllerRevision;
  /** By ordinal, from the first on. */
  readonly replicas: (Pod | undefined)[];
  /** Those beyond the last ordinal, highest first. */
  readonly condemned: readonly Pod[];
  readonly isOrdered: boolean;
}

/** https://kubernetes.io/docs/concepts/workloads/controllers/statefulset/ */
export class StatefulSets implements Controller {
  readonly name = 'stateful-sets';
  readonly hears = [statefulSets.storage, pods.storage, claims.storage];

  constructor(private readonly desk: Desk) {}

  observe(change: Revision, queue: Queue): void {
    if (change.resource === statefulSets.storage) queue.add(keyOf(change.object));
    else if (change.resource === claims.storage) this.#observeClaim(change, queue);
    else for (const parent of parentsOf(this.desk, change, statefulSets)) queue.add(parent);
  }

  /** A Pod may wait for its claim to be gone. */
  #observeClaim({ type, object }: Revision, queue: Queue): void {
    if (type !== 'DELETED') return;
    const sets = this.desk.index.in(statefulSets.storage, object.metadata.namespace ?? '');
    for (const set of sets.values()) if (isClaimOf(set as StatefulSet, object)) queue.add(keyOf(set));
  }

  reconcile(key: string, queue: Queue): void {
    const { namespace, name } = addressOf(key);
    const set = this.desk.index.get(statefulSets, namespace, name);
    if (!set) return;
    const history = revisionsOf(this.desk, set);
    const isOurs = (pod: Pod) => ordinalOf(set, pod) !== undefined;
    const all = claimChildren(this.desk, set, set.spec!.selector, pods, isOurs);
    const { latest, collisions } = latestRevision(
      this.desk,
      set,
      history,
      set.status?.collisionCount ?? 0,
      set.metadata.annotations,
    );
    const current = history.find((each) => each.metadata.name === set.status?.currentRevision) ?? latest;
    const sync = this.#syncOf(set, current, latest, all);
    try {
      if (!isTerminating(set)) this.#act(sync);
    } finally {
      const alive = this.desk.index.controlledBy(set, pods).filter(isOurs);
      this.#updateStatus(sync, alive, collisions);
      const live = new Set([current, latest].map(({ metadata }) => metadata.name));
      for (const pod of alive) live.add(pod.metadata.labels?.[revisionHash] ?? '');
      const isLive = ({ metadata }: ControllerRevision) => live.has(metadata.name);
      forgetRevisions(
        this.desk,
        this.desk.index.controlledBy(set, revisions),
        isLive,
        set.spec!.revisionHistoryLimit ?? 10,
      );
      const waits = alive.map((pod) => untilAvailable(pod, set.spec!.minReadySeconds, this.desk.clock.now()) ?? 0);
      for (const wait of waits) if (wait > 0) queue.addAfter(key, wait, true);
    }
  }

  #syncOf(set: StatefulSet, current: ControllerRevision, update: ControllerRevision, all: readonly Pod[]): Sync {
    const { replicas = 1, ordinals, podManagementPolicy } = set.spec!;
    const first = ordinals?.start ?? 0;
    const wanted: (Pod | undefined)[] = Array.from({ length: replicas });
    const condemned: Pod[] = [];
    for (const pod of all) {
      const index = ordinalOf(set, pod)! - first;
      if (index >= 0 && index < replicas) wanted[index] = pod;
      else condemned.push(pod);
    }
    condemned.sort((a, b) => ordinalOf(set, b)! - ordinalOf(set, a)!);
    return { set, current, update, replicas: wanted, condemned, isOrdered: podManagementPolicy !== 'Parallel' };
  }

  #act(sync: Sync): void {
    const broken = [...sync.replicas, ...sync.condemned.toReversed()].find(
      (pod) => pod === undefined || !this.#isAvailable(sync, pod) || isTerminating(pod),
    );
    for (let index = 0; index < sync.replicas.length; index++) if (this.#keep(sync, index)) return;
    for (const pod of sync.condemned) settleClaims(this.desk, sync.set, pod, true);
    for (const pod of sync.condemned) {
      if (isTerminating(pod)) {
        if (sync.isOrdered) return;
        continue;
      }
      if (sync.isOrdered && !this.#isAvailable(sync, pod) && pod !== broken) return;
      deleteStatefulPod(this.desk, sync.set, pod);
      if (sync.isOrdered) return;
    }
    if (sync.set.spec!.updateStrategy?.type !== 'OnDelete') this.#roll(sync);
  }

  /** Sees to the replica at `index`. True when the others have to wait for it. */
  #keep(sync: Sync, index: number): boolean {
    const { set, isOrdered } = sync;
    const pod = sync.replicas[index];
    if (pod && isFinished(pod)) {
      if (!isTerminating(pod)) deleteStatefulPod(this.desk, set, pod);
      return isOrdered;
    }
    if (!pod) {
      const ordinal = (set.spec!.ordinals?.start ?? 0) + index;
      if (isLeftByEarlierPod(this.desk, set, `${set.metadata.name}-${ordinal}`)) return isOrdered;
      const revision = this.#isOfCurrent(sync, index) ? sync.current : sync.update;
      const created = createStatefulPod(this.desk, set, templateOf(revision), revision.metadata.name, ordinal);
      sync.replicas[index] = created;
      if (created) settleClaims(this.desk, set, created, false);
      return isOrdered;
    }
    if (pod.status?.phase === 'Pending' && !isTerminating(pod)) {
      createClaims(this.desk, set, pod.metadata.name);
      settleClaims(this.desk, set, pod, false);
    }
    if (isOrdered && (isTerminating(pod) || !this.#isAvailable(sync, pod))) return true;
    const isMended = this.#mendIdentity(pod);
    if (settleClaims(this.desk, set, pod, false) || isMended) say(this.desk, set, 'Update', pod.metadata.name);
    return false;
  }

  /** Pods below the partition, or not reached yet by a roll-out, come back as they were. */
  #isOfCurrent({ set }: Sync, index: number): boolean {
    const { updateStrategy } = set.spec!;
    if (updateStrategy?.type === 'OnDelete') return false;
    const { partition } = updateStrategy?.rollingUpdate ?? {};
    return index < (partition ?? set.status?.currentReplicas ?? 0);
  }

  #roll({ set, replicas, update }: Sync): void {
    const { partition = 0 } = set.spec!.updateStrategy?.rollingUpdate ?? {};
    for (let index = replicas.length - 1; index >= partition; index--) {
      const pod = replicas[index];
      if (!pod) return;
      if (pod.metadata.labels?.[revisionHash] !== update.metadata.name && !isTerminating(pod)) {
        deleteStatefulPod(this.desk, set, pod);
        return;
      }
      if (isTerminating(pod) || !isAvailable(pod, set.spec!.minReadySeconds, this.desk.clock.now())) return;
    }
  }

  #isAvailable({ set }: Sync, pod: Pod): boolean {
    return isAvailable(pod, set.spec!.minReadySeconds, this.desk.clock.now());
  }

  #mendIdentity(pod: Pod): boolean {
    if (pod.metadata.labels?.[nameLabel] === pod.metadata.name) return false;
    this.desk.writer.patch(pod, { metadata: { labels: { [nameLabel]: pod.metadata.name } } });
    return true;
  }

  #updateStatus({ set, current, update }: Sync, alive: readonly Pod[], collisionCount: number): void {
    const of = ({ metadata: { name } }: ControllerRevision) =>
      alive.filter((pod) => !isTerminating(pod) && pod.metadata.labels?.[revisionHash] === name).length;
    const { replicas = 1, minReadySeconds, updateStrategy } = set.spec!;
    const ready = alive.filter((pod) => pod.status?.phase === 'Running' && isReady(pod));
    const updatedReplicas = of(update);
    const isRolled =
      updateStrategy?.type !== 'OnDelete' &&
      [updatedReplicas, ready.length, alive.length].every((count) => count === replicas);
    const status: StatefulSetStatus = {
      ...nonZero({
        observedGeneration: set.metadata.generation ?? 0,
        readyReplicas: ready.length,
        currentReplicas: isRolled ? updatedReplicas : of(current),
        updatedReplicas,
      }),
      replicas: alive.length,
      availableReplicas: ready.filter((pod) => isAvailable(pod, minReadySeconds, this.desk.clock.now())).length,
      currentRevision: (isRolled ? update : current).metadata.name,
      updateRevision: update.metadata.name,
      collisionCount,
    };
    if (equal(status as unknown as Json, (set.status ?? {}) as unknown as Json)) return;
    this.desk.writer.updateStatus(statefulSets, { ...set, status });
  }
}
