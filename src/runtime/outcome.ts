import { AlreadyExistsError, ConflictError, InvalidError, isOfServer, RetryAfterError } from '../client/api-error.js';
import { ExternalError, StrayError } from './external/external-error.js';
import { RoundTimeoutError } from './round-limits.js';
import { isTerminal, type Verdict } from './status/status.js';
import { RefusedError } from './writes/refused-error.js';

/** What is to happen to a key after it was reconciled. */
export type Outcome = Next & {
  /** It failed, and trying again may help, or cannot until somebody changes something. A retry without it comes after no failure. */
  readonly failure?: 'transient' | 'terminal';
};

type Next =
  | { readonly type: 'done'; readonly againAfterMilliseconds?: number; readonly because?: string }
  /** After its back-off, and after so long at the latest, for something else. */
  | {
      readonly type: 'retry';
      readonly because: string;
      readonly againAfterMilliseconds?: number;
      /** Others may have failed by the same, and when it is over, it may be for all of them. */
      readonly isShared?: boolean;
    }
  /** It was not looked at, for what is known is behind: again when our writes come back, and after so long at the latest. */
  | { readonly type: 'behind'; readonly againAfterMilliseconds: number; readonly because: string }
  /** Not before then, whatever happens meanwhile. */
  | { readonly type: 'wait'; readonly milliseconds: number; readonly because: string }
  | { readonly type: 'gone' };

/** After the server refused what is desired: what makes it acceptable may be something that we do not watch. */
const refusedMilliseconds = 5 * 60_000;

/** While something has to go first: when to look again whether it is gone, should no watch say so. */
const endingMilliseconds = 2 * 60_000;

/** Why the next round is. The error was told when it came up; by its words each retry would be for another reason. */
const triedAgain = 'tried again';

const movedOn: Outcome = { type: 'retry', because: 'the cluster moved on meanwhile' };

/** After conflicts that last: they are no news that a watch is about to bring, and who makes them we do not watch. */
export const stuck: Outcome = {
  type: 'retry',
  because: triedAgain,
  failure: 'transient',
  againAfterMilliseconds: refusedMilliseconds,
};

/** What comes after a reconcile that ended with `verdict`. */
export function outcomeOf(verdict: Verdict, requeueAfterSeconds: number | undefined): Outcome {
  if (verdict.type === 'suspended') return { type: 'done' };
  // That what it waits for goes away is an event, unless it was gone already, and shown as it was before.
  if (verdict.type === 'ending') {
    return { type: 'done', againAfterMilliseconds: endingMilliseconds, because: 'what it waits for may have gone' };
  }
  if (verdict.type === 'applied') {
    if (requeueAfterSeconds === undefined) return { type: 'done' };
    return { type: 'done', againAfterMilliseconds: requeueAfterSeconds * 1000, because: 'requeued' };
  }
  const { error, step } = verdict;
  const failure = isTerminal(error, step) ? 'terminal' : 'transient';
  if (isStale(error)) return movedOn;
  // When the object that is in its way goes, a watch says so, and a round is asked for.
  if (error instanceof RefusedError) return { type: 'done', failure };
  if (error instanceof RetryAfterError) return waitFor(error);
  if (error instanceof ExternalError) {
    return { type: 'done', againAfterMilliseconds: error.retryMilliseconds, because: triedAgain, failure };
  }
  if (error instanceof InvalidError) {
    const because = `the API server refused ${step === 'compose' ? 'its status' : 'a child'}`;
    return { type: 'done', againAfterMilliseconds: refusedMilliseconds, because, failure };
  }
  if (failure === 'terminal') return { type: 'done', failure };
  return { type: 'retry', because: triedAgain, failure, isShared: isShared(error) };
}

/** True of what may befall others at the same time, and be over for all of them: of what the server is to blame for, whatever it failed. */
export function isShared(error: Error): boolean {
  return isOfServer(error) || error instanceof RoundTimeoutError;
}

/** Other words that say the same can wait for so long, which is as long as anything outside the cluster waits. */
const soonMilliseconds = 90_000;

/** Whether after a failure the next round comes by itself, and how soon. */
export function comesAgain(outcome: Outcome): 'soon' | 'later' | undefined {
  if (outcome.failure === undefined) return undefined;
  if (outcome.type !== 'done' || pauseOf(outcome) <= soonMilliseconds) return 'soon';
  return pauseOf(outcome) < Number.POSITIVE_INFINITY ? 'later' : undefined;
}

/** The server said when to come back: not before, whatever else happened. */
export function waitFor(error: RetryAfterError): Extract<Outcome, { readonly type: 'wait' }> {
  const milliseconds = error.retryAfterSeconds * 1000;
  return { type: 'wait', milliseconds, because: 'the API server asked to wait', failure: 'transient' };
}

/**
 * Of all that failed in a round, what decides when the next one is: the longest wait that the server asked for, for the
 * next round does everything again; then that the round was given up; then a `StrayError`, which is told once; else what failed first.
 */
export function decisive(errors: readonly Error[]): Error | undefined {
  const waits = errors.filter((error) => error instanceof RetryAfterError);
  return (
    waits.sort((a, b) => b.retryAfterSeconds - a.retryAfterSeconds)[0] ??
    errors.find((error) => error instanceof RoundTimeoutError) ??
    errors.find((error) => error instanceof StrayError) ??
    errors[0]
  );
}

/**
 * `outcome`, or what comes sooner for something else of the round: what failed first tells, and must keep neither the others
 * from being tried again, each in its time, nor what no watch tells from being looked at after `requeueAfterSeconds`.
 */
export function orSooner(outcome: Outcome, errors: readonly Error[], requeueAfterSeconds: number | undefined): Outcome {
  if (!isTimed(outcome)) return outcome;
  const first = decisive(errors);
  if (first instanceof RetryAfterError) return waitFor(first);
  // Another such round would hold a worker for as long: it comes when its back-off is over, and no sooner.
  if (first instanceof RoundTimeoutError) return outcome;
  const others = errors.map((error) => outcomeOf({ type: 'failed', error, step: 'apply' }, undefined));
  const requeued = outcomeOf({ type: 'applied', children: [] }, requeueAfterSeconds);
  const soonest = [...others, requeued].reduce((a, b) => (pauseOf(b) < pauseOf(a) ? b : a), outcome);
  const retry = [outcome, ...others].find(({ type }) => type === 'retry');
  if (!retry) return { ...outcome, ...soonest };
  // Its back-off grows to a quarter of an hour.
  const pause = pauseOf(soonest);
  return pause === Number.POSITIVE_INFINITY ? retry : ({ ...retry, againAfterMilliseconds: pause } as Outcome);
}

/** How long nothing happens by itself, back-offs left out. */
function pauseOf(outcome: Outcome): number {
  return (isTimed(outcome) ? outcome.againAfterMilliseconds : undefined) ?? Number.POSITIVE_INFINITY;
}

/** True where something else may make the next round a sooner one. */
function isTimed(outcome: Outcome): outcome is Extract<Outcome, { readonly type: 'done' | 'retry' }> {
  return outcome.type === 'done' || outcome.type === 'retry';
}

/** Our store was behind. The watch brings what we did not know, and there is nothing to tell anybody. */
export function isStale(error: Error): boolean {
  return error instanceof AlreadyExistsError || error instanceof ConflictError;
}

/** `outcome`, or the next round at `at` where that is sooner: what is due then no watch tells. Undefined: nothing is due. */
export function againAt(outcome: Outcome, at: number | undefined, now: number, because: string): Outcome {
  if (at === undefined || !isTimed(outcome)) return outcome;
  const left = Math.max(1, at - now);
  if (left >= pauseOf(outcome)) return outcome;
  const again = { ...outcome, againAfterMilliseconds: left };
  return outcome.type === 'retry' ? again : { ...again, because };
}
