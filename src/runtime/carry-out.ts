import { ConflictError } from '../client/api-error.js';
import type { Cluster } from '../client/cluster.js';
import type { Operator } from '../compose/operator.js';
import { refOfStep, type Step } from '../drift/plan.js';
import { type Known, needsOf, waitsFor } from '../drift/prerequisites.js';
import type { ApiResource } from '../kube/api-resource.js';
import { asError } from '../kube/errors.js';
import type { KubeObject } from '../kube/manifest.js';
import { keyOf, type ObjectRef, refOf, show } from '../kube/object-ref.js';
import type { Consents } from './consents.js';
import type { Echoes } from './echoes.js';
import { type Executed, execute } from './execute.js';
import type { FarChildren } from './far-children.js';
import { immutableFields, refusalToRecreate } from './immutable.js';
import { isAsKnown } from './is-as-known.js';
import type { OwnWrites } from './own-writes.js';
import type { Recreations } from './recreations.js';
import type { Unmet } from './status.js';
import type { ControllerTelemetry } from './telemetry.js';
import type { WatchedKind } from './watched-kind.js';

export interface Workshop {
  readonly operator: Operator;
  readonly cluster: Cluster;
  readonly kindOf: (resource: ApiResource) => WatchedKind;
  /** The kind of a child among those that the operator owns. */
  readonly resourceOf: (child: { readonly apiVersion: string; readonly kind: string }) => ApiResource;
  readonly consents: Consents;
  readonly far: FarChildren;
  readonly writes: OwnWrites;
  readonly recreations: Recreations;
  readonly echoes: Echoes;
  readonly telemetry: ControllerTelemetry;
}

export interface Job {
  readonly key: string;
  readonly cr: KubeObject;
  readonly steps: readonly Step[];
  /** The keys of the children that follow from what is read as the API server has it now. */
  desiredNow(signal: AbortSignal): Promise<ReadonlySet<string>>;
  /** False where a plan that prunes is not to be trusted. */
  readonly isPruning: boolean;
  /** What has to be ready before a child is written, by the key of the child. */
  readonly needs?: ReadonlyMap<string, readonly ObjectRef[]> | undefined;
}

export interface Done {
  readonly executed: readonly Executed[];
  /** The custom resource after whatever was written to it. */
  readonly cr: KubeObject;
  /** What could not be done yet, and goes on by itself. */
  readonly unmet?: Unmet;
}

/**
 * Carries out a plan, in its order.
 *
 * **Guarantees.** What no owner reference reaches is in the inventory before it is made. Nothing is pruned unless all before
 * succeeded, the API server has the custom resource as it was composed, and its inputs as it has them do not want it. Where a namespace does not consent, nothing is
 * written to it. A child waits until what it depends on is ready; what was drifted is put back at once.
 */
export async function carryOut(job: Job, workshop: Workshop, signal: AbortSignal): Promise<Done> {
  const { key, cr, steps, isPruning, needs } = job;
  const { operator, cluster, kindOf, resourceOf, consents, far, writes, recreations, echoes, telemetry } = workshop;
  const executed: Executed[] = [];
  let unmet: Unmet | undefined;
  const behind = new Set<string>();
  const known = (ref: ObjectRef): Known => {
    const written = executed.findLast(({ entry }) => keyOf(entry.ref) === keyOf(ref))?.object;
    const resource = resourceOf(ref);
    const object = written ?? kindOf(resource).get(ref.namespace, ref.name);
    // A custom resource of ours has a controller that says Ready in the end.
    return { object, isBehind: behind.has(keyOf(ref)), speaks: 'crd' in resource };
  };
  const wait = (ref: ObjectRef, because: string, reason = 'DependencyNotReady'): void => {
    executed.push({ entry: { ref, action: 'skipped', because } });
    behind.add(keyOf(ref));
    unmet ??= { reason, message: `${show(ref)} ${because}`, isStalled: false };
  };
  const failed = (thrown: unknown): void => {
    const error = asError(thrown);
    executed.push({ entry: { ref: refOf(cr), action: 'skipped', because: error.message }, error });
  };
  const execution = (resource: ApiResource) => ({ cluster, manager: operator.name, resource, signal });
  const unwanted = new Map<Step, Error>();
  for (const step of steps) {
    const error = 'manifest' in step ? consents.refusal(key, cr, step.manifest) : undefined;
    if (error) unwanted.set(step, error);
  }
  let now = cr;
  try {
    const wanted = steps.filter((step) => !unwanted.has(step));
    now = await far.secure(key, cr, wanted, signal);
  } catch (error) {
    failed(error);
    return { executed, cr: now };
  }
  let isConfirmed = false;
  let desired: ReadonlySet<string> | undefined;
  for (const step of steps) {
    const ref = refOfStep(step);
    const error = unwanted.get(step);
    if (error) {
      executed.push({ entry: { ref, action: 'skipped', because: error.message }, error });
      behind.add(keyOf(ref));
      continue;
    }
    if (step.type === 'create' || (step.type === 'apply' && step.drift.length === 0)) {
      const lacks = waitsFor(needsOf(ref, needs), known);
      if (lacks !== undefined) {
        wait(ref, `waits: ${lacks}`);
        continue;
      }
    }
    if (step.type === 'prune') {
      const because = isPruning ? obstacleIn(executed, unmet) : 'no child is composed any more';
      if (because !== undefined) {
        executed.push({ entry: { ref, action: 'skipped', because } });
        continue;
      }
      try {
        isConfirmed ||= await isAsKnown(cr, { cluster, resource: operator.resource }, signal);
        if (!isConfirmed) throw new ConflictError(`${show(refOf(cr))} has changed, and no watch has told so yet`);
        desired ??= await job.desiredNow(signal);
        if (desired.has(keyOf(ref)))
          throw new ConflictError(`what ${show(refOf(cr))} reads has changed, and no watch has told so yet`);
      } catch (error) {
        failed(error);
        continue;
      }
    }
    if (step.type === 'apply' && step.drift.length > 0) telemetry.drifted(ref.kind);
    const resource = resourceOf(ref);
    const result = await execute(step, execution(resource));
    const fields = step.type === 'apply' ? immutableFields(result.error) : [];
    if (step.type === 'apply' && fields.length > 0) {
      const refusal = refusalToRecreate(step.observed, fields, cr, operator.recreate);
      const removed = refusal
        ? undefined
        : await execute({ type: 'prune', observed: step.observed }, execution(resource));
      const error = refusal ?? removed?.error;
      if (error) executed.push({ entry: { ref, action: 'skipped', because: error.message }, error });
      else wait(ref, `is made anew, for ${fields.join(', ')} is immutable`, 'Recreating');
      behind.add(keyOf(ref));
      continue;
    }
    executed.push(result);
    if (result.error || step.type === 'wait' || step.type === 'refuse') behind.add(keyOf(ref));
    if (result.object) {
      writes.wrote(key, kindOf(resource), result.object);
      // In the answer to an apply somebody else's change may be hidden.
      if (step.type === 'create') {
        echoes.answered(key, result.object);
        recreations.created(cr, step);
      }
      if ('manifest' in step) writes.knows(key, step.manifest, result.object);
    } else if (step.type === 'keep') writes.found(key, step.manifest, step.observed);
    else if (step.type === 'prune' && !result.error) writes.pruned(key, step.observed);
  }
  try {
    if (obstacleIn(executed, unmet) === undefined) await far.settle(key, now, steps, signal);
  } catch (error) {
    failed(error);
  }
  return { executed, cr: now, ...(unmet ? { unmet } : {}) };
}

/** Why nothing may be pruned so far. */
function obstacleIn(executed: readonly Executed[], unmet: Unmet | undefined): string | undefined {
  return unmet || executed.some(({ error }) => error !== undefined)
    ? 'it is pruned when all children are applied'
    : undefined;
}
