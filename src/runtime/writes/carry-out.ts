import type { Action } from '../../drift/change-set.js';
import { isToBeFolded } from '../../drift/ownership.js';
import { refOfStep, type Step } from '../../drift/plan.js';
import { type Known, needsOf, waitsFor } from '../../drift/prerequisites.js';
import type { ApiResource } from '../../kube/api-resource.js';
import { asError } from '../../kube/errors.js';
import type { KubeObject } from '../../kube/manifest.js';
import { keyOf, type ObjectRef, refOf, show } from '../../kube/object-ref.js';
import { refuseLivingOwner } from '../children/former-owner.js';
import { type Confirmation, isBeyondReach, isDoubtful, vouched } from '../confirmation.js';
import type { Unmet } from '../status/status.js';
import type { Workshop } from '../workshop.js';
import { showsOnlyOurs } from './apply-echo.js';
import { type Executed, execute } from './execute.js';
import { refusalToRecreate } from './immutable.js';
import type { Done, Job } from './job.js';

/**
 * Carries out a plan, in its order.
 *
 * **Guarantees.** What no owner reference reaches is in the inventory before it is made. Nothing is pruned unless all
 * before succeeded, the API server has the custom resource as it was composed, and its inputs as it has them do not want it.
 * The first change of a child waits until the API server was seen to have the custom resource as it was composed, so that no
 * late store writes an older edit over a later one, or makes what nobody finds again, or what a later edit had removed. A child is
 * deleted to be made anew only where that follows by the API server, too, and taken over only from whom that has no more. Where
 * a namespace does not consent, nothing is written to it. A child waits until what it depends on is ready; what was drifted is
 * put back at once.
 */
export function carryOut(job: Job, workshop: Workshop, signal: AbortSignal): Promise<Done> {
  return new Execution(job, workshop, signal).done();
}

/** In which step of a round `error` came up, which is of one that was carried out, or of something else. */
export function stepOf(error: Error, executed: readonly Executed[]): 'apply' | 'prune' {
  return executed.some((each) => each.error === error && each.isPrune) ? 'prune' : 'apply';
}

/** One plan while it is carried out. */
class Execution {
  readonly #executed: Executed[] = [];
  /** By key, the children that are not as they are to be, so that what depends on them has to wait. */
  readonly #behind = new Set<string>();
  #unmet: Unmet | undefined;
  readonly #confirmation: Confirmation;
  /** The API server took a write of the custom resource in this round. */
  #isHeld = false;

  constructor(
    private readonly job: Job,
    private readonly workshop: Workshop,
    private readonly signal: AbortSignal,
  ) {
    this.#confirmation = job.confirmation(job.cr);
  }

  async done(): Promise<Done> {
    const { key, cr, steps, unwanted, beside } = this.job;
    const { far } = this.workshop;
    let now = cr;
    try {
      const wanted = steps.filter((step) => !unwanted.has(step));
      now = await far.secure(key, cr, wanted, this.signal);
      this.#isHeld = now !== cr;
    } catch (error) {
      this.#failed(error);
      return this.#done(now);
    }
    for (const step of steps) {
      const end = beside(this.#done(now));
      const error = unwanted.get(step);
      if (error) this.#skip(refOfStep(step), error);
      else await this.#carryOut(step);
      now = await end();
    }
    try {
      if (this.#obstacle === undefined) now = await far.settle(key, now, steps, this.signal);
    } catch (error) {
      this.#failed(error, true);
    }
    return this.#done(now);
  }

  #done(cr: KubeObject): Done {
    return { executed: this.#executed, cr, ...(this.#unmet ? { unmet: this.#unmet } : {}) };
  }

  async #carryOut(step: Step): Promise<void> {
    const { resourceOf, telemetry, refused, found } = this.workshop;
    const { key, cr } = this.job;
    const ref = refOfStep(step);
    if (step.type === 'create' || (step.type === 'apply' && step.drift.length === 0)) {
      const lacks = waitsFor(needsOf(ref, this.job.needs), (needed) => this.#known(needed));
      if (lacks !== undefined) {
        this.#wait(ref, `waits: ${lacks}`);
        return;
      }
    }
    if (step.type === 'prune' && !(await this.#mayPrune(step))) return;
    if (isDoubtful(step, this.job) && !(await this.#mayChange(step))) {
      this.#behind.add(keyOf(ref));
      return;
    }
    if (step.type === 'apply' && found.isNews(key, { ref, reported: step.drift })) telemetry.drifted(ref.kind);
    const resource = resourceOf(ref);
    const last = refused.last(key, cr, step);
    const [lastWords, began] = [refused.words(key, cr, step), refused.now];
    const result = last ?? (await execute(step, { ...this.#execution(resource), lastWords }));
    const now = last ? step : this.#withLeft(step, result, resource);
    if (!last) refused.came(key, cr, now, result, began);
    if (!result.error) found.over(key, ref);
    if (now.type === 'apply' && result.immutable) {
      await this.#makeAnew(now, result.immutable, resource);
      return;
    }
    this.#executed.push(step.type === 'prune' && result.error ? { ...result, isPrune: true } : result);
    if (result.error || step.type === 'wait' || step.type === 'refuse') this.#behind.add(keyOf(ref));
    this.#remember(step, result, resource);
  }

  /** Whether all is done that has to be done before, and the API server itself says that it is to go. */
  async #mayPrune({ observed, rebound }: Extract<Step, { readonly type: 'retain' | 'prune' }>): Promise<boolean> {
    const { isPruning, steps } = this.job;
    const because = isPruning ? this.#obstacle : 'no child is composed any more';
    if (because !== undefined) {
      // It is to outlive its owner for as long as it stays.
      if (rebound) await this.#carryOut({ type: 'retain', observed, rebound });
      else this.#executed.push({ entry: { ref: refOf(observed), action: 'skipped', because } });
      return false;
    }
    return this.#confirmed(async () => {
      await this.#confirmation.customResource();
      await this.#confirmation.prunes(steps);
    });
  }

  /** What is not as it should be by a late store may be so for a later edit, by whoever led before. */
  #mayChange(step: Step): Promise<boolean> {
    return this.#confirmed(async () => {
      await vouched(this.job.key, this.workshop.writes, this.#confirmation);
      // Somebody may have let it go by hand, and deleted this as well.
      if (isBeyondReach(step) && !this.#isHeld) await this.#confirmation.customResource();
      if (step.type === 'apply' && step.former) await refuseLivingOwner(step.former, this.workshop, this.signal);
    });
  }

  async #confirmed(ask: () => Promise<void>): Promise<boolean> {
    try {
      await ask();
      return true;
    } catch (error) {
      this.#failed(error);
      return false;
    }
  }

  /** Where that is wanted, deletes a child of which fields cannot be changed: the next round makes it as it is to be. */
  async #makeAnew(
    { observed, adopted }: Extract<Step, { readonly type: 'apply' }>,
    fields: readonly string[],
    resource: ApiResource,
  ): Promise<void> {
    const ref = refOf(observed);
    // What was never ours is not ours to delete.
    const recreate = adopted ? undefined : this.workshop.operator.recreate;
    const refusal = refusalToRecreate(observed, fields, this.job.cr, recreate);
    if (!refusal && !(await this.#confirmed(() => this.#confirmation.anew(ref)))) {
      this.#behind.add(keyOf(ref));
      return;
    }
    const error = refusal ?? (await execute({ type: 'prune', observed }, this.#execution(resource))).error;
    if (error) this.#skip(ref, error);
    else this.#wait(ref, `is made anew, for ${fields.join(', ')} is immutable`, 'Recreating', 'pruned');
  }

  #remember(step: Step, { object, error }: Executed, resource: ApiResource): void {
    const { key, cr } = this.job;
    const { operator, writes, far, echoes, recreations, kindOf } = this.workshop;
    if (object) {
      writes.wrote(key, kindOf(resource), object);
      if (step.type === 'create') recreations.created(cr, step);
      if (showsOnlyOurs(step, object, operator.name)) echoes.answered(key, object);
      if ('manifest' in step) writes.knows(key, step.manifest, object);
    } else if (step.type === 'keep') writes.found(key, step.observed, step.seen);
    else if (step.type === 'prune' && !error) {
      writes.pruned(key, step.observed);
      far.removed(key, step.observed);
    }
  }

  /** `step` about its child as it is now: before what failed, other writes may have changed it. */
  #withLeft(step: Step, { left = [], isGivenBack }: Executed, resource: ApiResource): Step {
    const { operator, writes, echoes, kindOf } = this.workshop;
    const observed = left.at(-1);
    if (step.type !== 'apply' || !observed) return step;
    writes.left(this.job.key, kindOf(resource), observed);
    if (isGivenBack) return step;
    // The first one is of the very version that was looked at, and hides nobody's change. What it has left to do is news.
    const isOnlyOurs = left.length === 1 && (step.fold || step.claim.length > 0);
    if (isOnlyOurs && !isToBeFolded(observed, operator.name)) echoes.answered(this.job.key, observed);
    return { ...step, observed };
  }

  #execution(resource: ApiResource) {
    const { cluster, operator, policy } = this.workshop;
    return { cluster, manager: operator.name, resource, policy, signal: this.signal };
  }

  /** What is known of a child that another one needs. */
  #known(ref: ObjectRef): Known {
    const { resourceOf, kindOf } = this.workshop;
    const written = this.#executed.findLast(({ entry }) => keyOf(entry.ref) === keyOf(ref))?.object;
    const resource = resourceOf(ref);
    const object = written ?? kindOf(resource).get(ref.namespace, ref.name);
    // A custom resource of ours has a controller that says Ready in the end.
    const speaks = 'crd' in resource || resource.saysReady === true;
    return { object, isBehind: this.#behind.has(keyOf(ref)), speaks };
  }

  #wait(ref: ObjectRef, because: string, reason = 'DependencyNotReady', action: Action = 'skipped'): void {
    this.#executed.push({ entry: { ref, action, because } });
    this.#behind.add(keyOf(ref));
    this.#unmet ??= { reason, message: `${show(ref)} ${because}`, isStalled: false };
  }

  #skip(ref: ObjectRef, error: Error, isPrune = false): void {
    this.#executed.push({ entry: { ref, action: 'skipped', because: error.message }, error, isPrune });
    this.#behind.add(keyOf(ref));
  }

  #failed(thrown: unknown, isPrune = false): void {
    this.#skip(refOf(this.job.cr), asError(thrown), isPrune);
  }

  /** Why nothing may be pruned so far. A child that is being deleted was not applied either. */
  get #obstacle(): string | undefined {
    const because = 'it is pruned when all children are applied';
    if (this.job.steps.some(({ type }) => type === 'wait')) return because;
    return this.#unmet || this.#executed.some(({ error }) => error !== undefined) ? because : undefined;
  }
}
