import type { NodeSelectorTerm } from '../../../imports/k8s.js';
import { labelValue } from '../../schema/name-formats.js';
import type { Unchecked } from './unchecked.js';

/** Labels of nodes that have another name today, and what the server says of them. */
const oldLabels: Readonly<Record<string, string>> = {
  'beta.kubernetes.io/arch': 'deprecated since v1.14; use "kubernetes.io/arch" instead',
  'beta.kubernetes.io/os': 'deprecated since v1.14; use "kubernetes.io/os" instead',
  'failure-domain.beta.kubernetes.io/region': 'deprecated since v1.17; use "topology.kubernetes.io/region" instead',
  'failure-domain.beta.kubernetes.io/zone': 'deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
  'beta.kubernetes.io/instance-type': 'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead',
  'app.kubernetes.io/created-by': 'deprecated since v1.9',
  'scheduler.alpha.kubernetes.io/preferAvoidPods': 'deprecated since v1.22; use Taints and Tolerations instead',
  'node-role.kubernetes.io/master': 'use "node-role.kubernetes.io/control-plane" instead',
};

export function oldNodeLabel(label: string): string | undefined {
  return Object.hasOwn(oldLabels, label) ? oldLabels[label] : undefined;
}

/** Advice on where nodes are chosen. */
export function nodeTermWarnings(
  path: string,
  { matchExpressions = [] }: Unchecked<NodeSelectorTerm>,
  { judgesValues }: { readonly judgesValues: boolean },
): readonly string[] {
  return matchExpressions.flatMap(({ key = '', values = [] }, index) => {
    const at = `${path}.matchExpressions[${index}]`;
    const message = oldNodeLabel(key);
    const bad = (value: string, each: number) =>
      labelValue(value).map((fault) => `${at}.values[${each}]: ${value} is invalid, ${fault}`);
    return [...(message ? [`${at}.key: ${key} is ${message}`] : []), ...(judgesValues ? values.flatMap(bad) : [])];
  });
}
