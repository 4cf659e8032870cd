import { createHash } from 'node:crypto';
import { type Damping, delayAfter, truceAfter } from '../../drift/damping.js';
import type { Condition } from '../../kube/condition.js';
import type { KubeObject, Manifest } from '../../kube/manifest.js';
import type { Events } from '../telemetry/events.js';
import type { Log } from '../telemetry/log.js';
import type { ControllerTelemetry } from '../telemetry/telemetry.js';
import { othersWhoSay } from './own-status.js';

/** What was said last of a custom resource. */
interface Said {
  readonly mark: string;
  /** When, in milliseconds of the monotonic clock. */
  readonly at: number;
  /** How often in a row the same was said again, since somebody had written over it. */
  readonly rounds: number;
}

/** A status is read by people: it is wrong for five minutes at most, and writing it costs nobody but the API server. */
const damping: Damping = {
  roundsOfFight: 2,
  firstDelay: 1000,
  longestDelay: 5 * 60_000,
  patience: 60_000,
};

/**
 * Who writes over which status as often as it is said: another process that does not know yet that it leads no more, an
 * operator of the same kind that somebody forgot, a script. Each would be answered by the other as fast as both can write.
 *
 * What is new is said at once. The same for the fourth time in a row waits a second, then twice as long each time.
 *
 * It is in memory alone, and there no longer than it may matter.
 */
export class StatusFights {
  /** By the key of the custom resource; the oldest first. */
  readonly #said = new Map<string, Said>();

  /** Until when it is too early to say `status` of `cr` again, if it is. */
  heldUntil(key: string, cr: KubeObject, status: Manifest, now: number): number | undefined {
    const last = this.#said.get(key);
    if (!last || now >= last.at + delayOf(last) || last.mark !== markOf(cr, status)) return undefined;
    return last.at + delayOf(last);
  }

  /** `status` was written to `cr`, which had shown something else. True when this is where a fight is recognised. */
  said(key: string, cr: KubeObject, status: Manifest, now: number): boolean {
    this.#forgetOld(now);
    const mark = markOf(cr, status);
    const last = this.#said.get(key);
    const rounds = last?.mark === mark && now < overAt(last) ? last.rounds + 1 : 0;
    // To the end, so that the oldest stay first.
    this.#said.delete(key);
    this.#said.set(key, { mark, at: now, rounds });
    return rounds === damping.roundsOfFight;
  }

  forget(key: string): void {
    this.#said.delete(key);
  }

  /** One that is fought over may keep others a little longer. */
  #forgetOld(now: number): void {
    for (const [key, said] of this.#said) {
      if (now < overAt(said)) return;
      this.#said.delete(key);
    }
  }
}

/** Tells of a fight over `status`; no condition would stay long enough to be read. `cr` is as the rival left it. */
export function reportStatusFight(
  status: Manifest,
  {
    cr,
    managers,
    log,
    events,
    telemetry,
  }: {
    readonly cr: KubeObject;
    /** The names that the operator has and had. */
    readonly managers: readonly string[];
    readonly log: Log;
    readonly events: Events;
    readonly telemetry: ControllerTelemetry;
  },
): void {
  const rivals = othersWhoSay(cr, fieldsOf(status), managers).map((name) => `"${name}"`);
  const over = `status: we write it, and so does ${rivals.join(', ') || 'somebody under our own name'}`;
  telemetry.fought(cr.kind);
  log.warn('Detected a fight', { over });
  events.warn(cr, 'FightDetected', `${over}; it is put back less and less often from now on`);
}

function fieldsOf({ status }: Manifest): Readonly<Record<string, unknown>> {
  return status as Readonly<Record<string, unknown>>;
}

function delayOf({ rounds }: Said): number {
  return delayAfter(rounds, damping);
}

function overAt(said: Said): number {
  return said.at + truceAfter(said.rounds, damping);
}

/** A short text that is equal for what says the same of the same. When a condition began is not what it says. */
export function markOf({ metadata: { uid } }: KubeObject, status: Manifest): string {
  const { conditions, ...fields } = fieldsOf(status);
  const claims = (conditions as readonly Condition[]).map(({ lastTransitionTime, ...claim }) => claim);
  const words = JSON.stringify([uid, fields, claims]);
  return createHash('sha256').update(words).digest('base64');
}
