import type { FieldsV1 } from '../../kube/manifest.js';
import { storeAtStart } from '../at-start.js';
import type { Engine } from '../engine.js';

interface SystemPriorityClass {
  readonly name: string;
  readonly value: number;
  readonly description: string;
}

/** https://kubernetes.io/docs/tasks/administer-cluster/guaranteed-scheduling-critical-addon-pods/ */
const all: readonly SystemPriorityClass[] = [
  {
    name: 'system-node-critical',
    value: 2_000_001_000,
    description: 'Used for system critical pods that must not be moved from their current node.',
  },
  {
    name: 'system-cluster-critical',
    value: 2_000_000_000,
    description:
      'Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.',
  },
];

const fieldsV1 = { 'f:description': {}, 'f:preemptionPolicy': {}, 'f:value': {} } as FieldsV1;

export const priorityClassStorage = 'priorityclasses.scheduling.k8s.io';

export function systemPriorityClass(name: string): SystemPriorityClass | undefined {
  return all.find((each) => each.name === name);
}

/** They are there before anybody asks, and cannot be deleted. */
export function bootstrapPriorityClasses(engine: Engine): void {
  for (const { name, value, description } of all) {
    const metadata = { name, generation: 1 };
    const preemptionPolicy = 'PreemptLowerPriority';
    const manifest = {
      apiVersion: 'scheduling.k8s.io/v1',
      kind: 'PriorityClass',
      metadata,
      value,
      description,
      preemptionPolicy,
    };
    storeAtStart(engine, priorityClassStorage, manifest, fieldsV1);
  }
}
