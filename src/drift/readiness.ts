import type { KubeObject } from '../kube/manifest.js';
import { refOf, show } from '../kube/object-ref.js';

/** Whether an object does what it is there for, or what is missing. */
export type Readiness = { readonly ready: true } | { readonly ready: false; readonly message: string };

interface Workload {
  readonly spec?: {
    readonly replicas?: number;
    readonly updateStrategy?: { readonly type?: string; readonly rollingUpdate?: { readonly partition?: number } };
  };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly updatedReplicas?: number;
    readonly availableReplicas?: number;
    readonly readyReplicas?: number;
    readonly desiredNumberScheduled?: number;
    readonly updatedNumberScheduled?: number;
    readonly numberAvailable?: number;
  };
}

const ready: Readiness = { ready: true };

/**
 * The readiness of a child, by the rules of kstatus for those built-in kinds that take time; all others are ready when
 * they exist and are there to stay: https://github.com/kubernetes-sigs/cli-utils/blob/master/pkg/kstatus/README.md
 *
 * The message has no counts: it ends in a condition, where each change of words is a write.
 */
export function readinessOf(object: KubeObject): Readiness {
  if (object.metadata.deletionTimestamp !== undefined) {
    return { ready: false, message: `${show(refOf(object))} is being deleted` };
  }
  const isTimed = object.apiVersion === 'apps/v1' && Object.hasOwn(rules, object.kind);
  const isDone = isTimed ? rules[object.kind] : undefined;
  if (!isDone) return ready;
  const { status = {} } = object as Workload;
  const isObserved = (status.observedGeneration ?? 0) >= (object.metadata.generation ?? 0);
  return isObserved && isDone(object as Workload)
    ? ready
    : { ready: false, message: `${show(refOf(object))} is rolling out` };
}

const rules: Readonly<Record<string, (object: Workload) => boolean>> = {
  Deployment: ({ spec = {}, status = {} }) => {
    const want = spec.replicas ?? 1;
    return (status.updatedReplicas ?? 0) >= want && (status.availableReplicas ?? 0) >= want;
  },
  StatefulSet: ({ spec = {}, status = {} }) => {
    const { replicas: want = 1, updateStrategy = {} } = spec;
    // OnDelete replaces Pods when somebody deletes them; a partition keeps those with smaller numbers as they are.
    const kept = updateStrategy.type === 'OnDelete' ? want : (updateStrategy.rollingUpdate?.partition ?? 0);
    return (status.readyReplicas ?? 0) >= want && (status.updatedReplicas ?? 0) >= want - kept;
  },
  DaemonSet: ({ status = {} }) => {
    const want = status.desiredNumberScheduled ?? 0;
    return (status.updatedNumberScheduled ?? 0) >= want && (status.numberAvailable ?? 0) >= want;
  },
};
