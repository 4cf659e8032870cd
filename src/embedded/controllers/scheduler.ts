import { timestamp } from '../../kube/timestamp.js';
import type { Revision } from '../object-store.js';
import { nodes, pods } from './built-in.js';
import { conditionOf } from './conditions.js';
import { addressOf, type Controller, type Desk, keyOf, type Queue } from './controller.js';
import { isSelected, type Node, untolerated } from './node-fit.js';
import { isFinished, isTerminating, type Pod } from './pod-state.js';

const ours = 'default-scheduler';

/**
 * Puts each Pod on the Node with the fewest, among those that its node selector, affinity to Nodes and tolerations allow.
 * What Pods request of a Node's resources, their affinity to one another and their spread are not looked at.
 *
 * https://kubernetes.io/docs/concepts/scheduling-eviction/
 */
export class Scheduler implements Controller {
  readonly name = 'scheduler';
  readonly hears = [pods.storage, nodes.storage];
  /** How many Pods are on each Node. */
  readonly #load = new Map<string, Set<string>>();
  readonly #unschedulable = new Set<string>();

  constructor(private readonly desk: Desk) {
    for (const pod of desk.index.all(pods)) this.#count(pod, !isFinished(pod));
  }

  observe({ type, resource, object }: Revision, queue: Queue): void {
    if (resource === nodes.storage) {
      for (const key of this.#unschedulable) queue.add(key);
      return;
    }
    const isGone = type === 'DELETED';
    this.#count(object, !isGone && !isFinished(object));
    if (isGone) this.#unschedulable.delete(keyOf(object));
    else if (!(object as Pod).spec?.nodeName) queue.add(keyOf(object));
  }

  reconcile(key: string): void {
    const { namespace, name } = addressOf(key);
    const pod = this.desk.index.get(pods, namespace, name);
    this.#unschedulable.delete(key);
    if (!pod?.spec || pod.spec.nodeName || isTerminating(pod) || isFinished(pod)) return;
    if ((pod.spec.schedulerName ?? ours) !== ours) return;
    if (pod.spec.schedulingGates?.length) return;
    const all = this.desk.index.all(nodes);
    const fitting = all.filter((node) => this.#problem(pod, node) === undefined);
    const loadOf = ({ metadata }: Node) => this.#load.get(metadata.name)?.size ?? 0;
    const [best] = fitting.sort((a, b) => loadOf(a) - loadOf(b));
    if (best) {
      this.desk.writer.bind(pods, pod, best.metadata.name);
      const message = `Successfully assigned ${namespace}/${name} to ${best.metadata.name}`;
      this.desk.events.normal(pod, 'Scheduled', message);
      return;
    }
    this.#unschedulable.add(key);
    this.#tell(pod, all);
  }

  #problem({ spec }: Pod, node: Node): string | undefined {
    if (node.spec?.unschedulable && !toleratesCordon(spec?.tolerations)) return 'node(s) were unschedulable';
    if (!isSelected(spec!, node)) return "node(s) didn't match Pod's node affinity/selector";
    const taint = untolerated(spec!, node);
    return taint ? `node(s) had untolerated taint {${taint.key}: ${taint.value ?? ''}}` : undefined;
  }

  #tell(pod: Pod, all: readonly Node[]): void {
    const counts = new Map<string, number>();
    for (const node of all) {
      const problem = this.#problem(pod, node)!;
      counts.set(problem, (counts.get(problem) ?? 0) + 1);
    }
    const reasons = [...counts].map(([problem, count]) => `${count} ${problem}`).sort();
    const message =
      all.length === 0
        ? 'no nodes available to schedule pods'
        : `0/${all.length} nodes are available: ${reasons.join(', ')}.`;
    const known = conditionOf(pod.status?.conditions, 'PodScheduled');
    if (known?.status === 'False' && known.message === message) return;
    this.desk.events.warning(pod, 'FailedScheduling', message);
    const lastTransitionTime = known?.status === 'False' ? known.lastTransitionTime : timestamp(this.desk.clock.now());
    const condition = { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message, lastTransitionTime };
    const others = (pod.status?.conditions ?? []).filter(({ type }) => type !== 'PodScheduled');
    this.desk.writer.updateStatus(pods, { ...pod, status: { ...pod.status, conditions: [...others, condition] } });
  }

  #count({ metadata, spec }: Pick<Pod, 'metadata' | 'spec'> | Revision['object'], isThere: boolean): void {
    const { nodeName } = (spec ?? {}) as { nodeName?: string };
    if (!nodeName) return;
    const on = this.#load.get(nodeName) ?? new Set();
    this.#load.set(nodeName, on);
    if (isThere) on.add(metadata.uid);
    else on.delete(metadata.uid);
  }
}

function toleratesCordon(tolerations: NonNullable<Pod['spec']>['tolerations']): boolean {
  const taint = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };
  return untolerated({ containers: [], ...(tolerations ? { tolerations } : {}) }, taintedBy(taint)) === undefined;
}

function taintedBy(taint: { readonly key: string; readonly effect: string }): Node {
  return { spec: { taints: [taint] } } as unknown as Node;
}
