import type { ConditionClaim } from '../../kube/condition.js';
import type { KubeObject } from '../../kube/manifest.js';
import { isInARow, quietAfter } from '../telemetry/less-often.js';
import { ownConditionsIn, readyIn } from './own-status.js';
import { retryReason } from './status.js';

interface Told {
  readonly ready: ConditionClaim;
  /** Milliseconds of the monotonic clock. */
  readonly at: number;
  /** How often in a row the same trouble was told, in other words each time. */
  readonly times: number;
  /** True while it is so still. */
  isOn: boolean;
}

/** For somebody who mends one cause after the other: for so many times words that change are told, though no other round comes soon. */
const mostInTime = 5;

/**
 * What was told last of each custom resource that is in trouble: the condition `Ready`. Trying again in vain is to fill
 * neither the log nor the status, though an error may name the port of a connection, and so be another each time.
 */
export class ToldErrors {
  readonly #told = new Map<string, Told>();
  /** Of whom it is known what a process before told: the uid. */
  readonly #known = new Map<string, string>();

  /**
   * To be called before anything is told of `cr`: trouble that its status shows at first was told by a process before. True where
   * whatever was told before was told of another of its name, if of any.
   */
  shown(key: string, cr: KubeObject, managers: readonly string[]): boolean {
    const { uid } = cr.metadata;
    if (this.#known.get(key) === uid) return false;
    // A round for another of its name, which was under way as that went, may have told of it since.
    this.#told.delete(key);
    this.#known.set(key, uid);
    if (readyIn(cr) !== 'False') return true;
    const conditions = ownConditionsIn(cr, managers);
    const ready = conditions.find(({ type }) => type === 'Ready');
    // It is news in this process, if it is so still.
    if (ready && isTrouble(conditions)) this.#told.set(key, { ready, at: 0, times: 0, isOn: false });
    return true;
  }

  /**
   * `claims`, of which the first is `Ready`, as they are to be told: in the words of a moment ago, for the same reason, where the next
   * round comes `again` to tell others. One that comes later keeps them only where they have changed again and again.
   */
  worded(
    key: string,
    claims: readonly ConditionClaim[],
    now: number,
    again: 'soon' | 'later' | undefined,
  ): readonly ConditionClaim[] {
    const told = this.#told.get(key);
    const [ready] = claims;
    if (!ready || !again || !told?.isOn || !isSameReason(told.ready, ready)) return claims;
    const isKept = again === 'soon' || told.times > mostInTime;
    if (!isKept || now - told.at >= quietAfter(told.times)) return claims;
    const { message } = told.ready;
    return claims.map((claim) => (claim.message === ready.message ? { ...claim, message } : claim));
  }

  /** True when this is not what was told last. */
  tell(key: string, ready: ConditionClaim, now: number): boolean {
    const told = this.#told.get(key);
    if (told?.isOn && told.ready.reason === ready.reason && told.ready.message === ready.message) return false;
    const isAgain = told?.isOn && isSameReason(told.ready, ready) && isInARow(told.at, now);
    this.#told.set(key, { ready, at: now, times: isAgain ? told.times + 1 : 1, isOn: true });
    return true;
  }

  /** The trouble is over, if not yet well: the next one is news, whatever it is. */
  over(key: string): void {
    const told = this.#told.get(key);
    if (told) told.isOn = false;
  }

  /** All is well. True when something else was told since it was last. */
  well(key: string): boolean {
    return this.#told.delete(key);
  }

  /** It is gone. */
  forget(key: string): void {
    this.#told.delete(key);
    this.#known.delete(key);
  }
}

/** True of conditions that tell of an error, or that it waits until somebody changes something: more than progress. */
function isTrouble(conditions: readonly ConditionClaim[]): boolean {
  return conditions.some(
    ({ type, reason }) => type === 'Stalled' || (type === 'Reconciling' && reason === retryReason),
  );
}

function isSameReason(a: ConditionClaim, b: ConditionClaim): boolean {
  return a.reason === b.reason && a.observedGeneration === b.observedGeneration;
}
