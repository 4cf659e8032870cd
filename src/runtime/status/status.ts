import { FieldConflict, ForbiddenError, InvalidError, RetryAfterError } from '../../client/api-error.js';
import { showFight } from '../../drift/fights.js';
import { type NotReady, readinessOf } from '../../drift/readiness.js';
import { type ConditionClaim, transition } from '../../kube/condition.js';
import { OperatorError, TerminalError } from '../../kube/errors.js';
import type { KubeObject, Manifest } from '../../kube/manifest.js';
import { placeOf, show } from '../../kube/object-ref.js';
import { ConsentError } from '../author/consents.js';
import { type Drifted, driftMessage, isMissing } from '../children/drift-message.js';
import type { ChildsFight } from '../children/fight-record.js';
import { ExternalError } from '../external/external-error.js';
import { RoundTimeoutError } from '../round-limits.js';
import { withinBytes } from '../telemetry/within-bytes.js';
import { ImmutableError } from '../writes/immutable.js';
import { LateWatchError } from '../writes/late-watches.js';
import { RefusedError } from '../writes/refused-error.js';
import { conditionsIn, droppedFieldsOf, ownConditionsIn, ownFieldsIn, statusOf } from './own-status.js';
import { requestedAt } from './suspension.js';

/** How a reconcile ended, as far as status has to say it. */
export type Verdict =
  /** A person wants nothing to be done. */
  | { readonly type: 'suspended' }
  | Failed
  /** It is being deleted, and something of it has to go first. */
  | { readonly type: 'ending'; readonly waitsFor: string }
  | Applied;

/** What was found, whatever came of the rest. */
interface Found {
  /** What differs and is not put back, because it is to be reported only. */
  readonly drifted?: Drifted;
  readonly fights?: readonly ChildsFight[];
}

interface Applied extends Found {
  readonly type: 'applied';
  readonly children: readonly KubeObject[];
  readonly unmet?: Unmet | undefined;
}

/** The error that is told, of all that there were. `note` is which input lacks, for want of which it may have failed. */
export interface Failed extends Found {
  readonly type: 'failed';
  readonly error: Error;
  readonly step: 'compose' | 'apply' | 'prune';
  readonly note?: string | undefined;
}

/** All that could be done is done, and it is not enough. */
export interface Unmet {
  readonly reason: string;
  readonly message: string;
  /** True when a person has to do something; otherwise it may come by itself. */
  readonly isStalled: boolean;
}

/** So many characters the schema of a condition takes, and bytes are never fewer. A longer one costs the whole status. */
const longestMessageBytes = 32_768;

/** Why it is reconciled on, after an error that may pass. */
export const retryReason = 'ProgressingWithRetry';

/** The conditions of a custom resource after a reconcile that found it with those of `before`: not yet which of them are news. */
export function conditionsOf(
  verdict: Verdict,
  generation: number,
  before: readonly ConditionClaim[] = [],
): ConditionClaim[] {
  const claim = (type: string, status: 'True' | 'False', reason: string, message: string): ConditionClaim => ({
    type,
    status,
    reason,
    message: withinBytes(message, longestMessageBytes),
    observedGeneration: generation,
  });
  if (verdict.type === 'suspended') {
    // What was true before is not looked at any more, and so neither confirmed nor denied.
    const kept = before.filter(({ type }) => type !== 'Paused' && type !== 'Reconciling');
    // It is said once, of the generation at which it began.
    const said = before.find(({ type }) => type === 'Paused');
    return [...kept, said ?? claim('Paused', 'True', 'Suspended', 'Reconciling is suspended by an annotation')];
  }
  if (verdict.type === 'ending') {
    const message = verdict.waitsFor;
    return [claim('Ready', 'False', 'Deleting', message), claim('Reconciling', 'True', 'Deleting', message)];
  }
  const fights = (verdict.fights ?? []).map(({ ref, fight }) => `${ref.kind}/${ref.name} ${showFight(fight)}`);
  const fighting = fights.length === 0 ? [] : [claim('Fighting', 'True', 'FightDetected', fights.join('; '))];
  const reported = (verdict.drifted ?? []).filter(({ reported = [] }) => reported.length > 0);
  // What was not looked at is neither confirmed nor denied.
  const isKept = ({ type }: ConditionClaim) => verdict.drifted === undefined && /^(Drifted|Fighting)$/.test(type);
  const drifted = [
    ...before.filter(isKept),
    ...(reported.length === 0 ? [] : [claim('Drifted', 'True', 'DriftDetected', driftMessage(reported))]),
    ...fighting,
  ];
  if (verdict.type === 'failed') {
    const { error, step, note } = verdict;
    const reason = reasonOf(error, step);
    const message = messageOf(error, note);
    return [
      claim('Ready', 'False', reason, message),
      isTerminal(error, step)
        ? claim('Stalled', 'True', reason, message)
        : claim('Reconciling', 'True', retryReason, message),
      ...drifted,
    ];
  }
  const missing = reported.find(isMissing);
  if (missing) return [claim('Ready', 'False', 'DriftDetected', `${show(missing.ref)} is missing`), ...drifted];
  const waiting = verdict.children.map(readinessOf).filter((readiness) => !readiness.ready);
  // What waits for a child that has given up waits in vain, and that child is what has to be looked at.
  const failed = waiting.find(({ isFailed }) => isFailed);
  const unmet = failed && !verdict.unmet?.isStalled ? unmetBy(failed) : (verdict.unmet ?? waiting.map(unmetBy)[0]);
  if (unmet) {
    const { reason, message, isStalled } = unmet;
    const second = claim(isStalled ? 'Stalled' : 'Reconciling', 'True', reason, message);
    return [claim('Ready', 'False', reason, message), second, ...drifted];
  }
  return [claim('Ready', 'True', 'ReconciliationSucceeded', 'All children are applied and ready'), ...drifted];
}

/** What a child that is not ready leaves to be desired. */
function unmetBy({ message, reason, isFailed = false }: NotReady): Unmet {
  return { reason: reason ?? (isFailed ? 'HealthCheckFailed' : 'Progressing'), message, isStalled: isFailed };
}

/** True when trying again is not expected to help until somebody changes something. */
export function isTerminal(error: Error, step: string): boolean {
  // What an author's pure code throws, it will throw again.
  return (
    step === 'compose' ||
    error instanceof TerminalError ||
    error instanceof InvalidError ||
    error instanceof ConsentError ||
    (error instanceof RefusedError && !error.isGoing) ||
    (error instanceof ExternalError && error.isFinal)
  );
}

const byRbac = / cannot \S+ resource |attempting to grant RBAC permissions not currently held/;

function reasonOf(error: Error, step: string): string {
  if (step === 'compose') return 'RenderFailed';
  if (error instanceof LateWatchError) return error.cause instanceof ForbiddenError ? 'RBACDenied' : 'Timeout';
  // Quotas and admission plugins answer 403, too, and only RBAC names a verb, or what may not be granted.
  if (error instanceof ForbiddenError && byRbac.test(error.message)) return 'RBACDenied';
  if (error instanceof FieldConflict || error instanceof RefusedError) return 'ApplyConflict';
  if (error instanceof ImmutableError) return 'ImmutableField';
  if (error instanceof ConsentError) return 'ConsentMissing';
  if (error instanceof ExternalError) return 'ExternalFailed';
  if (error instanceof RetryAfterError || error instanceof RoundTimeoutError) return 'Timeout';
  return step === 'prune' ? 'PruneFailed' : 'ApplyFailed';
}

/** As much as an event holds, so that all three say the same. */
const longestErrorBytes = 1024;

/** The error and what to do about it, as a person reads it in a condition, an event and the log. */
export function messageOf(error: Error, note?: string): string {
  const hint = error instanceof OperatorError ? error.hint : undefined;
  const advice = withinBytes(
    [hint, note].flatMap((each) => (each === undefined ? [] : ['; ', each])).join(''),
    longestErrorBytes / 2,
  );
  // What a server says may be long, and what to do about it is what nobody else says.
  return `${withinBytes(error.message, longestErrorBytes - Buffer.byteLength(advice))}${advice}`;
}

/**
 * The status to apply, or undefined when `cr` shows it already: whatever was said before is not said again. `managers` are
 * the names that the operator has and had.
 *
 * `author` are the author's fields; when a reconcile failed before they were known, those of `cr` are kept. What is not
 * handled, because it is suspended, does not claim to have seen this generation, nor a request; what is only begun has seen
 * the one, and not done the other.
 */
export function statusToApply(
  cr: KubeObject,
  managers: readonly string[],
  author: Readonly<Record<string, unknown>> | undefined,
  claims: readonly ConditionClaim[],
  now: string,
  handling: 'handled' | 'begun' | 'left' = 'handled',
): Manifest | undefined {
  const before = statusOf(cr);
  const conditions = transition(conditionsIn(cr), claims, now);
  const fields = author ?? ownFields(before, cr, managers);
  const handled = {
    observedGeneration: handling === 'left' ? before['observedGeneration'] : (cr.metadata.generation ?? 0),
    lastHandledReconcileAt: (handling === 'handled' ? requestedAt(cr) : undefined) ?? before['lastHandledReconcileAt'],
  };
  const status = definedOnly({ ...fields, ...handled, conditions });

  const ours = ownConditionsIn(cr, managers);
  const own = conditionsIn(cr).filter((each) => ours.includes(each) || claims.some(({ type }) => type === each.type));
  const shown: typeof before = { ...before, conditions: own };
  const isNews = Object.entries(status).some(([field, value]) => !same(value, shown[field]));
  if (!isNews && droppedFieldsOf(cr, status, managers).length === 0) return undefined;
  return ofStatus(cr, status);
}

/**
 * What an apply to the status of `cr` says. Of the very version that was looked at: what was edited meanwhile, or has its
 * name by now and is another, is not told what was said of this one, and a conflict says so. A uid would not do: of a
 * custom resource's status the API server takes nothing of the metadata, and does not look at it.
 */
export function ofStatus(
  { apiVersion, kind, metadata: { name, namespace, resourceVersion } }: KubeObject,
  status: Readonly<Record<string, unknown>>,
): Manifest {
  return { apiVersion, kind, metadata: { ...placeOf({ name, namespace }), resourceVersion }, status };
}

function ownFields(
  before: Readonly<Record<string, unknown>>,
  cr: KubeObject,
  managers: readonly string[],
): Readonly<Record<string, unknown>> {
  const ours = ownFieldsIn(cr, managers);
  return Object.fromEntries(Object.entries(before).filter(([field]) => ours.has(field)));
}

function definedOnly(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** Equal as data; the order of keys is no difference, the order of lists is. */
function same(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, index) => same(item, b[index]));
  if (
    typeof a !== 'object' ||
    typeof b !== 'object' ||
    a === null ||
    b === null ||
    Array.isArray(a) ||
    Array.isArray(b)
  )
    return false;
  const [left, right] = [definedOnly(a as Record<string, unknown>), definedOnly(b as Record<string, unknown>)];
  const keys = Object.keys(left);
  return (
    keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && same(left[key], right[key]))
  );
}
