import { isReady, type Pod, readyCondition, restartsOf } from './pod-state.js';

const phases = ['Pending', 'Unknown', 'Running'];
const deletionCost = 'controller.kubernetes.io/pod-deletion-cost';

/**
 * Pods in the order in which a ReplicaSet lets go of them: https://kubernetes.io/docs/concepts/workloads/controllers/replicaset/#scaling-a-replicaset
 *
 * `related` are those that count when a Node has several. Where nothing else tells two apart, the name does.
 */
export function byWorth(pods: readonly Pod[], related: readonly Pod[], now: number): readonly Pod[] {
  const onNode = new Map<string, number>();
  for (const { spec } of related) {
    if (spec?.nodeName) onNode.set(spec.nodeName, (onNode.get(spec.nodeName) ?? 0) + 1);
  }
  const worth = (pod: Pod): readonly number[] => {
    const { nodeName = '' } = pod.spec ?? {};
    const ready = readyCondition(pod)?.lastTransitionTime;
    const { annotations, creationTimestamp } = pod.metadata;
    return [
      nodeName === '' ? 0 : 1,
      phases.indexOf(pod.status?.phase ?? 'Pending'),
      isReady(pod) ? 1 : 0,
      Number(annotations?.[deletionCost] ?? 0) || 0,
      -(onNode.get(nodeName) ?? 0),
      isReady(pod) && ready !== undefined ? magnitude(now - Date.parse(ready)) : 0,
      -restartsOf(pod),
      creationTimestamp === undefined ? 0 : magnitude(now - Date.parse(creationTimestamp)),
    ];
  };
  return pods
    .map((pod) => ({ pod, worth: worth(pod) }))
    .sort((a, b) => {
      const index = a.worth.findIndex((each, at) => each !== b.worth[at]);
      return index < 0 ? (a.pod.metadata.name < b.pod.metadata.name ? -1 : 1) : a.worth[index]! - b.worth[index]!;
    })
    .map(({ pod }) => pod);
}

/** Ages count by their magnitude alone. */
function magnitude(milliseconds: number): number {
  return milliseconds < 1 ? 0 : Math.floor(Math.log2(milliseconds * 1e6));
}
