import { ConflictError, InvalidError, isGone, RetryAfterError } from '../client/api-error.js';
import type { ConditionClaim } from '../kube/condition.js';
import type { KubeObject, Manifest } from '../kube/manifest.js';
import { timestamp } from '../kube/timestamp.js';
import { LastingConflicts } from './children/lasting-conflicts.js';
import { LateStoreError } from './confirmation.js';
import { StrayError } from './external/external-error.js';
import type { Externals } from './external/externals.js';
import type { OptionalKinds } from './informer/optional-kinds.js';
import { comesAgain, decisive, isShared, isStale, type Outcome, outcomeOf, stuck, waitFor } from './outcome.js';
import type { Round } from './round.js';
import { ownConditionsIn } from './status/own-status.js';
import { conditionsOf, type Failed, messageOf, statusToApply, type Verdict } from './status/status.js';
import { StatusWriter, type StatusWriterOptions } from './status/status-writer.js';
import { ToldErrors } from './status/told-errors.js';
import { UnwrittenStatuses } from './status/unwritten-statuses.js';
import type { Log } from './telemetry/log.js';

export interface ConclusionsOptions extends Omit<StatusWriterOptions, 'managers'> {
  readonly externals: Externals;
  readonly optional: OptionalKinds;
  readonly log: Log;
}

const unwritten = { type: 'retry', because: 'the status could not be written', failure: 'transient' } as const;

/**
 * What rounds come to: the status of the custom resource, what the log and the events say of it in the same words, and when
 * the next round is.
 *
 * **Guarantees.** Nothing is written that the status says already. The same trouble is told once, and that it is over, too,
 * also by another process than told of it, as after a restart.
 */
export class Conclusions {
  readonly #told = new ToldErrors();
  /** Of a status that could not be written. */
  readonly #toldUnwritten = new ToldErrors();
  readonly #unwrittenStatuses: UnwrittenStatuses;
  /** Whose status was written before the end of a round: of what it says no event tells yet. */
  readonly #begun = new Set<string>();
  readonly #conflicts = new LastingConflicts();
  readonly #managers: readonly string[];
  readonly #statuses: StatusWriter;

  constructor(private readonly options: ConclusionsOptions) {
    this.#managers = [options.operator.name, ...options.operator.formerly];
    this.#unwrittenStatuses = new UnwrittenStatuses(options.log);
    this.#statuses = new StatusWriter({ ...options, managers: this.#managers });
  }

  /** The custom resources whose status was refused, which from now on may be taken. */
  acceptable(): readonly string[] {
    return this.#statuses.acceptable();
  }

  /** It is gone: a later one of its name is another, of which nothing was told yet. */
  went(key: string): void {
    this.#told.forget(key);
    this.#toldUnwritten.forget(key);
    this.#unwrittenStatuses.over(key);
    this.#begun.delete(key);
  }

  forget(key: string): void {
    this.went(key);
    this.#conflicts.over(key);
    this.#statuses.forget(key);
  }

  /** What there is to say of `cr` that it does not show, whoever said that. */
  unsaid(
    cr: KubeObject,
    verdict: Verdict,
    author?: Readonly<Record<string, unknown>>,
    handling?: 'begun',
  ): Manifest | undefined {
    const { generation = 0 } = cr.metadata;
    const found = conditionsOf(verdict, generation, this.#before(cr, verdict));
    const claims = [...found, ...this.options.optional.claims(generation)];
    return statusToApply(cr, this.#managers, author, claims, timestamp(this.options.clock.now()), handling);
  }

  /** Writes the status, if it says something new, and decides what comes next, of which `next` knows more. */
  async conclude(
    round: Round,
    cr: KubeObject,
    verdict: Verdict,
    author: Readonly<Record<string, unknown>> | undefined,
    next: (outcome: Outcome) => Outcome = (outcome) => outcome,
  ): Promise<Outcome> {
    const { operator, clock } = this.options;
    const { key, log, discretion } = round;
    if (this.#told.shown(key, cr, this.#managers)) this.#toldUnwritten.forget(key);
    const isBehind = verdict.type === 'failed' && isStale(verdict.error);
    if (isBehind && !this.#isToBeTold(key, verdict.error)) return outcomeOf(verdict, undefined);
    const { generation = 0 } = cr.metadata;
    const isPaused = verdict.type === 'suspended';
    const outcome = next(isBehind ? stuck : outcomeOf(verdict, operator.requeueAfterSeconds));
    const found = conditionsOf(verdict, generation, this.#before(cr, verdict));
    // Of what will be tried again anyway there is a later moment to tell other words.
    const said = this.#told.worded(key, found, clock.monotonic(), comesAgain(outcome));
    const claims = [...said, ...(isPaused ? [] : this.options.optional.claims(generation))];
    const handling = isPaused ? 'left' : 'handled';
    const toSay = (shown: KubeObject) =>
      statusToApply(shown, this.#managers, author, claims, timestamp(clock.now()), handling);
    const { status, heldUntil } = this.#statuses.due(key, cr, toSay(cr));
    if (status) {
      try {
        await this.#statuses.say(round, cr, status, (stored) => toSay(stored) === undefined);
      } catch (thrown) {
        // The end of a process, or of its lead, is nobody's fault: whoever comes next says what there is to say.
        if (round.signal.aborted) return { type: 'retry', because: 'the process ends' };
        const error = discretion.error(thrown);
        if (error instanceof InvalidError && author !== undefined) {
          // What the author's fields are to blame for, the status has to tell without them.
          log.debug('The API server refuses the status', { error: messageOf(error) });
          const failed: Failed =
            verdict.type === 'failed' ? verdict : { ...verdict, type: 'failed', error, step: 'compose' };
          return this.conclude(round, cr, failed, undefined, next);
        }
        return this.#unwritten(round, cr, verdict, error, next);
      }
    }
    if (!isBehind) this.#conflicts.over(key);
    if (heldUntil === undefined && this.#toldUnwritten.well(key)) {
      log[this.#unwrittenStatuses.over(key) ? 'info' : 'debug']('Wrote the status again');
    }
    this.#tell(round, cr, verdict, said, this.#begun.delete(key) || status !== undefined);
    if (verdict.type === 'failed' && verdict.error instanceof StrayError) this.options.externals.told(key);
    return this.#statuses.sooner(key, outcome, heldUntil);
  }

  /** What `cr` shows that may stay, where it was not looked at. */
  #before(cr: KubeObject, verdict: Verdict): readonly ConditionClaim[] {
    const isLookedAt = verdict.type === 'ending' || (verdict.type !== 'suspended' && verdict.drifted !== undefined);
    return isLookedAt ? [] : ownConditionsIn(cr, this.#managers);
  }

  /** What comes next where `error` kept the status from being written. */
  #unwritten(
    round: Round,
    cr: KubeObject,
    verdict: Verdict,
    error: Error,
    next: (outcome: Outcome) => Outcome,
  ): Outcome {
    const { key } = round;
    if (error instanceof ConflictError) this.options.custom.missed(cr.metadata.namespace);
    const isTold = error instanceof ConflictError ? this.#isToBeTold(key, error) : !isGone(error);
    if (isTold) this.#tellUnwritten(round, cr, error);
    const first = decisive([error, ...(verdict.type === 'failed' ? [verdict.error] : [])]);
    // Who was asked to wait waits, though it is gone by now, or another: the next of the name is as much work.
    if (first instanceof RetryAfterError) return waitFor(first);
    if (isGone(error)) return { type: 'gone' };
    if (!isTold) return outcomeOf({ type: 'failed', error, step: 'apply' }, undefined);
    const again = error instanceof ConflictError ? stuck : { ...unwritten, isShared: isShared(error) };
    return this.#statuses.sooner(key, next(again));
  }

  /**
   * Says of a generation of which nothing was said yet that it is begun, and answers the custom resource as it is then. The end
   * of the round says more, or finds by a conflict what kept this from being written.
   */
  async sayBegun(round: Round, cr: KubeObject, verdict: Verdict): Promise<KubeObject> {
    if (this.#told.shown(round.key, cr, this.#managers)) this.#toldUnwritten.forget(round.key);
    try {
      const status = this.unsaid(cr, verdict, undefined, 'begun');
      if (!status) return cr;
      const written = await this.#statuses.write(round, cr, status);
      this.#begun.add(round.key);
      return written;
    } catch (thrown) {
      round.log.debug('Failed to say that it is begun', { error: messageOf(round.discretion.error(thrown)) });
      return cr;
    }
  }

  /** Tells what is wrong for the first time, or in other words, and that nothing is any more. `isSaid`: newly by the status. */
  #tell({ key, log }: Round, cr: KubeObject, verdict: Verdict, said: readonly ConditionClaim[], isSaid: boolean): void {
    const [ready, second] = said;
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
      if (isNews && isSaid) events.warn(cr, reason, message);
    } else if (ready.status !== 'True') {
      this.#told.over(key);
    } else if (this.#told.well(key)) {
      log.info('Is well again', { reason });
      events.normal(cr, reason, message);
    }
  }

  /** Of a store that is late tell the probes, and whoever watches: with the custom resource nothing is wrong. */
  #isToBeTold(key: string, conflict: Error): boolean {
    return !(conflict instanceof LateStoreError) && this.#conflicts.met(key, this.options.clock.monotonic());
  }

  /** Where the status cannot say what is wrong, what is wrong with it has to be told elsewhere, once for the same. */
  #tellUnwritten({ key, log }: Round, cr: KubeObject, error: Error): void {
    const { events, telemetry, clock } = this.options;
    const found = conditionsOf({ type: 'failed', error, step: 'apply' }, cr.metadata.generation ?? 0, []);
    const [ready] = this.#toldUnwritten.worded(key, found, clock.monotonic(), 'soon');
    if (!ready) return;
    telemetry.failed(ready.reason);
    const isNews = this.#toldUnwritten.tell(key, ready, clock.monotonic());
    const kept = this.#keptOf(key, error);
    const isTold = kept === 'left' || (isNews && kept === 'named');
    log[isTold ? 'error' : 'debug']('Failed to write the status', { error: messageOf(error) });
    if (isTold) events.warn(cr, ready.reason, ready.message);
  }

  /** What is of its own is told of each. */
  #keptOf(key: string, error: Error): ReturnType<UnwrittenStatuses['failed']> {
    if (isShared(error)) return this.#unwrittenStatuses.failed(key, messageOf(error));
    this.#unwrittenStatuses.over(key);
    return 'named';
  }
}
