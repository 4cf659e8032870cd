import type {
  Affinity,
  DaemonSetObject,
  NodeSelectorRequirement,
  PodTemplateSpec,
  Toleration,
} from '../../../imports/k8s.js';
import type { Live } from './built-in.js';
import { revisionHash } from './controller-revisions.js';
import type { Pod } from './pod-state.js';

const generationLabel = 'deprecated.daemonset.template.generation';
/** A Node in trouble keeps its daemons: https://kubernetes.io/docs/concepts/workloads/controllers/daemonset/#taints-and-tolerations */
const tolerated = [
  ['not-ready', 'NoExecute'],
  ['unreachable', 'NoExecute'],
  ['disk-pressure', 'NoSchedule'],
  ['memory-pressure', 'NoSchedule'],
  ['pid-pressure', 'NoSchedule'],
  ['unschedulable', 'NoSchedule'],
] as const;

/** The template of a DaemonSet as its Pods have it. */
export function daemonTemplate({ metadata, spec }: Live<DaemonSetObject>, hash: string): PodTemplateSpec {
  const { template } = spec!;
  const generation = metadata.annotations?.[generationLabel];
  const ours: Toleration[] = tolerated.map(([key, effect]) => ({
    key: `node.kubernetes.io/${key}`,
    operator: 'Exists',
    effect,
  }));
  if (template.spec?.hostNetwork) {
    ours.push({ key: 'node.kubernetes.io/network-unavailable', operator: 'Exists', effect: 'NoSchedule' });
  }
  const theirs = template.spec?.tolerations ?? [];
  const isTheirs = (one: Toleration) => theirs.some((each) => each.key === one.key && each.effect === one.effect);
  return {
    ...template,
    metadata: {
      ...template.metadata,
      labels: {
        ...template.metadata?.labels,
        ...(generation === undefined ? {} : { 'pod-template-generation': generation }),
        [revisionHash]: hash,
      },
    },
    spec: { ...template.spec!, tolerations: [...theirs, ...ours.filter((each) => !isTheirs(each))] },
  };
}

/** The scheduler puts the Pod there, and nowhere else. */
export function meantFor(node: string, affinity: Affinity = {}): Affinity {
  const matchFields: readonly NodeSelectorRequirement[] = [{ key: 'metadata.name', operator: 'In', values: [node] }];
  return {
    ...affinity,
    nodeAffinity: {
      ...affinity.nodeAffinity,
      requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchFields }] },
    },
  };
}

/** On which Node a Pod is, or for which it is meant. */
export function nodeOf({ spec }: Pod): string {
  if (spec?.nodeName) return spec.nodeName;
  const required = spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  for (const { matchFields = [] } of required?.nodeSelectorTerms ?? []) {
    const field = matchFields.find(({ key, values }) => key === 'metadata.name' && values?.length === 1);
    if (field) return field.values![0]!;
  }
  return '';
}
