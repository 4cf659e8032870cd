import type { DeploymentCondition, DeploymentStatus, PodTemplateSpec } from '../../../imports/k8s.js';
import type { Json } from '../../kube/manifest.js';
import { controllerReferenceTo } from '../../kube/owner-reference.js';
import { timestamp } from '../../kube/timestamp.js';
import { equal } from '../fields/field-type.js';
import { StatusError } from '../status-error.js';
import { deployments, replicaSets } from './built-in.js';
import { conditionOf, withCondition } from './conditions.js';
import type { Desk } from './controller.js';
import { share } from './counts.js';
import type { Deployment, ReplicaSet } from './deployments.js';
import { isOfTerminatingNamespace } from './pod-from-template.js';
import { annotated, copiedAnnotations, desiredReplicas, revision, revisionOf, sized } from './revision-annotations.js';
import { templateHash } from './template-hash.js';

const hashLabel = 'pod-template-hash';
/** What stands for "never" where a limit or a deadline has to be a number. */
export const never = 2 ** 31 - 1;

/** One look at a Deployment and its ReplicaSets, kept up to date through the writes that follow from it. */
export class Rollout {
  /** Oldest first, without the one that has the Deployment's template now. */
  old: ReplicaSet[] = [];
  current: ReplicaSet | undefined;

  constructor(
    readonly desk: Desk,
    public deployment: Deployment,
    sets: readonly ReplicaSet[],
  ) {
    const byAge = [...sets].sort((a, b) => {
      const [first = '', second = ''] = [a.metadata.creationTimestamp, b.metadata.creationTimestamp];
      return first === second ? (a.metadata.name < b.metadata.name ? -1 : 1) : first < second ? -1 : 1;
    });
    this.current = byAge.find((set) => isSameTemplate(set.spec?.template, deployment.spec!.template));
    this.old = byAge.filter((set) => set !== this.current);
  }

  get all(): readonly ReplicaSet[] {
    return this.current ? [...this.old, this.current] : this.old;
  }

  get replicas(): number {
    return this.deployment.spec!.replicas ?? 1;
  }

  get maxSurge(): number {
    return this.#fences.surge;
  }

  get maxUnavailable(): number {
    const { type } = this.deployment.spec!.strategy ?? {};
    if (type !== 'RollingUpdate' || this.replicas === 0) return 0;
    return Math.min(this.#fences.unavailable, this.replicas);
  }

  get hasDeadline(): boolean {
    const { progressDeadlineSeconds } = this.deployment.spec!;
    return progressDeadlineSeconds !== undefined && progressDeadlineSeconds !== never;
  }

  get progressing(): DeploymentCondition | undefined {
    return conditionOf(this.deployment.status?.conditions, 'Progressing');
  }

  condition(type: string, status: string, reason: string, message: string): DeploymentCondition {
    const now = timestamp(this.desk.clock.now());
    return { type, status, lastUpdateTime: now, lastTransitionTime: now, reason, message };
  }

  writeStatus(status: DeploymentStatus, annotations = this.deployment.metadata.annotations): void {
    const metadata = { ...this.deployment.metadata, ...(annotations === undefined ? {} : { annotations }) };
    this.deployment = this.desk.writer.updateStatus(deployments, { ...this.deployment, metadata, status });
  }

  /** Sees to it that what the newest ReplicaSet says of its revision is true, and makes one where `mayCreate`. */
  syncRevision(mayCreate: boolean): void {
    const next = String(Math.max(0, ...this.old.map(revisionOf)) + 1);
    if (!this.current) {
      if (mayCreate) this.#create(next);
      return;
    }
    const { minReadySeconds } = this.deployment.spec!;
    const annotations = annotated(this.deployment, this.current, next);
    if (annotations || (this.current.spec?.minReadySeconds ?? 0) !== (minReadySeconds ?? 0)) {
      const { minReadySeconds: _, ...spec } = this.current.spec!;
      const metadata = { ...this.current.metadata, ...(annotations ? { annotations } : {}) };
      const updated = { ...spec, ...(minReadySeconds ? { minReadySeconds } : {}) };
      this.current = this.desk.writer.update(replicaSets, { ...this.current, metadata, spec: updated });
      return;
    }
    const message = `Found new replica set ${JSON.stringify(this.current.metadata.name)}`;
    const found =
      this.hasDeadline && !this.progressing && this.condition('Progressing', 'True', 'FoundNewReplicaSet', message);
    this.#recordRevision(this.current.metadata.annotations?.[revision] ?? '', found || undefined);
  }

  /** True when that changed its size. With `isForced` its annotations are brought up to date in any case. */
  scale(set: ReplicaSet, replicas: number, isForced = false): boolean {
    const before = set.spec?.replicas ?? 1;
    if (!isForced && before === replicas) return false;
    const annotations = sized(set.metadata.annotations, this.replicas, this.replicas + this.maxSurge);
    if (before === replicas && !annotations) return false;
    const scaled = this.desk.writer.update(replicaSets, {
      ...set,
      metadata: { ...set.metadata, ...(annotations ? { annotations } : {}) },
      spec: { ...set.spec, replicas },
    });
    if (this.current?.metadata.uid === set.metadata.uid) this.current = scaled;
    else this.old = this.old.map((each) => (each.metadata.uid === set.metadata.uid ? scaled : each));
    if (before === replicas) return false;
    this.#tellScaled(scaled, before, replicas);
    return true;
  }

  get isScaledSinceLastSync(): boolean {
    return this.all.some((set) => {
      const desired = desiredReplicas(set);
      return (set.spec?.replicas ?? 1) > 0 && desired !== undefined && desired !== this.replicas;
    });
  }

  get #fences(): { readonly surge: number; readonly unavailable: number } {
    const { type, rollingUpdate } = this.deployment.spec!.strategy ?? {};
    if (type !== 'RollingUpdate') return { surge: 0, unavailable: 0 };
    const surge = share(rollingUpdate?.maxSurge, this.replicas, 'up');
    const unavailable = share(rollingUpdate?.maxUnavailable, this.replicas, 'down');
    return { surge, unavailable: surge === 0 && unavailable === 0 ? 1 : unavailable };
  }

  #create(next: string): void {
    const { metadata, spec, status } = this.deployment;
    const hash = templateHash(spec!.template, status?.collisionCount);
    const labels = { ...spec!.template.metadata?.labels, [hashLabel]: hash };
    const name = `${metadata.name.slice(0, 252 - hash.length)}-${hash}`;
    const replicas = this.sizeOfNew(0);
    const annotations = {
      ...copiedAnnotations(this.deployment),
      [revision]: next,
      ...sized({}, this.replicas, this.replicas + this.maxSurge),
    };
    const set = {
      metadata: {
        name,
        namespace: metadata.namespace,
        labels,
        annotations,
        ownerReferences: [controllerReferenceTo(this.deployment)],
      },
      spec: {
        replicas,
        ...(spec!.minReadySeconds ? { minReadySeconds: spec!.minReadySeconds } : {}),
        selector: { ...spec!.selector, matchLabels: { ...spec!.selector.matchLabels, [hashLabel]: hash } },
        template: { ...spec!.template, metadata: { ...spec!.template.metadata, labels } },
      },
    };
    try {
      this.current = this.desk.writer.create(replicaSets, metadata.namespace, set);
    } catch (error) {
      this.#explain(name, error);
      throw error;
    }
    if (replicas > 0) this.#tellScaled(this.current, 0, replicas);
    const message = `Created new replica set ${JSON.stringify(name)}`;
    this.#recordRevision(
      next,
      this.hasDeadline ? this.condition('Progressing', 'True', 'NewReplicaSetCreated', message) : undefined,
    );
  }

  /** How large the newest ReplicaSet may be, now that it has `size`. */
  sizeOfNew(size: number): number {
    if (this.deployment.spec!.strategy?.type !== 'RollingUpdate') return this.replicas;
    const { maxSurge } = this.deployment.spec!.strategy.rollingUpdate ?? {};
    const room =
      this.replicas + share(maxSurge, this.replicas, 'up') - sumOf(this.all, ({ spec }) => spec?.replicas ?? 1);
    return room <= 0 ? size : size + Math.min(room, this.replicas - size);
  }

  /** Says why there is no new ReplicaSet; of another one that has its name already, by counting up for a new name. */
  #explain(name: string, error: unknown): void {
    if (!(error instanceof StatusError) || isOfTerminatingNamespace(error)) return;
    const { status = {} } = this.deployment;
    if (error.status.reason === 'AlreadyExists') {
      this.writeStatus({ ...status, collisionCount: (status.collisionCount ?? 0) + 1 });
      return;
    }
    const message = `Failed to create new replica set ${JSON.stringify(name)}: ${error.message}`;
    this.desk.events.warning(this.deployment, 'ReplicaSetCreateError', message);
    if (!this.hasDeadline) return;
    const condition = this.condition('Progressing', 'False', 'ReplicaSetCreateError', message);
    this.writeStatus({ ...status, conditions: withCondition(status.conditions, condition) });
  }

  #recordRevision(number: string, condition: DeploymentCondition | undefined): void {
    const { metadata, status = {} } = this.deployment;
    const isNew = metadata.annotations?.[revision] !== number;
    if (!isNew && !condition) return;
    const conditions = condition ? { conditions: withCondition(status.conditions, condition) } : {};
    this.writeStatus({ ...status, ...conditions }, { ...metadata.annotations, [revision]: number });
  }

  #tellScaled(set: ReplicaSet, before: number, after: number): void {
    const direction = before < after ? 'up' : 'down';
    const message = `Scaled ${direction} replica set ${set.metadata.name} from ${before} to ${after}`;
    this.desk.events.normal(this.deployment, 'ScalingReplicaSet', message);
  }
}

export function sumOf(sets: readonly ReplicaSet[], count: (set: ReplicaSet) => number | undefined): number {
  return sets.reduce((sum, set) => sum + (count(set) ?? 0), 0);
}

function isSameTemplate(a: PodTemplateSpec | undefined, b: PodTemplateSpec | undefined): boolean {
  return equal(withoutHash(a), withoutHash(b));
}

function withoutHash(template: PodTemplateSpec = {}): Json {
  const { [hashLabel]: _, ...labels } = template.metadata?.labels ?? {};
  return { ...template, metadata: { ...template.metadata, labels } } as unknown as Json;
}
