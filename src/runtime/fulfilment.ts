import { belongsTo } from '../drift/belonging.js';
import { doubtOf } from '../drift/empty-composition.js';
import { refOfStep, type Step } from '../drift/plan.js';
import type { Clock } from '../kube/clock.js';
import { frozen } from '../kube/frozen.js';
import type { KubeObject, Manifest } from '../kube/manifest.js';
import { keyOf } from '../kube/object-ref.js';
import type { AuthorCode } from './author/author-code.js';
import type { Consents } from './author/consents.js';
import { TimeLimitError } from './author/time-limit.js';
import type { UnsteadyCode } from './author/unsteady-code.js';
import { Beginning } from './beginning.js';
import type { Drifted } from './children/drift-message.js';
import { ownerOf } from './children/far-children.js';
import { FightRecord } from './children/fight-record.js';
import { Recreations } from './children/recreations.js';
import { RefusedWrites } from './children/refused-writes.js';
import { thingsOf, waitedFor } from './children/rival.js';
import { ToldDrift } from './children/told-drift.js';
import { ToldWarnings } from './children/told-warnings.js';
import type { Conclusions } from './conclusions.js';
import { confirming, vouched, vouchNew } from './confirmation.js';
import { endOfHome } from './ending.js';
import type { Externals, Outside } from './external/externals.js';
import { concludeHeldUp } from './held-up.js';
import { Lateness } from './lateness.js';
import { againAt, decisive, isStale, type Outcome, orSooner } from './outcome.js';
import type { Planner } from './planner.js';
import { Waiters } from './queue/waiters.js';
import { reportChanges, reportDrift } from './report-changes.js';
import type { Rollout } from './rollout.js';
import { isOfThisGeneration, statusOf } from './status/own-status.js';
import { conditionsOf, type Failed, type Verdict } from './status/status.js';
import type { Events } from './telemetry/events.js';
import type { CameTo, UnderWay, Work } from './work.js';
import type { Workshop } from './workshop.js';
import { carryOut, stepOf } from './writes/carry-out.js';
import type { Done } from './writes/job.js';
import { newestChildren } from './writes/newest-children.js';

export interface FulfilmentOptions extends Omit<Workshop, 'resourceOf' | 'recreations' | 'refused' | 'found'> {
  readonly clock: Clock;
  readonly events: Events;
  readonly consents: Consents;
  readonly authorCode: AuthorCode;
  readonly externals: Externals;
  readonly rollout?: Rollout | undefined;
  readonly planner: Planner;
  readonly unsteady: UnsteadyCode;
  readonly conclusions: Conclusions;
}

/**
 * Makes so what custom resources desire, in the cluster and outside, and says what it came to.
 *
 * **Guarantees.** Nothing is written that is not needed. Nothing is pruned unless all else succeeded.
 */
export class Fulfilment {
  readonly #recreations: Recreations;
  readonly #waiters = new Waiters();
  readonly #refused: RefusedWrites;
  readonly #told = { inside: new ToldDrift(), outside: new ToldDrift() };
  readonly #foundDrift = new ToldDrift();
  readonly #fights = new FightRecord();
  readonly #warned = new ToldWarnings();
  readonly #workshop: Workshop;
  readonly #lateness: Lateness;

  constructor(private readonly options: FulfilmentOptions) {
    const { operator, clock, planner } = options;
    this.#refused = new RefusedWrites(operator.name, clock);
    this.#recreations = new Recreations({ ...options, resource: operator.resource });
    this.#workshop = {
      ...options,
      resourceOf: (child) => planner.resourceOf(child),
      recreations: this.#recreations,
      refused: this.#refused,
      found: this.#foundDrift,
    };
    this.#lateness = new Lateness({ ...options, ...this.#workshop });
  }

  /** The custom resources that waited for this object to go, or for what it has. */
  waitingFor(object: KubeObject): readonly string[] {
    return thingsOf(object).flatMap((thing) => this.#waiters.of(thing));
  }

  /** The custom resources of which children of `groupKind` were refused, which from now on may be taken. */
  acceptable(groupKind: string): readonly string[] {
    return this.#refused.acceptable(groupKind);
  }

  /** Carries out what there is to be done, and concludes. */
  async fulfil(work: Work): Promise<Outcome> {
    const { round, cr, occasion, given, composed, policy, began, limited, apart } = work;
    const { operator, clock, rollout, planner, consents, unsteady, conclusions, writes } = this.options;
    const { key, discretion } = round;
    const planned = discretion.steps(planner.plan(key, cr, composed.children, policy));
    const steps = this.#fights.damped(key, planned, clock.monotonic());
    if (rollout?.admits(key, cr, steps, given.children) === false)
      return concludeHeldUp(work, steps, { conclusions, planner, lateness: this.#lateness });
    this.#keepOnly(key, steps);
    vouchNew(key, writes, operator, { cr, steps });
    const instead = await this.#recreations.instead(cr, steps, limited);
    if (instead) return instead;
    const doubt = doubtOf(steps, cr, operator.allowEmpty, given.children.length);
    const doubtful = doubt === undefined ? undefined : { reason: 'PruneSkipped', message: doubt, isStalled: true };
    const unmet = occasion.unmet ?? doubtful;
    // As it was found: what fails is no reason to take it for gone.
    const unwanted = consents.unwanted(key, cr, steps);
    // Now that all Namespaces were asked for their consent, since what they said is noted.
    const inputsNow = planner.inputsNow(occasion, discretion, composed.children);
    const confirmation = confirming({ ...this.options, resource: operator.resource, inputsNow }, limited);
    const underWay = { ...work, confirmation };
    const reported: Drifted = steps.flatMap((step) =>
      'reported' in step && !unwanted.has(step) ? { ref: refOfStep(step), reported: step.reported } : [],
    );
    const known = () => {
      if (this.#lateness.isOver(key)) return { drifted: reported, fights: this.#fights.of(key), unmet };
      return statusOf(cr)['observedGeneration'] === undefined ? { unmet } : {};
    };
    const about = { round, cr, began, limited, children: steps.length, known };
    const beginning = new Beginning({ ...about, clock, conclusions });
    const done = await carryOut(
      {
        key,
        cr,
        steps,
        unwanted,
        confirmation,
        beside: (sofar) => beginning.beside(sofar),
        isPruning: doubt === undefined,
        needs: composed.needs,
      },
      this.#workshop,
      limited,
    );
    const executed = done.executed.map((each) => discretion.executed(each));
    unsteady.carriedOut(occasion, given, steps, done.executed, clock.monotonic());
    const carriedOut = steps.filter((_, index) => executed[index]?.object);
    const begun = this.#fights.carriedOut(key, carriedOut, clock.monotonic());
    const changes = executed.map(({ entry }) => entry);
    const { reasons } = work;
    reportChanges(changes, { ...this.options, ...round, reasons, cr, begun, warned: this.#warned });
    const outside = await apart(() => this.#outside(underWay, done, beginning));
    const drifted = [...reported, ...outside.drift];
    const errors = [
      ...executed.flatMap(({ error }) => error ?? []),
      ...outside.errors.map((each) => discretion.error(each)),
    ];
    return await this.#conclude(underWay, {
      steps,
      executed,
      outside,
      errors,
      drifted,
      unmet: unmet ?? unsteady.unmet(occasion, clock.monotonic()) ?? done.unmet,
    });
  }

  async #outside(work: UnderWay, done: Done, beginning: Beginning): Promise<Outside> {
    const { custom, externals, writes } = this.options;
    const { key, signal } = work.round;
    const confirmation = work.confirmation(done.cr);
    const confirm = (held: KubeObject) => vouched(key, writes, confirmation, held !== done.cr);
    const say = (cr: KubeObject, name: string) => beginning.say({ ...done, cr }, `${name} has not answered yet`);
    const overdue = isOfThisGeneration(done.cr) ? undefined : say;
    const terms = { mode: work.policy.mode, confirm, confirmOwner: () => confirmation.customResource(), overdue };
    const outside = await externals.ensure({ ...work.occasion, cr: done.cr }, terms, signal);
    if (outside.cr !== done.cr) writes.wrote(key, custom, outside.cr);
    return outside;
  }

  /** Tells what all of it came to, and when to look again. */
  async #conclude(work: UnderWay, { steps, executed, outside, errors, drifted, unmet }: CameTo): Promise<Outcome> {
    const { round, cr, occasion, composed, modeUntil } = work;
    const { operator, authorCode, clock, rollout, planner, unsteady, conclusions } = this.options;
    const { key, discretion } = round;
    const fights = this.#fights.of(key);
    const error = decisive(errors);
    let failed: Failed | undefined = error && { type: 'failed', error, step: stepOf(error, executed) };
    while (authorCode.rest !== undefined) await authorCode.rest;
    const stored = (manifest: Manifest) => planner.stored(manifest);
    const children = newestChildren(composed.children, executed, stored, (found) => belongsTo(ownerOf(cr), found));
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
        failed = { type: 'failed', error: discretion.error(thrown), step: 'compose' };
    }
    const ending = endOfHome(cr, executed);
    const applied: Verdict = { type: 'applied', children: [...children.values()], drifted, unmet, fights };
    const withFound = (one: Failed) => ({ ...one, drifted, fights, note: occasion.unmet?.message });
    const saying = { key, cr: outside.cr, author, children: children.values(), steps, executed };
    const isToBe = { ...saying, verdict: ending ?? (failed ? withFound(failed) : applied) };
    // Of what could not be made since it is there already nothing was seen, and what follows is late; of a prune nothing does.
    const pruning = executed.map(({ error, isPrune }) => (isPrune ? error : undefined));
    const unseen = errors.find((each) => isStale(each) && !pruning.includes(each));
    const late = unseen ?? (await this.#lateness.of(isToBe, work.confirmation(work.cr), work.limited));
    // Of what a store that may be late has nobody is told, by no condition either: whoever finds it there takes it for told.
    const isKnown = !late || (late === unseen && this.#lateness.isOver(key));
    const found = { inside: executed.map(({ entry }) => entry), outside: outside.drift };
    if (isKnown) reportDrift(found, drifted, this.#told, { ...this.options, ...round, cr });
    if (late) {
      author = undefined;
      // Without the author's fields what failed would be said beside older ones.
      if (!failed || (isStale(late) && decisive([late, failed.error]) === late))
        failed = { type: 'failed', error: discretion.error(late), step: 'apply' };
    }
    const verdict = ending ?? (failed ? (isKnown ? withFound(failed) : failed) : applied);
    if (rollout?.isChanging(key) && conditionsOf(verdict, 0)[0]?.status === 'True') rollout.settled(key);
    const polls = [operator.requeueAfterSeconds, outside.pollSeconds].filter((seconds) => seconds !== undefined);
    const soonest = polls.length === 0 ? undefined : Math.min(...polls);
    const next = (outcome: Outcome) => (ending ? outcome : orSooner(outcome, errors, soonest));
    const outcome = await conclusions.conclude(round, outside.cr, verdict, author, next);
    const ended = againAt(outcome, modeUntil, clock.now(), 'the mode that was set has ended');
    // No jump of the wall clock draws a fight out, or ends one.
    const now = clock.monotonic();
    const calmed = againAt(ended, this.#fights.nextLook(key, now), now, 'a child is fought over');
    const steadied = againAt(calmed, unsteady.nextLook(key, now), now, 'it is composed otherwise each time');
    return againAt(steadied, this.#refused.nextLook(key, now), now, 'the API server refused a child');
  }

  /** Forgets what is remembered of children that are not among `steps`. */
  #keepOnly(key: string, steps: readonly Step[]): void {
    this.#refused.keepOnly(key, steps);
    for (const told of [this.#told.inside, this.#foundDrift]) told.keepOnly(key, steps);
    // At once: what goes while the others are carried out has to be heard of.
    this.#waiters.clear(key);
    for (const step of steps) if (step.type === 'refuse') this.#waiters.add(key, ...waitedFor(step));
  }

  forget(key: string): void {
    this.#waiters.clear(key);
    this.#refused.forget(key);
    for (const told of [...Object.values(this.#told), this.#foundDrift]) told.forget(key);
    this.#fights.forget(key);
    this.options.unsteady.forget(key);
  }
}
