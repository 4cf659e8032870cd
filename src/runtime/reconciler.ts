/** Longer than most files: one round, told in order, whose parts are in files of their own. */
import { ConflictError, NotFoundError, RetryAfterError } from '../client/api-error.js';
import type { Cluster } from '../client/cluster.js';
import type { Composition } from '../compose/composition.js';
import { frozen } from '../compose/frozen.js';
import type { Operator } from '../compose/operator.js';
import { customResourceMode } from '../drift/custom-resource-mode.js';
import { DriftPolicy } from '../drift/drift-policy.js';
import { doubtOf } from '../drift/empty-composition.js';
import { inventoryOf } from '../drift/inventory.js';
import { plan, refOfStep, type Step } from '../drift/plan.js';
import { type ApiResource, groupKindOf } from '../kube/api-resource.js';
import type { Clock } from '../kube/clock.js';
import type { ConditionClaim } from '../kube/condition.js';
import { deletionPolicyOf } from '../kube/deletion-policy.js';
import type { DriftMode } from '../kube/drift-mode.js';
import { asError } from '../kube/errors.js';
import type { KubeObject, Manifest } from '../kube/manifest.js';
import { keyOf, refOf } from '../kube/object-ref.js';
import type { AuthorCode } from './author-code.js';
import { carryOut, type Workshop } from './carry-out.js';
import type { Consents } from './consents.js';
import type { Echoes } from './echoes.js';
import type { Events } from './events.js';
import type { Externals } from './externals.js';
import { FarChildren, ownerOf } from './far-children.js';
import { FightRecord } from './fight-record.js';
import { hasFinalizer, isForced, removeFinalizer } from './finalizer.js';
import type { Log } from './log.js';
import { newestChildren } from './newest-children.js';
import type { Occasion, Occasions } from './occasions.js';
import { OptionalKinds } from './optional-kinds.js';
import { againAt, decisive, isStale, isTriedAgain, type Outcome, orSooner, outcomeOf, waitFor } from './outcome.js';
import { ownConditionsIn, withoutLost } from './own-status.js';
import { OwnWrites } from './own-writes.js';
import { splitKey } from './queue-key.js';
import type { ReadInputs } from './read-inputs.js';
import { Recreations } from './recreations.js';
import { Refusals } from './refusals.js';
import { reportChanges } from './report-changes.js';
import type { RoundLimits } from './round-limits.js';
import { conditionsOf, messageOf, statusToApply, type Verdict } from './status.js';
import { isOnlyStatus } from './status-echo.js';
import { isSuspended } from './suspension.js';
import type { ControllerTelemetry } from './telemetry.js';
import { ToldDrift } from './told-drift.js';
import { ToldErrors } from './told-errors.js';
import type { WatchedKind } from './watched-kind.js';

/** One round for one custom resource. `id` is on every line of the log that it writes. */
export interface Run {
  readonly key: string;
  readonly reasons: readonly string[];
  readonly id: string;
}

export interface ReconcilerOptions {
  readonly operator: Operator;
  readonly cluster: Cluster;
  readonly custom: WatchedKind;
  /** The watched kind of a child. */
  readonly kindOf: (resource: ApiResource) => WatchedKind;
  readonly inputs: ReadInputs;
  readonly consents: Consents;
  readonly occasions: Occasions;
  readonly echoes: Echoes;
  readonly clock: Clock;
  readonly log: Log;
  readonly events: Events;
  readonly telemetry: ControllerTelemetry;
  /** In place of the operator's own mode. */
  readonly driftMode?: DriftMode | undefined;
  readonly authorCode: AuthorCode;
  readonly externals: Externals;
  readonly limits: RoundLimits;
}

/** While our own writes have not come back there is nothing to decide on; the event itself asks again. */
const staleMilliseconds = 1000;

/**
 * Brings the children of one custom resource to what is desired, and its status to what is observed.
 *
 * **Guarantees.** Level-triggered: it reads the stores, whatever the reasons. It never acts on stores older than its own
 * writes. Nothing is written that is not needed. Nothing is pruned unless all else succeeded. What an author's code
 * throws marks the custom resource and nothing else.
 *
 * **Assumes** that it runs for one key at a time.
 */
export class Reconciler {
  readonly #writes: OwnWrites;
  readonly #recreations: Recreations;
  readonly #refusals = new Refusals();
  readonly #told = new ToldErrors();
  readonly #toldDrift = new ToldDrift();
  readonly #fights = new FightRecord();
  readonly #policy: DriftPolicy;
  readonly #optional: OptionalKinds;
  readonly #far: FarChildren;
  readonly #workshop: Workshop;

  constructor(private readonly options: ReconcilerOptions) {
    this.#writes = new OwnWrites(options.operator.name);
    this.#recreations = new Recreations({ ...options, resource: options.operator.resource });
    this.#optional = new OptionalKinds(options.operator.owns, options.kindOf);
    this.#far = new FarChildren({ ...options, writes: this.#writes });
    this.#workshop = {
      ...options,
      resourceOf: (child) => this.#resourceOf(child),
      far: this.#far,
      writes: this.#writes,
      recreations: this.#recreations,
    };
    const { drift } = options.operator;
    this.#policy = DriftPolicy.of({ ...drift, mode: options.driftMode ?? drift.mode });
  }

  /** The custom resources that an object concerns, of which no owner reference says so. */
  concernedBy(object: KubeObject): readonly string[] {
    return this.#far.concernedBy(object);
  }

  /** The custom resources that wait until the object goes which now went. */
  waitingFor(object: KubeObject): readonly string[] {
    return this.#refusals.of(keyOf(refOf(object)));
  }

  async reconcile(run: Run, signal: AbortSignal): Promise<Outcome> {
    const limit = this.options.limits.begin(signal);
    try {
      return await this.#round(run, limit.signal, signal);
    } finally {
      limit.end();
    }
  }

  /** `limited` is for what another round can do as well; `signal` for what has limits of its own, and for the end. */
  async #round({ key, reasons, id }: Run, limited: AbortSignal, signal: AbortSignal): Promise<Outcome> {
    const { operator, custom, occasions, authorCode, externals } = this.options;
    while (authorCode.rest !== undefined) await authorCode.rest;
    const [namespace, name] = splitKey(key);
    const cr = custom.get(namespace, name);
    if (!cr || (cr.metadata.deletionTimestamp !== undefined && !hasFinalizer(cr))) {
      // The garbage collector deletes the children, of which the custom resource is the owner; others are gone by now.
      this.#forget(key);
      return { type: 'gone' };
    }
    if (!this.#writes.areSeen(key)) {
      return { type: 'behind', againAfterMilliseconds: staleMilliseconds, because: 'own writes were not seen yet' };
    }
    const log = this.options.log.child({ namespace, name, reconcileID: id });
    if (cr.metadata.deletionTimestamp !== undefined) return this.#end(key, cr, log, limited, signal);
    if (isSuspended(cr)) return this.#conclude(key, cr, { type: 'suspended' }, undefined, log, signal);
    const refused = (thrown: unknown, now = cr) =>
      this.#conclude(key, now, { type: 'failed', error: asError(thrown), step: 'compose' }, undefined, log, signal);

    let occasion: Occasion;
    let composed: Composition;
    let policy: DriftPolicy;
    const mode = { until: undefined as number | undefined };
    try {
      // One that cannot be read must not be taken for an empty one.
      inventoryOf(cr);
      const asked = customResourceMode(cr, this.options.clock.now());
      policy = this.#policy.withFallback(asked?.mode);
      mode.until = asked?.until;
      occasion = occasions.of(key, cr);
      composed = this.#optional.without(authorCode.compose(occasion));
    } catch (error) {
      return refused(error);
    }

    let { unmet } = occasion;
    const { clock, events, telemetry } = this.options;
    const steps = this.#fights.damped(key, this.#plan(key, cr, composed.children, policy), clock.monotonic());
    // At once: what goes while the others are carried out has to be heard of.
    this.#refusals.clear(key);
    for (const step of steps) if (step.type === 'refuse') this.#refusals.add(key, keyOf(refOfStep(step)));
    const instead = await this.#recreations.instead(cr, steps, limited);
    if (instead) return instead;
    const doubt = doubtOf(steps, cr, operator.allowEmpty);
    if (doubt !== undefined) unmet ??= { reason: 'PruneSkipped', message: doubt, isStalled: true };
    const desiredNow = (signal: AbortSignal) => this.#desiredNow(key, cr, signal);
    const job = { key, cr, steps, desiredNow, isPruning: doubt === undefined, needs: composed.needs };
    const done = await carryOut(job, this.#workshop, limited);
    const { executed } = done;
    unmet ??= done.unmet;
    const changes = executed.map(({ entry }) => entry);
    const carriedOut = steps.filter((_, index) => executed[index]?.object);
    const begun = this.#fights.carriedOut(key, carriedOut, clock.monotonic());
    reportChanges(changes, { key, reasons, cr, log, events, telemetry, begun, told: this.#toldDrift });
    const outside = await externals.ensure(key, done.cr, signal);
    if (outside.cr !== done.cr) this.#writes.wrote(key, custom, outside.cr);
    const errors = [...executed, outside].flatMap(({ error }) => error ?? []);
    const failure = decisive(errors);

    while (authorCode.rest !== undefined) await authorCode.rest;
    const stored = (manifest: Manifest) =>
      this.options.kindOf(this.#resourceOf(manifest)).get(manifest.metadata.namespace, manifest.metadata.name);
    const children = newestChildren(composed.children, executed, stored);
    let author: Readonly<Record<string, unknown>> | undefined;
    try {
      const returned = Object.entries(composed.returned).map(([id, ref]) => [id, children.get(keyOf(ref))] as const);
      const observed = frozen(Object.fromEntries(returned));
      // What could not be looked at is as it was seen last.
      if (!outside.error) author = authorCode.status(occasion, observed, outside.states);
    } catch (error) {
      return refused(error, outside.cr);
    }
    const verdict: Verdict = failure
      ? { type: 'failed', error: failure, step: 'apply', fights: this.#fights.of(key) }
      : { type: 'applied', children: [...children.values()], drifted: changes, unmet, fights: this.#fights.of(key) };
    const outcome = orSooner(await this.#conclude(key, outside.cr, verdict, author, log, signal), errors);
    const ended = againAt(outcome, mode.until, clock.now(), 'the mode that was set has ended');
    // No jump of the wall clock draws a fight out, or ends one.
    const now = clock.monotonic();
    return againAt(ended, this.#fights.nextLook(key, now), now, 'a child is fought over');
  }

  /** What `cr` desires by what the API server has, where it reads anything: else the plan says it. */
  async #desiredNow(key: string, cr: KubeObject, signal: AbortSignal): Promise<ReadonlySet<string>> {
    const { operator, occasions, authorCode, cluster, kindOf } = this.options;
    if (Object.keys(operator.reads).length === 0) return new Set();
    const occasion = await occasions.live(key, cr, (resource, selection) =>
      kindOf(resource).live(cluster, selection, signal),
    );
    while (authorCode.rest !== undefined) await authorCode.rest;
    // With these inputs nothing was seen to end.
    authorCode.changed(key);
    const { children } = this.#optional.without(authorCode.compose(occasion));
    return new Set(children.map((child) => keyOf(refOf(child))));
  }

  #plan(key: string, cr: KubeObject, desired: readonly Manifest[], policy: DriftPolicy): Step[] {
    const { operator, kindOf, custom } = this.options;
    const near = this.#optional.served.flatMap((resource) => kindOf(resource).controlledBy(cr.metadata.uid));
    const controlled = [
      ...near,
      ...this.#far.of(key, cr).filter(({ metadata }) => !near.some((child) => child.metadata.uid === metadata.uid)),
    ];
    const observe = (manifest: Manifest) =>
      kindOf(this.#resourceOf(manifest)).get(manifest.metadata.namespace, manifest.metadata.name);
    // Of one whose owner reference was removed it is remembered whose it is.
    const known = [...controlled, ...desired.flatMap((manifest) => observe(manifest) ?? [])];
    this.#writes.keepOnly(key, new Set(known.map(({ metadata }) => metadata.uid)));
    return plan({
      owner: ownerOf(cr),
      manager: operator.name,
      desired,
      observe,
      controlled: controlled.filter((child) => !this.#writes.isPruned(key, child)),
      remembered: this.#writes.children(key),
      policy,
      adoption: { mode: operator.adopt, isAlive: (uid) => custom.list().some(({ metadata }) => metadata.uid === uid) },
      formerly: operator.formerly,
    });
  }

  /** What is to be done before a custom resource that is being deleted may go. */
  async #end(key: string, cr: KubeObject, log: Log, limited: AbortSignal, signal: AbortSignal): Promise<Outcome> {
    const { operator, cluster, externals, events } = this.options;
    const { name: manager, resource } = operator;
    const conclude = (verdict: Verdict) => this.#conclude(key, cr, verdict, undefined, log, signal);
    try {
      if (isForced(cr)) events.warn(cr, 'ForceReleased', 'It may leave behind what it had beyond its reach');
      else if (deletionPolicyOf(cr) === 'delete') await externals.remove(key, cr, signal);
      const ending = isForced(cr) ? ({ type: 'ended' } as const) : await this.#far.end(key, cr, limited);
      if (ending.type === 'waiting') return conclude({ type: 'ending', waitsFor: ending.waitsFor });
      await removeFinalizer(cr, { cluster, resource, manager, signal: limited });
      this.#forget(key);
      return { type: 'gone' };
    } catch (thrown) {
      return conclude({ type: 'failed', error: asError(thrown), step: 'prune' });
    }
  }

  /** Writes the status, if it says something new, and decides what comes next. */
  async #conclude(
    key: string,
    cr: KubeObject,
    verdict: Verdict,
    author: Readonly<Record<string, unknown>> | undefined,
    log: Log,
    signal: AbortSignal,
  ): Promise<Outcome> {
    const { operator, cluster, custom, clock } = this.options;
    if (verdict.type === 'failed' && isStale(verdict.error)) return outcomeOf(verdict, undefined);
    const { generation = 0 } = cr.metadata;
    const managers = [operator.name, ...operator.formerly];
    const isPaused = verdict.type === 'suspended';
    const before = isPaused ? ownConditionsIn(cr, managers) : [];
    const optional = isPaused ? [] : this.#optional.claims(generation);
    const outcome = outcomeOf(verdict, operator.requeueAfterSeconds);
    const found = conditionsOf(verdict, generation, before);
    // Of what will be tried again anyway there is a later moment to tell other words.
    const said = isTriedAgain(outcome) ? this.#told.worded(key, found, clock.monotonic()) : found;
    const claims = [...said, ...optional];
    const now = `${new Date(clock.now()).toISOString().slice(0, 19)}Z`;
    const status = statusToApply(cr, managers, author, claims, now, !isPaused);
    if (status) {
      try {
        const { name: fieldManager, resource } = operator;
        const write = { fieldManager, subresource: 'status', signal } as const;
        const applied = await cluster.apply(resource, status, { ...write, force: true });
        const stored = await withoutLost(
          applied,
          status['status'] as Readonly<Record<string, unknown>>,
          managers,
          cluster,
          resource,
          write,
        );
        this.#writes.wrote(key, custom, stored);
        this.#writes.vouch(key);
        if (isOnlyStatus(cr, stored, status)) this.options.echoes.answered(key, stored);
      } catch (error) {
        const isNews = error instanceof NotFoundError || error instanceof ConflictError;
        if (!isNews) log.error('Failed to write the status', { error: messageOf(asError(error)) });
        const first = decisive([asError(error), ...(verdict.type === 'failed' ? [verdict.error] : [])]);
        // Who was asked to wait waits, though it is gone by now, or another: the next of the name is as much work.
        if (first instanceof RetryAfterError) return waitFor(first);
        if (error instanceof NotFoundError) return { type: 'gone' };
        if (error instanceof ConflictError) return outcomeOf({ type: 'failed', error, step: 'apply' }, undefined);
        return { type: 'retry', because: 'the status could not be written', failure: 'transient' };
      }
    }
    this.#tell(key, cr, verdict, said, status !== undefined, log);
    return outcome;
  }

  /** Tells what is wrong for the first time, or in other words, and that nothing is any more. `isWritten`: so is the status. */
  #tell(
    key: string,
    cr: KubeObject,
    verdict: Verdict,
    [ready, second]: readonly ConditionClaim[],
    isWritten: boolean,
    log: Log,
  ): void {
    if (!ready || verdict.type === 'suspended') return;
    const { events, telemetry, clock } = this.options;
    const { reason, message } = ready;
    const isFailed = verdict.type === 'failed';
    if (isFailed) telemetry.failed(reason);
    if (isFailed || second?.type === 'Stalled') {
      const isNews = this.#told.tell(key, ready, clock.monotonic());
      if (isNews && isFailed) log.error('Failed to reconcile', { error: message });
      else if (isNews) log.warn('Waits until somebody changes something', { reason, error: message });
      else if (isFailed) log.debug('Failed to reconcile again', { error: message });
      if (isNews && isWritten) events.warn(cr, reason, message);
    } else if (ready.status !== 'True') {
      this.#told.over(key);
    } else if (this.#told.well(key)) {
      log.info('Is well again', { reason });
      events.normal(cr, reason, message);
    }
  }

  #resourceOf(child: { readonly apiVersion: string; readonly kind: string }): ApiResource {
    const resource = this.options.operator.owns.find((owned) => groupKindOf(owned) === groupKindOf(child));
    if (!resource) throw new Error(`${child.kind} is composed and not owned`);
    return resource;
  }

  #forget(key: string): void {
    this.#writes.forget(key);
    this.options.echoes.forget(key);
    this.#refusals.clear(key);
    this.#told.forget(key);
    this.#toldDrift.forget(key);
    this.#fights.forget(key);
    this.options.inputs.forget(key);
    this.options.authorCode.forget(key);
    this.options.externals.forget(key);
    this.options.consents.forget(key);
    this.#far.forget(key);
  }
}
