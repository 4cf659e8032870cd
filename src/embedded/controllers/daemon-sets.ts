import type { DaemonSetObject, DaemonSetStatus, PodTemplateSpec } from '../../../imports/k8s.js';
import type { Json } from '../../kube/manifest.js';
import { equal } from '../fields/field-type.js';
import type { Revision } from '../object-store.js';
import { daemonSets, type Live, nodes, pods } from './built-in.js';
import { claimChildren } from './claim-children.js';
import { addressOf, type Controller, type Desk, keyOf, type Queue } from './controller.js';
import { forgetRevisions, latestRevision, revisionHash, revisionsOf } from './controller-revisions.js';
import { nonZero, share } from './counts.js';
import { daemonTemplate, meantFor, nodeOf } from './daemon-pods.js';
import { isSelected, type Node, untolerated } from './node-fit.js';
import { parentsOf } from './parents-of.js';
import { createPod, deletePod, podFrom } from './pod-from-template.js';
import { isAvailable, isFinished, isReady, isTerminating, type Pod, untilAvailable } from './pod-state.js';

type DaemonSet = Live<DaemonSetObject>;

/** A DaemonSet with its Pods, by the Node that each is on or meant for. */
interface Sync {
  readonly set: DaemonSet;
  readonly template: PodTemplateSpec;
  readonly hash: string;
  readonly nodes: readonly Node[];
  readonly onNode: ReadonlyMap<string, readonly Pod[]>;
}

/** https://kubernetes.io/docs/concepts/workloads/controllers/daemonset/ */
export class DaemonSets implements Controller {
  readonly name = 'daemon-sets';
  readonly hears = [daemonSets.storage, pods.storage, nodes.storage];

  constructor(private readonly desk: Desk) {}

  observe(change: Revision, queue: Queue): void {
    if (change.resource === daemonSets.storage) queue.add(keyOf(change.object));
    else if (change.resource === pods.storage) {
      for (const parent of parentsOf(this.desk, change, daemonSets)) queue.add(parent);
    } else if (change.before === undefined || change.type === 'DELETED' || isOtherNode(change)) {
      for (const set of this.desk.index.all(daemonSets)) queue.add(keyOf(set));
    }
  }

  reconcile(key: string, queue: Queue): void {
    const { namespace, name } = addressOf(key);
    const set = this.desk.index.get(daemonSets, namespace, name);
    if (!set || isTerminating(set)) return;
    const history = revisionsOf(this.desk, set);
    const { collisionCount = 0 } = set.status ?? {};
    const { latest, collisions } = latestRevision(
      this.desk,
      set,
      history,
      collisionCount,
      set.metadata.annotations,
      revisionHash,
    );
    const hash = latest.metadata.labels?.[revisionHash] ?? '';
    const sync = (): Sync => this.#look(set, hash);
    this.#place(sync());
    if (set.spec!.updateStrategy?.type !== 'OnDelete') this.#roll(sync());
    const seen = sync();
    const used = new Set([
      hash,
      ...[...seen.onNode.values()].flat().map(({ metadata }) => metadata.labels?.[revisionHash]),
    ]);
    const isLive = ({ metadata }: { metadata: { labels?: Readonly<Record<string, string>> } }) =>
      used.has(metadata.labels?.[revisionHash]);
    forgetRevisions(this.desk, history, isLive, set.spec!.revisionHistoryLimit ?? 10);
    this.#updateStatus(seen, collisions, queue);
  }

  #look(set: DaemonSet, hash: string): Sync {
    const onNode = new Map<string, Pod[]>();
    for (const pod of claimChildren(this.desk, set, set.spec!.selector, pods)) {
      const node = nodeOf(pod);
      onNode.set(node, [...(onNode.get(node) ?? []), pod]);
    }
    for (const all of onNode.values()) all.sort(byAge);
    return { set, template: daemonTemplate(set, hash), hash, nodes: this.desk.index.all(nodes), onNode };
  }

  /** One Pod on each Node where there should be one, and none elsewhere. */
  #place(sync: Sync): void {
    const known = new Set(sync.nodes.map(({ metadata }) => metadata.name));
    for (const node of sync.nodes) {
      const all = sync.onNode.get(node.metadata.name) ?? [];
      const alive = all.filter((pod) => !isTerminating(pod));
      const finished = alive.filter(isFinished);
      const running = alive.filter((pod) => !isFinished(pod));
      if (!this.#mayStay(sync, node)) {
        for (const pod of alive) deletePod(this.desk, sync.set, pod);
        continue;
      }
      for (const pod of finished) this.#replace(sync, node, pod);
      if (this.#surge(sync) === 0) for (const pod of running.slice(1)) deletePod(this.desk, sync.set, pod);
      if (this.#shouldRun(sync, node) && (all.length === 0 || (this.#surge(sync) > 0 && running.length === 0))) {
        this.#create(sync, node.metadata.name);
      }
    }
    for (const [node, all] of sync.onNode) {
      if (known.has(node)) continue;
      for (const pod of all) if (!isTerminating(pod) && !pod.spec?.nodeName) deletePod(this.desk, sync.set, pod);
    }
  }

  #roll(sync: Sync): void {
    const { set, onNode, hash } = sync;
    const isUp = (pod: Pod | undefined) =>
      pod !== undefined && isAvailable(pod, set.spec!.minReadySeconds, this.desk.clock.now());
    const desired = sync.nodes.filter((node) => this.#shouldRun(sync, node)).length;
    const surge = this.#surge(sync);
    const pairs = [...onNode].map(([node, all]) => {
      const alive = all.filter((pod) => !isTerminating(pod));
      const isNew = (pod: Pod) => pod.metadata.labels?.[revisionHash] === hash;
      return { node, latest: alive.find(isNew), old: alive.find((pod) => !isNew(pod)) };
    });
    if (surge === 0) {
      const { maxUnavailable } = set.spec!.updateStrategy?.rollingUpdate ?? {};
      let room = share(maxUnavailable ?? 1, desired, 'up');
      for (const { latest, old } of pairs) if (latest ? !isUp(latest) : !isUp(old)) room--;
      for (const { latest, old } of pairs) {
        if (!old || latest) continue;
        // What does not work is no loss.
        if (isUp(old)) if (room-- <= 0) continue;
        deletePod(this.desk, set, old);
      }
      return;
    }
    let room = surge - pairs.filter(({ latest, old }) => latest && old && !isUp(latest)).length;
    for (const { node, latest, old } of pairs) {
      if (!old) continue;
      if (latest) {
        if (isUp(latest) || !isReady(old)) deletePod(this.desk, set, old);
      } else if (!isUp(old) || room-- > 0) this.#create(sync, node);
    }
  }

  #create({ set, template }: Sync, node: string): void {
    const pod = podFrom(template, set);
    createPod(this.desk, set, {
      ...pod,
      metadata: { ...pod.metadata, ...{ generateName: `${set.metadata.name}-` } },
      ...(pod.spec ? { spec: { ...pod.spec, affinity: meantFor(node, pod.spec.affinity) } } : {}),
    });
  }

  #replace({ set }: Sync, { metadata: { name: node } }: Node, pod: Pod): void {
    const { namespace, name } = pod.metadata;
    const hasFailed = pod.status?.phase === 'Failed';
    const found = `Found ${hasFailed ? 'failed' : 'succeeded'} daemon pod ${namespace}/${name} on node ${node}`;
    if (hasFailed) this.desk.events.warning(set, 'FailedDaemonPod', `${found}, will try to kill it`);
    else this.desk.events.normal(set, 'SucceededDaemonPod', `${found}, will try to delete it`);
    deletePod(this.desk, set, pod);
  }

  #surge({ set, nodes }: Sync): number {
    return share(set.spec!.updateStrategy?.rollingUpdate?.maxSurge, nodes.length, 'up');
  }

  #shouldRun({ template }: Sync, node: Node): boolean {
    return isSelected(template.spec!, node) && untolerated(template.spec!, node) === undefined;
  }

  /** A taint that only keeps new Pods away leaves those that are there. */
  #mayStay({ template }: Sync, node: Node): boolean {
    return isSelected(template.spec!, node) && untolerated(template.spec!, node, ['NoExecute']) === undefined;
  }

  #updateStatus(sync: Sync, collisions: number, queue: Queue): void {
    const { set, onNode, hash } = sync;
    const firstOn = (node: Node) => onNode.get(node.metadata.name)?.[0];
    const wanted = sync.nodes.filter((node) => this.#shouldRun(sync, node));
    const there = wanted.flatMap((node) => firstOn(node) ?? []);
    const waits = there.map((pod) => untilAvailable(pod, set.spec!.minReadySeconds, this.desk.clock.now()));
    const numberAvailable = waits.filter((wait) => wait === 0).length;
    const status: DaemonSetStatus = {
      currentNumberScheduled: there.length,
      numberMisscheduled: sync.nodes.filter((node) => !wanted.includes(node) && firstOn(node)).length,
      desiredNumberScheduled: wanted.length,
      numberReady: there.filter(isReady).length,
      ...nonZero({
        observedGeneration: set.metadata.generation ?? 0,
        updatedNumberScheduled: there.filter((pod) => pod.metadata.labels?.[revisionHash] === hash).length,
        numberAvailable,
        numberUnavailable: wanted.length - numberAvailable,
        collisionCount: collisions,
      }),
    };
    if (!equal(status as unknown as Json, (set.status ?? {}) as unknown as Json)) {
      this.desk.writer.updateStatus(daemonSets, { ...set, status });
    }
    for (const wait of waits) if (wait !== undefined && wait > 0) queue.addAfter(keyOf(set), wait, true);
  }
}

function byAge({ metadata: a }: Pod, { metadata: b }: Pod): number {
  const [first = '', second = ''] = [a.creationTimestamp, b.creationTimestamp];
  return first === second ? (a.name < b.name ? -1 : 1) : first < second ? -1 : 1;
}

function isOtherNode({ object, before }: Revision): boolean {
  return !equal(placing(object), placing(before!));
}

function placing({ metadata, spec }: Revision['object']): Json {
  return { labels: metadata.labels ?? {}, spec: (spec ?? {}) as Json };
}
