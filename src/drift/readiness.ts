import type { KubeObject } from '../kube/manifest.js';
import { refOf, show } from '../kube/object-ref.js';

/** Whether an object does what it is there for, or what is missing. */
export type Readiness = { readonly ready: true } | { readonly ready: false; readonly message: string };

interface Workload {
  readonly spec?: { readonly replicas?: number; readonly minReadySeconds?: number };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly updatedReplicas?: number;
    readonly availableReplicas?: number;
    readonly readyReplicas?: number;
    readonly replicas?: number;
    readonly desiredNumberScheduled?: number;
    readonly updatedNumberScheduled?: number;
    readonly numberAvailable?: number;
  };
}

const ready: Readiness = { ready: true };

/**
 * The readiness of a child, by the rules of kstatus for those built-in kinds that take time; all others are ready when
 * they exist: https://github.com/kubernetes-sigs/cli-utils/blob/master/pkg/kstatus/README.md
 */
export function readinessOf(object: KubeObject): Readiness {
  const rule = object.apiVersion === 'apps/v1' ? rules[object.kind] : undefined;
  if (!rule) return ready;
  const { status = {} } = object as Workload;
  const subject = show(refOf(object));
  if ((status.observedGeneration ?? 0) < (object.metadata.generation ?? 0)) {
    return { ready: false, message: `${subject} has not been observed by its controller yet` };
  }
  const [have, want, what] = rule(object as Workload);
  return have >= want ? ready : { ready: false, message: `${subject} has ${have} of ${want} ${what}` };
}

const rules: Readonly<Record<string, (object: Workload) => readonly [have: number, want: number, what: string]>> = {
  Deployment: ({ spec = {}, status = {} }) => {
    const want = spec.replicas ?? 1;
    const updated = status.updatedReplicas ?? 0;
    return updated < want
      ? [updated, want, 'updated replicas']
      : [status.availableReplicas ?? 0, want, 'available replicas'];
  },
  StatefulSet: ({ spec = {}, status = {} }) => [status.readyReplicas ?? 0, spec.replicas ?? 1, 'ready replicas'],
  DaemonSet: ({ status = {} }) => {
    const want = status.desiredNumberScheduled ?? 0;
    const updated = status.updatedNumberScheduled ?? 0;
    return updated < want ? [updated, want, 'updated pods'] : [status.numberAvailable ?? 0, want, 'available pods'];
  },
};
