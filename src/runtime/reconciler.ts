/** Longer than most files: one round, told in order, whose parts are in files of their own. */
import { isNamespaceEnding } from '../client/api-error.js';
import type { Cluster } from '../client/cluster.js';
import type { Composition } from '../compose/composition.js';
import type { Operator } from '../compose/operator.js';
import { customResourceMode } from '../drift/custom-resource-mode.js';
import { DriftPolicy } from '../drift/drift-policy.js';
import { doubtOf } from '../drift/empty-composition.js';
import { inventoryOf } from '../drift/inventory.js';
import { plan, refOfStep, type Step } from '../drift/plan.js';
import { type ApiResource, kindAmong } from '../kube/api-resource.js';
import type { Clock } from '../kube/clock.js';
import { deletionPolicyOf } from '../kube/deletion-policy.js';
import type { DriftMode } from '../kube/drift-mode.js';
import { frozen } from '../kube/frozen.js';
import type { KubeObject, Manifest } from '../kube/manifest.js';
import { keyOf, refOf, show } from '../kube/object-ref.js';
import type { AuthorCode } from './author-code.js';
import { bondOf } from './bond-of.js';
import { carryOut, type Done, stepOf } from './carry-out.js';
import { Conclusions, type Round } from './conclusions.js';
import { Confirmation, confirmEnd, vouched } from './confirmation.js';
import type { Consents } from './consents.js';
import { Discretion } from './discretion.js';
import { type Drifted, driftMessage } from './drift-message.js';
import type { Echoes } from './echoes.js';
import type { Events } from './events.js';
import type { Externals } from './externals.js';
import { FarChildren, ownerOf } from './far-children.js';
import { FightRecord } from './fight-record.js';
import { hasFinalizer, isForced, removeFinalizer, unheededForce } from './finalizer.js';
import { LateWatches } from './late-watches.js';
import type { Log } from './log.js';
import { neededKinds, notServed } from './needed-kinds.js';
import { newestChildren } from './newest-children.js';
import type { Occasion, Occasions } from './occasions.js';
import { onceOverdue } from './once-overdue.js';
import { OptionalKinds } from './optional-kinds.js';
import { againAt, decisive, isStale, type Outcome, orSooner } from './outcome.js';
import { driftShownBy, isOfThisGeneration } from './own-status.js';
import { OwnWrites } from './own-writes.js';
import { Patience } from './patience.js';
import { splitKey } from './queue-key.js';
import type { ReadInputs } from './read-inputs.js';
import { Recreations } from './recreations.js';
import { Refusals } from './refusals.js';
import { RefusedWrites } from './refused-writes.js';
import { reportChanges } from './report-changes.js';
import type { Rollout } from './rollout.js';
import type { RoundLimits } from './round-limits.js';
import { conditionsOf, type Failed, type Verdict } from './status.js';
import { isSuspended, refuseUnknownSuspension } from './suspension.js';
import type { ControllerTelemetry } from './telemetry.js';
import { TimeLimitError } from './time-limit.js';
import { ToldDrift } from './told-drift.js';
import { ToldWarnings } from './told-warnings.js';
import type { Tracing } from './tracing.js';
import { UnsteadyCode } from './unsteady-code.js';
import type { WatchedKind } from './watched-kind.js';
import type { Workshop } from './workshop.js';

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
  readonly tracing?: Tracing | undefined;
  /** In place of the operator's own mode. */
  readonly driftMode?: DriftMode | undefined;
  readonly authorCode: AuthorCode;
  readonly externals: Externals;
  readonly limits: RoundLimits;
  /** Absent: whatever this version composes otherwise is changed at once. */
  readonly rollout?: Rollout | undefined;
}

/** While our own writes have not come back there is nothing to decide on; the event itself asks again. */
const behind = { type: 'behind', againAfterMilliseconds: 1000, because: 'own writes were not seen yet' } as const;
const stillBehind: Outcome = { ...behind, againAfterMilliseconds: 10_000, failure: 'transient' };

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
  readonly #toldDrift = new ToldDrift();
  readonly #toldOutside = new ToldDrift();
  readonly #foundDrift = new ToldDrift();
  readonly #fights = new FightRecord();
  readonly #unsteady: UnsteadyCode;
  readonly #warned = new ToldWarnings();
  readonly #policy: DriftPolicy;
  readonly #optional: OptionalKinds;
  readonly #needed: readonly ApiResource[];
  /** The uids of all custom resources, where adoption depends on them. */
  readonly #alive = new Set<string>();
  readonly #far: FarChildren;
  readonly #workshop: Workshop;
  readonly #conclusions: Conclusions;
  readonly #late = new LateWatches();

  constructor(private readonly options: ReconcilerOptions) {
    this.#writes = new OwnWrites(options.operator.name);
    this.#unsteady = new UnsteadyCode(options.operator.name);
    this.#refused = new RefusedWrites(options.operator.name, options.clock);
    this.#recreations = new Recreations({ ...options, resource: options.operator.resource });
    this.#optional = new OptionalKinds(options.operator.owns, options.kindOf);
    this.#needed = neededKinds(options.operator);
    this.#far = new FarChildren({ ...options, writes: this.#writes });
    this.#conclusions = new Conclusions({ ...options, writes: this.#writes, optional: this.#optional });
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
    this.#conclusions.went(key);
  }

  reconcile(run: Run, signal: AbortSignal): Promise<Outcome> {
    const { tracing, operator } = this.options;
    if (!tracing) return this.#limited(run, signal);
    const [namespace, name] = splitKey(run.key);
    const round = { ...run, operator: operator.name, kind: operator.resource.kind, namespace, name };
    return tracing.round(round, () => this.#limited(run, signal));
  }

  async #limited(run: Run, signal: AbortSignal): Promise<Outcome> {
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
    const unseen = this.#writes.unseen(key);
    const late = unseen && this.#late.waited(key, unseen, clock.monotonic());
    if (!unseen) this.#late.over(key);
    // Of its own kind no status could be written either: that has to be of the version that the server has.
    else if (!late || unseen.kind === custom) return behind;
    const log = this.options.log.child({ namespace, name, reconcileID: id, ...this.options.tracing?.ids() });
    const discretion = new Discretion(cr, this.#policy);
    const round: Round = { key, log, discretion, signal, patience };
    const isGoing = cr.metadata.deletionTimestamp !== undefined;
    if (isGoing || isSuspended(cr)) this.options.rollout?.settled(key);
    if (isGoing && (!late || isForced(cr))) return this.#end(round, cr);
    if (!isGoing && isSuspended(cr)) return this.#conclusions.conclude(round, cr, { type: 'suspended' }, undefined);
    if (late) {
      const failed: Failed = { type: 'failed', error: discretion.error(late), step: isGoing ? 'prune' : 'apply' };
      return this.#conclusions.conclude(round, cr, failed, undefined, () => stillBehind);
    }
    // An API server that is only starting answers 503: a kind that is not known to it is one that somebody took away.
    const absent = this.#needed.filter((resource) => !this.options.kindOf(resource).isServed);
    if (absent.length > 0) {
      this.options.rollout?.leavesLine(key);
      const verdict: Verdict = { type: 'applied', children: [], unmet: notServed(absent) };
      return this.#conclusions.conclude(round, cr, verdict, undefined);
    }
    let occasion: Occasion;
    let given: Composition;
    let composed: Composition;
    let policy: DriftPolicy;
    const mode = { until: undefined as number | undefined };
    try {
      // One that cannot be read must not be taken for an empty one.
      inventoryOf(cr);
      refuseUnknownSuspension(cr);
      const asked = customResourceMode(cr, clock.now());
      policy = this.#policy.withFallback(asked?.mode);
      mode.until = asked?.until;
      occasion = authorCode.occasion(key, cr);
      discretion.saw(Object.values(occasion.inputs).flat());
      given = this.#unsteady.kept(occasion, clock.monotonic()) ?? authorCode.compose(occasion);
      composed = this.#optional.without(given);
      discretion.saw(composed.children);
    } catch (thrown) {
      this.options.rollout?.leavesLine(key);
      const failed: Failed = { type: 'failed', error: discretion.error(thrown), step: 'compose' };
      return this.#conclusions.conclude(round, cr, failed, undefined);
    }

    let { unmet } = occasion;
    const { cluster, events, telemetry } = this.options;
    const planned = discretion.steps(this.#plan(key, cr, composed.children, policy));
    const steps = this.#fights.damped(key, planned, clock.monotonic());
    if (this.options.rollout?.admits(key, cr, steps) === false) return { type: 'done' };
    this.#refused.keepOnly(key, steps);
    for (const told of [this.#toldDrift, this.#foundDrift]) told.keepOnly(key, steps);
    // At once: what goes while the others are carried out has to be heard of.
    this.#refusals.clear(key);
    for (const step of steps) if (step.type === 'refuse') this.#refusals.add(key, keyOf(refOfStep(step)));
    const instead = await this.#recreations.instead(cr, steps, limited);
    if (instead) return instead;
    const doubt = doubtOf(steps, cr, operator.allowEmpty);
    if (doubt !== undefined) unmet ??= { reason: 'PruneSkipped', message: doubt, isStalled: true };
    const desiredNow = (signal: AbortSignal) => this.#desiredNow(key, cr, discretion, signal);
    // As it was found: what fails is no reason to take it for gone.
    const unwanted = this.#workshop.consents.unwanted(key, cr, steps);
    const reported: Drifted = steps.flatMap((step) =>
      'reported' in step && !unwanted.has(step) ? { ref: refOfStep(step), reported: step.reported } : [],
    );
    const sayBegun = (sofar: Done, message: string) => {
      const told = sofar.executed.map((each) => discretion.executed(each));
      const error = decisive(told.flatMap((each) => each.error ?? []));
      const progressing = { reason: 'Progressing', message: `${show(refOf(cr))}: ${message}`, isStalled: false };
      const found = { drifted: reported, fights: this.#fights.of(key) };
      const verdict: Verdict =
        error && !isStale(error)
          ? { type: 'failed', error, step: stepOf(error, told), ...found }
          : { type: 'applied', children: [], unmet: unmet ?? sofar.unmet ?? progressing, ...found };
      return this.#conclusions.sayBegun(round, sofar.cr, verdict);
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
    this.#unsteady.carriedOut(occasion, given, steps, done.executed, clock.monotonic());
    unmet ??= this.#unsteady.unmet(occasion, clock.monotonic()) ?? done.unmet;
    const changes = executed.map(({ entry }) => entry);
    const carriedOut = steps.filter((_, index) => executed[index]?.object);
    const fought = this.#fights.carriedOut(key, carriedOut, clock.monotonic());
    const told = { told: this.#toldDrift, warned: this.#warned };
    const toldOutside = { ...told, told: this.#toldOutside };
    const isFirst = this.#toldDrift.begins(key);
    const isShown = (drifted: Drifted) => isFirst && driftShownBy(cr) === driftMessage(drifted);
    reportChanges(changes, {
      key,
      reasons,
      cr,
      log,
      events,
      telemetry,
      begun: fought,
      ...told,
      isShown: isShown(reported),
    });
    const confirm = () =>
      vouched(key, this.#writes, new Confirmation(done.cr, { cluster, resource: operator.resource }, limited));
    const fights = this.#fights.of(key);
    const inside = executed.flatMap(({ error }) => error ?? []);
    const overdue = (held: KubeObject, name: string) => sayBegun({ ...done, cr: held }, `${name} has not answered yet`);
    const terms = { mode: policy.mode, confirm, overdue: isOfThisGeneration(done.cr) ? undefined : overdue };
    const outside = await externals.ensure({ ...occasion, cr: done.cr }, terms, signal);
    if (outside.cr !== done.cr) this.#writes.wrote(key, custom, outside.cr);
    const drifted = [...reported, ...outside.drift];
    const report = { key, reasons, cr, log, events, telemetry, begun: [], ...toldOutside, isShown: isShown(drifted) };
    reportChanges(outside.drift, report);
    const outsideErrors = outside.errors.map((each) => discretion.error(each));
    const errors = [...inside, ...outsideErrors];
    const error = decisive(errors);
    // Nothing can be made in it any more, and the custom resource itself goes in a moment.
    const home = cr.metadata.namespace;
    const isEnding = executed.some((each) => isNamespaceEnding(each.error) && each.entry.ref.namespace === home);
    const ending: Verdict | undefined = isEnding
      ? { type: 'ending', waitsFor: `Namespace/${home} is being deleted` }
      : undefined;
    let failed: Failed | undefined = error && { type: 'failed', error, step: stepOf(error, executed), drifted, fights };

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
    const verdict = ending ?? failed ?? { type: 'applied', children: [...children.values()], drifted, unmet, fights };
    if (this.options.rollout?.isChanging(key) && conditionsOf(verdict, 0)[0]?.status === 'True')
      this.options.rollout.settled(key);
    const polls = [operator.requeueAfterSeconds, outside.pollSeconds].filter((seconds) => seconds !== undefined);
    const soonest = polls.length === 0 ? undefined : Math.min(...polls);
    const next = (outcome: Outcome) => (ending ? outcome : orSooner(outcome, errors, soonest));
    const outcome = await this.#conclusions.conclude(round, outside.cr, verdict, author, next);
    const ended = againAt(outcome, mode.until, clock.now(), 'the mode that was set has ended');
    // No jump of the wall clock draws a fight out, or ends one.
    const now = clock.monotonic();
    const calmed = againAt(ended, this.#fights.nextLook(key, now), now, 'a child is fought over');
    const composedAgain = againAt(calmed, this.#unsteady.nextLook(key, now), now, 'it is composed otherwise each time');
    return againAt(composedAgain, this.#refused.nextLook(key, now), now, 'the API server refused a child');
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
    const given = this.#unsteady.kept(occasion, this.options.clock.monotonic()) ?? authorCode.compose(occasion);
    const { children } = this.#optional.without(given);
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
    const note = unheededForce(cr);
    const conclude = (verdict: Verdict) => this.#conclusions.conclude(round, cr, verdict, undefined);
    try {
      if (isForced(cr)) events.warn(cr, 'ForceReleased', 'It may leave behind what it had beyond its reach');
      else if (deletionPolicyOf(cr) === 'delete')
        await externals.remove(
          this.#ending(key, cr, discretion),
          () => confirmEnd(cr, { cluster, resource }, signal),
          signal,
        );
      // What was removed outside had its own time, however many there were.
      const limit = limits.begin(signal);
      try {
        const ending = isForced(cr) ? ({ type: 'ended' } as const) : await this.#far.end(key, cr, limit.signal);
        if (ending.type === 'waiting') {
          return conclude({ type: 'ending', waitsFor: note ? `${ending.waitsFor}; ${note}` : ending.waitsFor });
        }
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
      return conclude({ type: 'failed', error: discretion.error(thrown), step: 'prune', note });
    }
  }

  /** Of one that has nothing outside no input is asked for. Throws what an author's code throws. */
  #ending(key: string, cr: KubeObject, discretion: Discretion): Occasion {
    const { operator, authorCode } = this.options;
    if (Object.keys(operator.external).length === 0) return { key, cr, inputs: {} };
    const occasion = authorCode.occasion(key, cr);
    discretion.saw(Object.values(occasion.inputs).flat());
    return occasion;
  }

  #resourceOf(child: { readonly apiVersion: string; readonly kind: string }): ApiResource {
    const resource = kindAmong(this.options.operator.owns, child);
    if (!resource) throw new Error(`${child.kind} is composed and not owned`);
    return resource;
  }

  #forget(key: string): void {
    this.#conclusions.forget(key);
    this.#writes.forget(key);
    this.#late.over(key);
    this.options.echoes.forget(key);
    this.#refusals.clear(key);
    this.#refused.forget(key);
    this.#toldDrift.forget(key);
    this.#toldOutside.forget(key);
    this.#foundDrift.forget(key);
    this.#fights.forget(key);
    this.#unsteady.forget(key);
    this.options.inputs.forget(key);
    this.options.authorCode.forget(key);
    this.options.externals.forget(key);
    this.options.consents.forget(key);
    this.options.rollout?.forget(key);
    this.#far.forget(key);
  }
}
