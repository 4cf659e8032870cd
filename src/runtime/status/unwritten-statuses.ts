import type { Log } from '../telemetry/log.js';

/** So many are told of by name. */
const mostNamed = 5;
/** How many there have to be at once to be told of as many; and ten times as many for the next time. */
const many = 10;

/**
 * The custom resources whose status the API server failed to take, which it may fail all at once. Of a trouble of all nobody wants a line
 * and an Event for each: a few are told of by name, then how many there are, and when it is over for all. Of those that were counted
 * the last few are told of by name as well: what has lasted for them alone is of their own.
 */
export class UnwrittenStatuses {
  readonly #named = new Set<string>();
  readonly #others = new Set<string>();
  /** How many there were at once since there was none. */
  #most = 0;
  #next = many;

  constructor(private readonly log: Log) {}

  /** The server failed `key`, which is to be told of by name unless it is only counted; `left`: it was, and few are left. */
  failed(key: string, error: string): 'named' | 'counted' | 'left' {
    if (this.#named.has(key)) return 'named';
    if (this.#others.has(key) && this.#named.size + this.#others.size <= mostNamed) {
      this.#others.delete(key);
      this.#named.add(key);
      return 'left';
    }
    const isNamed = this.#others.size === 0 && this.#named.size < mostNamed;
    (isNamed ? this.#named : this.#others).add(key);
    const count = this.#named.size + this.#others.size;
    this.#most = Math.max(this.#most, count);
    if (count >= this.#next) {
      this.#next *= 10;
      this.log.error('Failed to write many statuses', { customResources: count, error });
    }
    return isNamed ? 'named' : 'counted';
  }

  /** Its status was written, or it is gone, or what keeps it from being written is its own. True unless it was only counted. */
  over(key: string): boolean {
    const isCounted = this.#others.delete(key);
    if (!this.#named.delete(key) && !isCounted) return true;
    if (this.#named.size + this.#others.size > 0) return !isCounted;
    if (this.#next > many) this.log.info('Writing statuses again', { customResources: this.#most });
    this.#most = 0;
    this.#next = many;
    return !isCounted;
  }
}
