import { groupResourceOf } from '../../kube/api-resource.js';
import { OperatorError } from '../../kube/errors.js';
import type { Written } from './own-writes.js';

/** A watch that broke is back by then at one of its first tries, and a store has what it brings. */
const longMilliseconds = 10_000;

/** No watch shows what was written, and nothing is decided before one does. The cause is what keeps it from that, if known. */
export class LateWatchError extends OperatorError {
  override readonly name = 'LateWatchError';

  constructor({ kind: { resource } }: Written, cause: Error | undefined) {
    const why = cause?.message ?? `nothing came for ${longMilliseconds / 1000} s`;
    super(`waits for the watch of ${groupResourceOf(resource)} to show what was written: ${why}`, {
      cause,
      hint: cause instanceof OperatorError ? cause.hint : undefined,
    });
  }
}

/**
 * Since when a custom resource waits for its own writes to come back. A moment is ordinary. Where it lasts, as when the watch of
 * a kind is refused, nothing that is asked for is done, and without this nobody would learn why.
 */
export class LateWatches {
  /** Milliseconds of the monotonic clock. */
  readonly #since = new Map<string, number>();

  /** `unseen` is waited for still, at `now`: what is to be told of that, once it has lasted. */
  waited(key: string, unseen: Written, now: number): LateWatchError | undefined {
    const since = this.#since.get(key) ?? now;
    this.#since.set(key, since);
    if (now - since < longMilliseconds) return undefined;
    return new LateWatchError(unseen, unseen.kind.troubleIn(unseen.namespace));
  }

  /** All was seen, or it is gone. */
  over(key: string): void {
    this.#since.delete(key);
  }
}
