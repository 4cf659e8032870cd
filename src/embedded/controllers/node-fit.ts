import type { NodeObject, NodeSelectorTerm, PodSpec, Taint, Toleration } from '../../../imports/k8s.js';
import { isMet } from '../rules/label-selector.js';
import type { Live } from './built-in.js';
import { hasAll } from './label-match.js';

export type Node = Live<NodeObject>;

/** Undefined when the labels of `node` are what `spec` asks for: https://kubernetes.io/docs/concepts/scheduling-eviction/assign-pod-node/ */
export function isSelected(spec: PodSpec, node: Node): boolean {
  const terms = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
  return (
    hasAll(node.metadata.labels, spec.nodeSelector ?? {}) &&
    (terms === undefined || terms.some((term) => termHolds(term, node)))
  );
}

/** A taint that keeps a Pod away, if there is one: https://kubernetes.io/docs/concepts/scheduling-eviction/taint-and-toleration/ */
export function untolerated(
  spec: PodSpec,
  { spec: { taints = [] } = {} }: Node,
  effects: readonly string[] = ['NoSchedule', 'NoExecute'],
): Taint | undefined {
  return taints.find(
    (taint) => effects.includes(taint.effect) && !spec.tolerations?.some((each) => tolerates(each, taint)),
  );
}

function termHolds({ matchExpressions = [], matchFields = [] }: NodeSelectorTerm, { metadata }: Node): boolean {
  if (matchExpressions.length + matchFields.length === 0) return false;
  const fields = { 'metadata.name': metadata.name };
  return (
    matchExpressions.every((each) => isMet(each, metadata.labels ?? {})) &&
    matchFields.every((each) => isMet(each, fields))
  );
}

function tolerates({ key, operator = 'Equal', value = '', effect }: Toleration, taint: Taint): boolean {
  if (effect && effect !== taint.effect) return false;
  if (key && key !== taint.key) return false;
  if (operator === 'Exists') return true;
  return Boolean(key) && value === (taint.value ?? '');
}
