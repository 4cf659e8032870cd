/** Longer than most files: one round, told in order, whose parts are in files of their own. */
import { ConflictError, InvalidError, isGone, RetryAfterError } from '../client/api-error.js';
import type { Cluster } from '../client/cluster.js';
import type { Composition } from '../compose/composition.js';
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
import { frozen } from '../kube/frozen.js';
import type { KubeObject, Manifest } from '../kube/manifest.js';
import { keyOf, refOf, show } from '../kube/object-ref.js';
import type { AuthorCode } from './author-code.js';
import { bondOf } from './bond-of.js';
import { carryOut, type Done, type Workshop } from './carry-out.js';
import { Confirmation, confirmEnd, vouched } from './confirmation.js';
import type { Consents } from './consents.js';
import { Discretion } from './discretion.js';
import type { Drifted } from './drift-message.js';
import type { Echoes } from './echoes.js';
import type { Events } from './events.js';
import { StrayError } from './external-error.js';
import type { Externals } from './externals.js';
import { FarChildren, ownerOf } from './far-children.js';
import { FightRecord } from './fight-record.js';
import { hasFinalizer, isForced, removeFinalizer } from './finalizer.js';
import { LastingConflicts } from './lasting-conflicts.js';
import type { Log } from './log.js';
import { neededKinds, notServed } from './needed-kinds.js';
import { newestChildren } from './newest-children.js';
import type { Occasion, Occasions } from './occasions.js';
import { onceOverdue } from './once-overdue.js';
import { OptionalKinds } from './optional-kinds.js';
import { againAt, decisive, isStale, isTriedAgain, type Outcome, orSooner, outcomeOf, waitFor } from './outcome.js';
import { ownConditionsIn, withoutLost } from './own-status.js';
import { OwnWrites } from './own-writes.js';
import { Patience } from './patience.js';
import { splitKey } from './queue-key.js';
import type { ReadInputs } from './read-inputs.js';
import { Recreations } from './recreations.js';
import { Refusals } from './refusals.js';
import { RefusedWrites } from './refused-writes.js';
import { reportChanges } from './report-changes.js';
import type { RoundLimits } from './round-limits.js';
import { conditionsOf, type Failed, isOfThisGeneration, messageOf, statusToApply, type Verdict } from './status.js';
import { isOnlyStatus } from './status-echo.js';
import { reportStatusFight, StatusFights } from './status-fights.js';
import { isSuspended } from './suspension.js';
import type { ControllerTelemetry } from './telemetry.js';
import { TimeLimitError } from './time-limit.js';
import { ToldDrift } from './told-drift.js';
import { ToldErrors } from './told-errors.js';
import type { WatchedKind } from './watched-kind.js';

/** One round for one custom resource. `id` is on every line of the log that it writes. */
export interface Run {
  readonly key: string;
  readonly reasons: readonly string[];
  readonly id: string;
}

/** What the parts of a round have in common. */
interface Round extends Pick<Run, 'key'> {
  readonly log: Log;
  readonly discretion: Discretion;
  readonly signal: AbortSignal;
  readonly patience: Patience;
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
  readonly #refused: RefusedWrites;
  readonly #told = new ToldErrors();
  readonly #toldDrift = new ToldDrift();
  readonly #foundDrift = new ToldDrift();
  readonly #conflicts = new LastingConflicts();
  /** Of a status that could not be written. */
  readonly #toldUnwritten = new ToldErrors();
  readonly #fights = new FightRecord();
  readonly #statusFights = new StatusFights();
  readonly #policy: DriftPolicy;
  readonly #optional: OptionalKinds;
  readonly #needed: readonly ApiResource[];
  /** The uids of all custom resources, where adoption depends on them. */
  readonly #alive = new Set<string>();
  readonly #far: FarChildren;
  readonly #workshop: Workshop;

  constructor(private readonly options: ReconcilerOptions) {
    this.#writes = new OwnWrites(options.operator.name);
    this.#refused = new RefusedWrites(options.operator.name, options.clock);
    this.#recreations = new Recreations({ ...options, resource: options.operator.resource });
    this.#optional = new OptionalKinds(options.operator.owns, options.kindOf);
    this.#needed = neededKinds(options.operator);
    this.#far = new FarChildren({ ...options, writes: this.#writes });
    const { drift, adopt } = options.operator;
    if (adopt === 'always') {
      options.custom.subscribe(({ type, object: { metadata } }) =>
        type === 'deleted' ? this.#alive.delete(metadata.uid) : this.#alive.add(metadata.uid),
      );
    }
    this.#policy = DriftPolicy.of({ ...drift, mode: options.driftMode ?? drift.mode });
    this.#workshop = {
      ...options,
      policy: this.#policy,
      resourceOf: (child) => this.#resourceOf(child),
      far: this.#far,
      writes: this.#writes,
      recreations: this.#recreations,
      refused: this.#refused,
      found: this.#foundDrift,
    };
  }

  /** The custom resources that an object concerns, of which no owner reference says so. */
  concernedBy(object: KubeObject): readonly string[] {
    return this.#far.concernedBy(object);
  }

  /** The custom resources that wait until the object goes which now went. */
  waitingFor(object: KubeObject): readonly string[] {
    return this.#refusals.of(keyOf(refOf(object)));
  }

  /** The custom resources that may take what another, which is gone, has left: of that no event of its own tells. */
  get heirs(): readonly string[] {
    return this.options.operator.adopt === 'always' ? this.#refusals.all : [];
  }

  /** What was told of it was told of another, if its name is given again. */
  went(key: string): void {
    this.#told.forget(key);
    this.#toldUnwritten.forget(key);
  }

  async reconcile(run: Run, signal: AbortSignal): Promise<Outcome> {
    const limit = this.options.limits.begin(signal);
    const patience = new Patience(this.options.clock);
    try {
      return patience.before(await this.#round(run, limit.signal, signal, patience));
    } finally {
      limit.end();
    }
  }

  /** `limited` is for what another round can do as well; `signal` for what has limits of its own, and for the end. */
  async #round(
    { key, reasons, id }: Run,
    limited: AbortSignal,
    signal: AbortSignal,
    patience: Patience,
  ): Promise<Outcome> {
    const { operator, custom, authorCode, externals, clock } = this.options;
    const began = clock.monotonic();
    while (authorCode.rest !== undefined) await authorCode.rest;
    const [namespace, name] = splitKey(key);
    const cr = custom.get(namespace, name);
    if (!cr || (cr.metadata.deletionTimestamp !== undefined && !hasFinalizer(cr))) {
      // The garbage collector deletes the children, of which the custom resource is the owner; others are gone by now.
      this.#forget(key);
      return { type: 'gone' };
    }
    // Nothing can be said on it, and whether it is wanted is not known: all are looked at anew when their kind is back.
    if (!custom.isServed) return { type: 'done' };
    if (!this.#writes.areSeen(key)) {
      return { type: 'behind', againAfterMilliseconds: staleMilliseconds, because: 'own writes were not seen yet' };
    }
    const log = this.options.log.child({ namespace, name, reconcileID: id });
    const discretion = new Discretion(cr, this.#policy);
    const round: Round = { key, log, discretion, signal, patience };
    if (cr.metadata.deletionTimestamp !== undefined) return this.#end(round, cr);
    if (isSuspended(cr)) return this.#conclude(round, cr, { type: 'suspended' }, undefined);
    // An API server that is only starting answers 503: a kind that is not known to it is one that somebody took away.
    const absent = this.#needed.filter((resource) => !this.options.kindOf(resource).isServed);
    if (absent.length > 0) {
      const verdict: Verdict = { type: 'applied', children: [], unmet: notServed(absent) };
      return this.#conclude(round, cr, verdict, undefined);
    }
    let occasion: Occasion;
    let composed: Composition;
    let policy: DriftPolicy;
    const mode = { until: undefined as number | undefined };
    try {
      // One that cannot be read must not be taken for an empty one.
      inventoryOf(cr);
      const asked = customResourceMode(cr, clock.now());
      policy = this.#policy.withFallback(asked?.mode);
      mode.until = asked?.until;
      occasion = authorCode.occasion(key, cr);
      discretion.saw(Object.values(occasion.inputs).flat());
      composed = this.#optional.without(authorCode.compose(occasion));
      discretion.saw(composed.children);
    } catch (thrown) {
      const failed: Failed = { type: 'failed', error: discretion.error(thrown), step: 'compose' };
      return this.#conclude(round, cr, failed, undefined);
    }

    let { unmet } = occasion;
    const { cluster, events, telemetry } = this.options;
    const steps = this.#fights.damped(key, this.#plan(key, cr, composed.children, policy), clock.monotonic());
    this.#refused.keepOnly(key, steps);
    // At once: what goes while the others are carried out has to be heard of.
    this.#refusals.clear(key);
    for (const step of steps) if (step.type === 'refuse') this.#refusals.add(key, keyOf(refOfStep(step)));
    const instead = await this.#recreations.instead(cr, steps, limited);
    if (instead) return instead;
    const doubt = doubtOf(steps, cr, operator.allowEmpty);
    if (doubt !== undefined) unmet ??= { reason: 'PruneSkipped', message: doubt, isStalled: true };
    discretion.saw(steps.map((step) => ('observed' in step ? step.observed : undefined)));
    const desiredNow = (signal: AbortSignal) => this.#desiredNow(key, cr, discretion, signal);
    // As it was found: what fails is no reason to take it for gone.
    const reported: Drifted = steps.flatMap((step) =>
      'reported' in step ? { ref: refOfStep(step), reported: step.reported } : [],
    );
    const sayBegun = (sofar: Done, message: string) => {
      const error = decisive(sofar.executed.flatMap((each) => discretion.executed(each).error ?? []));
      const progressing = { reason: 'Progressing', message: `${show(refOf(cr))}: ${message}`, isStalled: false };
      const found = { drifted: reported, fights: this.#fights.of(key) };
      const verdict: Verdict =
        error && !isStale(error)
          ? { type: 'failed', error, step: 'apply', ...found }
          : { type: 'applied', children: [], unmet: unmet ?? sofar.unmet ?? progressing, ...found };
      return this.#sayBegun(round, sofar.cr, verdict);
    };
    const isNew = !isOfThisGeneration(cr);
    let said = -1;
    const beside = (sofar: Done) => {
      // Once that it is under way, and once that something failed.
      const errors = sofar.executed.some(({ error }) => error !== undefined) ? 1 : 0;
      if (!isNew || said >= errors) return () => Promise.resolve(sofar.cr);
      let now = sofar.cr;
      const say = async () => {
        if (limited.aborted) return;
        said = errors;
        now = await sayBegun(sofar, `${sofar.executed.length} of ${steps.length} children have been looked at`);
      };
      const end = onceOverdue(clock, say, began);
      return async () => {
        await end();
        return now;
      };
    };
    const isPruning = doubt === undefined;
    const job = { key, cr, steps, desiredNow, beside, isPruning, needs: composed.needs };
    const done = await carryOut(job, this.#workshop, limited);
    const executed = done.executed.map((each) => discretion.executed(each));
    unmet ??= done.unmet;
    const changes = executed.map(({ entry }) => entry);
    const carriedOut = steps.filter((_, index) => executed[index]?.object);
    const fought = this.#fights.carriedOut(key, carriedOut, clock.monotonic());
    reportChanges(changes, { key, reasons, cr, log, events, telemetry, begun: fought, told: this.#toldDrift });
    const confirm = () =>
      vouched(key, this.#writes, new Confirmation(done.cr, { cluster, resource: operator.resource }, limited));
    const fights = this.#fights.of(key);
    const inside = executed.flatMap(({ error }) => error ?? []);
    const overdue = (held: KubeObject, name: string) => sayBegun({ ...done, cr: held }, `${name} has not answered yet`);
    const terms = { mode: policy.mode, confirm, overdue: isOfThisGeneration(done.cr) ? undefined : overdue };
    const outside = await externals.ensure(key, done.cr, terms, signal);
    if (outside.cr !== done.cr) this.#writes.wrote(key, custom, outside.cr);
    reportChanges(outside.drift, { key, reasons, cr, log, events, telemetry, begun: [], told: this.#toldDrift });
    const drifted = [...reported, ...outside.drift];
    const outsideErrors = outside.errors.map((each) => discretion.error(each));
    const errors = [...inside, ...outsideErrors];
    const error = decisive(errors);
    let failed: Failed | undefined = error && { type: 'failed', error, step: 'apply', drifted, fights };

    while (authorCode.rest !== undefined) await authorCode.rest;
    const stored = (manifest: Manifest) =>
      this.options.kindOf(this.#resourceOf(manifest)).get(manifest.metadata.namespace, manifest.metadata.name);
    const children = newestChildren(composed.children, executed, stored);
    discretion.saw(children.values());
    let author: Readonly<Record<string, unknown>> | undefined;
    try {
      const returned = Object.entries(composed.returned).map(([id, ref]) => [id, children.get(keyOf(ref))] as const);
      const observed = frozen(Object.fromEntries(returned));
      // What could not be looked at is as it was seen last.
      if (outside.isSeen) author = authorCode.status(occasion, observed, outside.states);
    } catch (thrown) {
      // It may well throw for want of a child that could not be made. That it does not end has to be known at the next start.
      if (!failed || thrown instanceof TimeLimitError)
        failed = { type: 'failed', error: discretion.error(thrown), step: 'compose', drifted, fights };
    }
    const verdict = failed ?? { type: 'applied', children: [...children.values()], drifted, unmet, fights };
    const polls = [operator.requeueAfterSeconds, outside.pollSeconds].filter((seconds) => seconds !== undefined);
    const soonest = polls.length === 0 ? undefined : Math.min(...polls);
    const next = (outcome: Outcome) => orSooner(outcome, errors, soonest);
    const outcome = await this.#conclude(round, outside.cr, verdict, author, next);
    const ended = againAt(outcome, mode.until, clock.now(), 'the mode that was set has ended');
    // No jump of the wall clock draws a fight out, or ends one.
    const now = clock.monotonic();
    const calmed = againAt(ended, this.#fights.nextLook(key, now), now, 'a child is fought over');
    return againAt(calmed, this.#refused.nextLook(key, now), now, 'the API server refused a child');
  }

  /** What `cr` desires by what the API server has, where it reads anything: else the plan says it. */
  async #desiredNow(
    key: string,
    cr: KubeObject,
    discretion: Discretion,
    signal: AbortSignal,
  ): Promise<ReadonlySet<string>> {
    const { operator, occasions, authorCode, cluster, kindOf } = this.options;
    if (Object.keys(operator.reads).length === 0) return new Set();
    const occasion = await occasions.live(key, cr, (resource, selection) =>
      kindOf(resource).live(cluster, selection, signal),
    );
    discretion.saw(Object.values(occasion.inputs).flat());
    while (authorCode.rest !== undefined) await authorCode.rest;
    // With these inputs nothing was seen to end.
    authorCode.changed(key);
    const { children } = this.#optional.without(authorCode.compose(occasion));
    return new Set(children.map((child) => keyOf(refOf(child))));
  }

  #plan(key: string, cr: KubeObject, desired: readonly Manifest[], policy: DriftPolicy): Step[] {
    const { operator, kindOf } = this.options;
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
      adoption: { mode: operator.adopt, isAlive: (uid) => this.#alive.has(uid) },
      removal: operator.removalOf?.(cr),
      bond: () => bondOf(operator, cr),
      formerly: operator.formerly,
    });
  }

  /** What is to be done before a custom resource that is being deleted may go. */
  async #end(round: Round, cr: KubeObject): Promise<Outcome> {
    const { operator, cluster, externals, events, limits } = this.options;
    const { name: manager, resource } = operator;
    const { key, discretion, signal } = round;
    const conclude = (verdict: Verdict) => this.#conclude(round, cr, verdict, undefined);
    try {
      if (isForced(cr)) events.warn(cr, 'ForceReleased', 'It may leave behind what it had beyond its reach');
      else if (deletionPolicyOf(cr) === 'delete')
        await externals.remove(key, cr, () => confirmEnd(cr, { cluster, resource }, signal), signal);
      // What was removed outside had its own time, however many there were.
      const limit = limits.begin(signal);
      try {
        const ending = isForced(cr) ? ({ type: 'ended' } as const) : await this.#far.end(key, cr, limit.signal);
        if (ending.type === 'waiting') return conclude({ type: 'ending', waitsFor: ending.waitsFor });
        await removeFinalizer(cr, { cluster, resource, manager, signal: limit.signal });
      } finally {
        limit.end();
      }
      this.#forget(key);
      return { type: 'gone' };
    } catch (thrown) {
      try {
        discretion.saw(this.#far.of(key, cr));
      } catch {
        // It cannot be read, which is what was thrown, or comes next.
      }
      return conclude({ type: 'failed', error: discretion.error(thrown), step: 'prune' });
    }
  }

  /**
   * Says of a generation of which nothing was said yet that it is begun, and answers the custom resource as it is then. The end
   * of the round says more, or finds by a conflict what kept this from being written.
   */
  async #sayBegun(round: Round, cr: KubeObject, verdict: Verdict): Promise<KubeObject> {
    try {
      const { generation = 0 } = cr.metadata;
      const claims = [...conditionsOf(verdict, generation), ...this.#optional.claims(generation)];
      const status = statusToApply(cr, this.#managers, undefined, claims, this.#now(), 'begun');
      return status ? await this.#write(round, cr, status) : cr;
    } catch (thrown) {
      round.log.debug('Failed to say that it is begun', { error: messageOf(round.discretion.error(thrown)) });
      return cr;
    }
  }

  get #managers(): readonly string[] {
    return [this.options.operator.name, ...this.options.operator.formerly];
  }

  /** As conditions have it. */
  #now(): string {
    return `${new Date(this.options.clock.now()).toISOString().slice(0, 19)}Z`;
  }

  /** Writes `status`, of the very version of `cr`, and answers what is stored then. */
  async #write({ key, signal, patience }: Round, cr: KubeObject, status: Manifest): Promise<KubeObject> {
    const { operator, cluster, custom, echoes } = this.options;
    const { name: fieldManager, resource } = operator;
    const write = { fieldManager, subresource: 'status', signal } as const;
    const applied = await patience.with(() => cluster.apply(resource, status, { ...write, force: true }));
    const said = status['status'] as Readonly<Record<string, unknown>>;
    const stored = await withoutLost(applied, said, this.#managers, cluster, resource, write);
    this.#writes.wrote(key, custom, stored);
    this.#writes.vouch(key);
    if (isOnlyStatus(cr, stored, status)) echoes.answered(key, stored);
    return stored;
  }

  /** Writes the status, if it says something new, and decides what comes next, of which `next` knows more. */
  async #conclude(
    round: Round,
    cr: KubeObject,
    verdict: Verdict,
    author: Readonly<Record<string, unknown>> | undefined,
    next: (outcome: Outcome) => Outcome = (outcome) => outcome,
  ): Promise<Outcome> {
    const { operator, clock, events, telemetry } = this.options;
    const { key, log, discretion } = round;
    const isBehind = verdict.type === 'failed' && isStale(verdict.error);
    if (isBehind && !this.#conflicts.met(key, clock.monotonic())) return outcomeOf(verdict, undefined);
    const { generation = 0 } = cr.metadata;
    const isPaused = verdict.type === 'suspended';
    const before = isPaused ? ownConditionsIn(cr, this.#managers) : [];
    const optional = isPaused ? [] : this.#optional.claims(generation);
    const outcome = next(outcomeOf(verdict, operator.requeueAfterSeconds));
    const found = conditionsOf(verdict, generation, before);
    // Of what will be tried again anyway there is a later moment to tell other words.
    const said = isTriedAgain(outcome) ? this.#told.worded(key, found, clock.monotonic()) : found;
    const claims = [...said, ...optional];
    const handling = isPaused ? 'left' : 'handled';
    const news = statusToApply(cr, this.#managers, author, claims, this.#now(), handling);
    const heldUntil = news && this.#statusFights.heldUntil(key, cr, news, clock.monotonic());
    const status = heldUntil === undefined ? news : undefined;
    if (status) {
      try {
        await this.#write(round, cr, status);
        this.#toldUnwritten.well(key);
        const isFight = this.#statusFights.said(key, cr, status, clock.monotonic());
        if (isFight) reportStatusFight(status, { cr, managers: this.#managers, log, events, telemetry });
      } catch (thrown) {
        const error = discretion.error(thrown);
        if (error instanceof InvalidError && author !== undefined) {
          // What the author's fields are to blame for, the status has to tell without them.
          log.debug('The API server refuses the status', { error: messageOf(error) });
          const failed: Failed =
            verdict.type === 'failed' ? verdict : { ...verdict, type: 'failed', error, step: 'compose' };
          return this.#conclude(round, cr, failed, undefined, next);
        }
        const isConflict = error instanceof ConflictError;
        const isTrouble = isConflict ? this.#conflicts.met(key, clock.monotonic()) : !isGone(error);
        if (isTrouble) this.#tellUnwritten(key, cr, error, log);
        const first = decisive([error, ...(verdict.type === 'failed' ? [verdict.error] : [])]);
        // Who was asked to wait waits, though it is gone by now, or another: the next of the name is as much work.
        if (first instanceof RetryAfterError) return waitFor(first);
        if (isGone(error)) return { type: 'gone' };
        if (isConflict) return outcomeOf({ type: 'failed', error, step: 'apply' }, undefined);
        return next({ type: 'retry', because: 'the status could not be written', failure: 'transient' });
      }
    }
    if (!isBehind) this.#conflicts.over(key);
    this.#tell(key, cr, verdict, said, status !== undefined, log);
    if (verdict.type === 'failed' && verdict.error instanceof StrayError) this.options.externals.told(key);
    return againAt(outcome, heldUntil, clock.monotonic(), 'its status is fought over');
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

  /** Where the status cannot say what is wrong, what is wrong with it has to be told elsewhere, once for the same. */
  #tellUnwritten(key: string, cr: KubeObject, error: Error, log: Log): void {
    const { events, telemetry, clock } = this.options;
    const [ready] = conditionsOf({ type: 'failed', error, step: 'apply' }, cr.metadata.generation ?? 0, []);
    if (!ready) return;
    telemetry.failed(ready.reason);
    const isNews = this.#toldUnwritten.tell(key, ready, clock.monotonic());
    const level = isNews ? 'error' : 'debug';
    log[level]('Failed to write the status', { error: messageOf(error) });
    if (isNews) events.warn(cr, ready.reason, ready.message);
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
    this.#refused.forget(key);
    this.#told.forget(key);
    this.#toldDrift.forget(key);
    this.#foundDrift.forget(key);
    this.#conflicts.over(key);
    this.#toldUnwritten.forget(key);
    this.#fights.forget(key);
    this.#statusFights.forget(key);
    this.options.inputs.forget(key);
    this.options.authorCode.forget(key);
    this.options.externals.forget(key);
    this.options.consents.forget(key);
    this.#far.forget(key);
  }
}
