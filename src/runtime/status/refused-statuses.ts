import { InvalidError } from '../../client/api-error.js';
import type { Clock } from '../../kube/clock.js';
import type { KubeObject, Manifest } from '../../kube/manifest.js';
import { refusalWait } from '../writes/refusal-wait.js';
import { markOf } from './status-fights.js';

interface Refused {
  readonly mark: string;
  readonly error: InvalidError;
  /** How often in a row. */
  readonly times: number;
  /** Not before then, by the clock that no one sets. */
  readonly until: number;
}

/** With the author's fields, without them, and what is said before the end of a round. */
const most = 3;

/**
 * What the API server refused for good of a status: the same is not said again for each event, but after 5 s at the soonest,
 * then 10, 20, … up to five minutes, and at once when the definition of the kind may have changed.
 *
 * In memory are only those, which are few.
 */
export class RefusedStatuses {
  readonly #refused = new Map<string, readonly Refused[]>();

  constructor(private readonly clock: Clock) {}

  /** Says `status` of `cr` by `write`, or throws what that was refused with where it is too early to do it again. */
  async unlessVain<T>(key: string, cr: KubeObject, status: Manifest, write: () => Promise<T>): Promise<T> {
    const known = this.#refused.get(key) ?? [];
    const mark = known.length === 0 ? undefined : markOf(cr, status);
    const last = known.find((each) => each.mark === mark);
    if (last && this.clock.monotonic() < last.until) throw last.error;
    try {
      const written = await write();
      if (last) this.#without(key, last.mark);
      return written;
    } catch (error) {
      if (error instanceof InvalidError) this.#again(key, mark ?? markOf(cr, status), error);
      throw error;
    }
  }

  /** All that was refused may be taken from now on. Answers whose it is. */
  acceptable(): readonly string[] {
    const keys = [...this.#refused.keys()];
    this.#refused.clear();
    return keys;
  }

  forget(key: string): void {
    this.#refused.delete(key);
  }

  #again(key: string, mark: string, error: InvalidError): void {
    const times = (this.#refused.get(key)?.find((each) => each.mark === mark)?.times ?? 0) + 1;
    const until = this.clock.monotonic() + refusalWait(times);
    this.#refused.set(key, [...this.#without(key, mark), { mark, error, times, until }].slice(-most));
  }

  #without(key: string, mark: string): readonly Refused[] {
    const others = (this.#refused.get(key) ?? []).filter((each) => each.mark !== mark);
    if (others.length === 0) this.#refused.delete(key);
    else this.#refused.set(key, others);
    return others;
  }
}
