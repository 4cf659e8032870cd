import { InvalidError } from '../../client/api-error.js';
import type { Clock } from '../../kube/clock.js';
import type { KubeObject, Manifest } from '../../kube/manifest.js';
import { againAt, type Outcome } from '../outcome.js';
import { nextLookAt, type Refused as RefusedOnce, refusalWait, untilAllHaveHeard } from '../writes/refusal-wait.js';
import { markOf } from './status-fights.js';

interface Refused extends RefusedOnce {
  readonly mark: string;
  readonly error: InvalidError;
  /** How often in a row. */
  readonly times: number;
}

/** With the author's fields, without them, and what is said before the end of a round. */
const most = 3;

/**
 * What the API server refused for good of a status: the same is not said again for each event, but after 5 s at the soonest,
 * then 10, 20, … up to five minutes, and at once when the definition of the kind may have changed, soon also where that was just
 * before.
 *
 * In memory are only those, which are few.
 */
export class RefusedStatuses {
  readonly #refused = new Map<string, readonly Refused[]>();
  /** When the kind may have been defined otherwise last. */
  #definedAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly clock: Clock) {}

  /** Says `status` of `cr` by `write`, or throws what that was refused with where it is too early to do it again. */
  async unlessVain<T>(key: string, cr: KubeObject, status: Manifest, write: () => Promise<T>): Promise<T> {
    const known = this.#refused.get(key) ?? [];
    const mark = known.length === 0 ? undefined : markOf(cr, status);
    const last = known.find((each) => each.mark === mark);
    const began = this.clock.monotonic();
    if (last && began < last.until) throw last.error;
    try {
      const written = await write();
      if (last) this.#without(key, last.mark);
      return written;
    } catch (error) {
      if (error instanceof InvalidError) this.#again(key, mark ?? markOf(cr, status), error, began);
      throw error;
    }
  }

  /** All that was refused may be taken from now on. Answers whose it is. */
  acceptable(): readonly string[] {
    this.#definedAt = this.clock.monotonic();
    const keys = [...this.#refused.keys()];
    this.#refused.clear();
    return keys;
  }

  /** `outcome`, or what comes sooner for a status that may have been refused by the definition of before. */
  sooner(key: string, outcome: Outcome): Outcome {
    const now = this.clock.monotonic();
    return againAt(outcome, nextLookAt(this.#refused.get(key) ?? [], now), now, 'the API server refused its status');
  }

  forget(key: string): void {
    this.#refused.delete(key);
  }

  #again(key: string, mark: string, error: InvalidError, began: number): void {
    const times = (this.#refused.get(key)?.find((each) => each.mark === mark)?.times ?? 0) + 1;
    const until = this.clock.monotonic() + refusalWait(times);
    // It may be on its way since then, or of a server that has not heard of it yet.
    const isOwed = began < this.#definedAt + untilAllHaveHeard;
    this.#refused.set(key, [...this.#without(key, mark), { mark, error, times, until, isOwed }].slice(-most));
  }

  #without(key: string, mark: string): readonly Refused[] {
    const others = (this.#refused.get(key) ?? []).filter((each) => each.mark !== mark);
    if (others.length === 0) this.#refused.delete(key);
    else this.#refused.set(key, others);
    return others;
  }
}
