import type { Container } from '../../../imports/k8s.js';
import type { KubeObject } from '../../kube/manifest.js';
import { type Desk, keyOf, type Queue } from './controller.js';
import { indexAnnotation, indexOf } from './job-indexes.js';
import { backOffMilliseconds, type Job } from './jobs.js';
import { createPod, deletePod, podFrom } from './pod-from-template.js';
import type { Pod } from './pod-state.js';
import { byWorth } from './pod-worth.js';

/** Holds a Pod until its Job has counted it. */
export const tracking = 'batch.kubernetes.io/job-tracking';
const atOnce = 500;

/** The Pods of Jobs: how many there should be now, and what failed lately. */
export class JobPods {
  readonly #failures = new Map<string, { readonly count: number; readonly at: number }>();

  constructor(private readonly desk: Desk) {}

  /** New ends of Pods: a success clears what failed before it. */
  remember({ metadata: { uid } }: Job, succeeded: number, failed: number, inAll: number): void {
    if (succeeded > 0) this.#failures.delete(uid);
    if (failed === 0) return;
    const before = this.#failures.get(uid)?.count ?? (succeeded > 0 ? 0 : inAll - failed);
    this.#failures.set(uid, { count: before + failed, at: this.desk.clock.now() });
  }

  /** One that is deleted because there are too many is not counted, and has nothing to wait for. */
  delete(job: Job, pod: Pod, isCounted: boolean): void {
    if (!isCounted) untracked(this.desk, pod);
    deletePod(this.desk, job, pod);
  }

  manage(
    job: Job,
    active: readonly Pod[],
    terminating: number,
    succeeded: number,
    done: ReadonlySet<number>,
    queue: Queue,
  ): { readonly gone: readonly Pod[]; readonly created: readonly Pod[] } {
    const { parallelism = 1, completions, suspend, podReplacementPolicy, completionMode } = job.spec!;
    const wanted = suspend
      ? 0
      : completions === undefined
        ? succeeded > 0
          ? active.length
          : parallelism
        : Math.max(0, Math.min(completions - succeeded, parallelism));
    const gone = this.#surplus(job, active, Math.max(0, active.length - wanted));
    if (gone.length > 0) return { gone: gone.slice(0, atOnce), created: [] };
    const missing = wanted - active.length - (podReplacementPolicy === 'Failed' ? terminating : 0);
    if (missing <= 0) return { gone: [], created: [] };
    const failures = this.#failures.get(job.metadata.uid);
    const wait = failures ? failures.at + backOffMilliseconds(failures.count) - this.desk.clock.now() : 0;
    if (wait > 0) {
      queue.addAfter(keyOf(job), wait, true);
      return { gone: [], created: [] };
    }
    const count = Math.min(missing, atOnce);
    const indexes = completionMode === 'Indexed' ? freeIndexes(completions ?? 0, active, done, count) : undefined;
    const created: Pod[] = [];
    for (const index of indexes ?? Array.from({ length: count }, () => undefined)) {
      const pod = createPod(this.desk, job, podOf(job, index));
      if (pod) created.push(pod);
    }
    return { gone: [], created };
  }

  /** The Pods to delete, `least` or more: of indexes, those that no Pod is to have, and all but one of each. */
  #surplus(job: Job, active: readonly Pod[], least: number): readonly Pod[] {
    const { completionMode, completions = 0 } = job.spec!;
    const isIndexed = completionMode === 'Indexed';
    if (!isIndexed && least === 0) return [];
    const worst = byWorth(active, active, this.desk.clock.now());
    if (!isIndexed) return worst.slice(0, least);
    const kept = new Map<number, Pod>();
    // The worthiest of an index comes last.
    for (const pod of worst) {
      const index = indexOf(pod);
      if (index !== undefined && index < completions) kept.set(index, pod);
    }
    const left = new Set(kept.values());
    const gone = worst.filter((pod) => !left.has(pod));
    const more = worst.filter((pod) => left.has(pod)).slice(0, Math.max(0, least - gone.length));
    return [...gone, ...more];
  }
}

export function isTracked({ metadata }: KubeObject): boolean {
  return metadata.finalizers?.includes(tracking) ?? false;
}

/** Lets a counted Pod go. One that went already is fine. */
export function untracked(desk: Desk, { metadata: { uid } }: Pod): void {
  const latest = desk.index.byUid(uid)?.object;
  if (!latest || !isTracked(latest)) return;
  const left = latest.metadata.finalizers!.filter((each) => each !== tracking);
  desk.writer.patch(latest, { metadata: { finalizers: left.length === 0 ? null : left } });
}

function freeIndexes(completions: number, active: readonly Pod[], done: ReadonlySet<number>, count: number): number[] {
  const taken = new Set(active.map(indexOf));
  const free: number[] = [];
  for (let index = 0; index < completions && free.length < count; index++) {
    if (!done.has(index) && !taken.has(index)) free.push(index);
  }
  return free;
}

function podOf(job: Job, index: number | undefined): ReturnType<typeof podFrom> {
  const pod = podFrom(job.spec!.template, job);
  const finalizers = [...(pod.metadata.finalizers ?? []), tracking];
  const { name } = job.metadata;
  if (index === undefined) return { ...pod, metadata: { ...pod.metadata, ...generateName(name), finalizers } };
  const text = String(index);
  const counted = <T extends Container>(container: T): T => ({
    ...container,
    env: [...(container.env ?? []), indexVariable],
  });
  const { spec } = pod;
  return {
    ...pod,
    metadata: {
      ...pod.metadata,
      ...generateName(`${name}-${index}`),
      finalizers,
      labels: { ...pod.metadata.labels, [indexAnnotation]: text },
      annotations: { ...pod.metadata.annotations, [indexAnnotation]: text },
    },
    ...(spec
      ? {
          spec: {
            ...spec,
            hostname: `${name}-${index}`,
            containers: spec.containers.map(counted),
            ...(spec.initContainers ? { initContainers: spec.initContainers.map(counted) } : {}),
          },
        }
      : {}),
  };
}

const indexVariable = {
  name: 'JOB_COMPLETION_INDEX',
  valueFrom: { fieldRef: { fieldPath: `metadata.labels['${indexAnnotation}']` } },
};

function generateName(prefix: string) {
  return { generateName: `${prefix}-` };
}
