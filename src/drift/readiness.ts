import { groupKindOf } from '../kube/api-resource.js';
import { isBuiltIn } from '../kube/built-in-groups.js';
import { conditionReason } from '../kube/condition.js';
import type { KubeObject } from '../kube/manifest.js';
import { refOf, show } from '../kube/object-ref.js';

/** Whether an object does what it is there for, or what is missing. */
export type Readiness = { readonly ready: true } | NotReady;

export interface NotReady {
  readonly ready: false;
  readonly message: string;
  /** In one word, where the object says it itself. */
  readonly reason?: string;
  /** It has given up, as kstatus's `Failed` has it: it is not expected to become ready until somebody changes something. */
  readonly isFailed?: boolean;
}

interface ConditionLike {
  readonly type?: string;
  readonly status?: string;
  readonly reason?: string;
  readonly observedGeneration?: number;
}

interface Workload {
  readonly spec?: {
    readonly replicas?: number;
    readonly paused?: boolean;
    readonly updateStrategy?: { readonly type?: string; readonly rollingUpdate?: { readonly partition?: number } };
  };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly replicas?: number;
    readonly updatedReplicas?: number;
    readonly availableReplicas?: number;
    readonly readyReplicas?: number;
    readonly desiredNumberScheduled?: number;
    readonly updatedNumberScheduled?: number;
    readonly numberAvailable?: number;
  };
}

const isReason = new RegExp(conditionReason.pattern);
const ready: Readiness = { ready: true };

/**
 * The readiness of a child, by the rules of kstatus for those built-in kinds that take time, of which a Job has to be complete besides,
 * a Pod not to have failed, and a load balancer to be there; all others are ready when they exist and are there to stay:
 * https://github.com/kubernetes-sigs/cli-utils/blob/master/pkg/kstatus/README.md
 *
 * The message has no counts: it ends in a condition, where each change of words is a write.
 */
export function readinessOf(object: KubeObject): Readiness {
  if (object.metadata.deletionTimestamp !== undefined) {
    return { ready: false, message: `${show(refOf(object))} is being deleted` };
  }
  const subject = show(refOf(object));
  const status = (object as Workload).status ?? {};
  const isObserved =
    status.observedGeneration === undefined || status.observedGeneration >= (object.metadata.generation ?? 0);
  if (object.apiVersion === 'apps/v1' && Object.hasOwn(rules, object.kind)) {
    const stuck = conditionOf(object, 'Progressing');
    if (isObserved && stuck?.status === 'False' && stuck.reason === 'ProgressDeadlineExceeded') {
      return { ready: false, message: `${subject} makes no progress`, reason: stuck.reason, isFailed: true };
    }
    if (status.observedGeneration !== undefined && isObserved && rules[object.kind]!(object as Workload)) return ready;
    return (isObserved && haltOf(object, subject)) || { ready: false, message: `${subject} is rolling out` };
  }
  const judge = Object.hasOwn(others, groupKindOf(object)) ? others[groupKindOf(object)] : undefined;
  if (judge) return judge(object, subject);
  // Kinds of Kubernetes itself have conditions with meanings of their own.
  return isBuiltIn(object.apiVersion) ? ready : byConditions(object, subject, isObserved);
}

/** Why a Deployment does not roll out, where it says so: it waits for somebody to resume it, or its Pods are refused. */
function haltOf(object: KubeObject, subject: string): NotReady | undefined {
  const failure = conditionOf(object, 'ReplicaFailure');
  if (failure?.status === 'True') {
    return { ready: false, message: `${subject} cannot make or remove its Pods`, ...reasonIn(failure) };
  }
  const progressing = conditionOf(object, 'Progressing');
  if ((object as Workload).spec?.paused !== true) return undefined;
  return {
    ready: false,
    message: `${subject} is paused`,
    ...(progressing?.status === 'Unknown' && reasonIn(progressing)),
  };
}

/** By the conditions that kstatus asks for of custom resources: https://github.com/kubernetes-sigs/cli-utils/blob/master/pkg/kstatus/README.md#the-standard-conditions */
function byConditions(object: KubeObject, subject: string, isObserved: boolean): Readiness {
  const said = conditionOf(object, 'Ready');
  if (!isObserved || (said && isOfBefore(said, object)))
    return { ready: false, message: `${subject} has not seen its change yet` };
  if (said === undefined || said.status === 'True') return ready;
  const stalled = conditionOf(object, 'Stalled');
  if (stalled?.status === 'True')
    return { ready: false, message: `${subject} has stalled`, ...reasonIn(stalled), isFailed: true };
  return { ready: false, message: `${subject} is not ready`, ...reasonIn(said) };
}

/** Who tells of a generation in each condition may tell of none in all. Whoever leaves it out in Go may write zero. */
function isOfBefore({ observedGeneration: of }: ConditionLike, { metadata: { generation = 0 } }: KubeObject): boolean {
  return typeof of === 'number' && of > 0 && of < generation;
}

/** A reason that a condition may have. Kinds of others are not all so strict, and whoever may write a status writes what he likes. */
function reasonIn({ reason }: ConditionLike): { readonly reason?: string } {
  return typeof reason === 'string' && reason.length <= conditionReason.maxLength && isReason.test(reason)
    ? { reason }
    : {};
}

/** A condition that an object shows. Of a kind without a schema for it, a status may be anything. */
export function conditionOf(object: KubeObject, type: string): ConditionLike | undefined {
  const { status } = object as { readonly status?: { readonly conditions?: unknown } | null };
  const conditions = status?.conditions;
  if (!Array.isArray(conditions)) return undefined;
  return conditions.find((condition: ConditionLike | null) => condition?.type === type) as ConditionLike | undefined;
}

/** Those that are there before they do what they are for. */
const others: Readonly<Record<string, (object: KubeObject, subject: string) => Readiness>> = {
  'Job.batch': (object, subject) => {
    const failed = conditionOf(object, 'Failed');
    if (failed?.status === 'True') {
      return { ready: false, message: `${subject} failed`, ...reasonIn(failed), isFailed: true };
    }
    if (conditionOf(object, 'Complete')?.status === 'True') return ready;
    const suspended = conditionOf(object, 'Suspended');
    return suspended?.status === 'True'
      ? { ready: false, message: `${subject} is suspended`, ...reasonIn(suspended) }
      : { ready: false, message: `${subject} is not complete` };
  },
  Pod: (object, subject) => {
    const { phase } = statusOf(object);
    if (phase === 'Succeeded' || conditionOf(object, 'Ready')?.status === 'True') return ready;
    return phase === 'Failed'
      ? { ready: false, message: `${subject} failed`, isFailed: true }
      : { ready: false, message: `${subject} is not ready` };
  },
  PersistentVolumeClaim: (object, subject) =>
    statusOf(object).phase === 'Bound' ? ready : { ready: false, message: `${subject} is not bound` },
  Service: (object, subject) => {
    const { spec } = object as { readonly spec?: { readonly type?: string } };
    const ingress = statusOf(object).loadBalancer?.ingress ?? [];
    return spec?.type !== 'LoadBalancer' || ingress.length > 0
      ? ready
      : { ready: false, message: `${subject} has no load balancer yet` };
  },
  Namespace: (object, subject) =>
    statusOf(object).phase === 'Terminating' ? { ready: false, message: `${subject} is being deleted` } : ready,
  'CustomResourceDefinition.apiextensions.k8s.io': (object, subject) => {
    const names = conditionOf(object, 'NamesAccepted');
    if (names?.status === 'False') {
      return { ready: false, message: `${subject} has names that another one has`, ...reasonIn(names), isFailed: true };
    }
    return conditionOf(object, 'Established')?.status === 'True'
      ? ready
      : { ready: false, message: `${subject} is not established` };
  },
};

function statusOf(object: KubeObject) {
  const { status = {} } = object as {
    readonly status?: {
      readonly phase?: string;
      readonly loadBalancer?: { readonly ingress?: readonly object[] };
    };
  };
  return status;
}

const rules: Readonly<Record<string, (object: Workload) => boolean>> = {
  Deployment: ({ spec = {}, status = {} }) => {
    const want = spec.replicas ?? 1;
    const { replicas = 0, updatedReplicas: updated = 0, availableReplicas: available = 0 } = status;
    // One that is available may be an old one, which stays until a new one is.
    return updated >= want && available >= updated && replicas <= want;
  },
  StatefulSet: ({ spec = {}, status = {} }) => {
    const { replicas: want = 1, updateStrategy = {} } = spec;
    // OnDelete replaces Pods when somebody deletes them; a partition keeps those with smaller numbers as they are.
    const kept = updateStrategy.type === 'OnDelete' ? want : (updateStrategy.rollingUpdate?.partition ?? 0);
    const { replicas = 0, readyReplicas = 0, updatedReplicas = 0 } = status;
    return readyReplicas >= want && updatedReplicas >= want - kept && replicas <= want;
  },
  DaemonSet: ({ status = {} }) => {
    const want = status.desiredNumberScheduled ?? 0;
    return (status.updatedNumberScheduled ?? 0) >= want && (status.numberAvailable ?? 0) >= want;
  },
};
