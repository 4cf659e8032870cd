/**
 * Stops all that is under way at once, and keeps out what comes later.
 *
 * Not an AbortSignal, because Node takes more than ten listeners of one for a leak, and here every write is one.
 */
export class Fence {
  readonly #covered = new Set<AbortController>();
  #reason: Error | undefined;

  /** Aborts `controller` when the fence comes down, now where it is down, until the returned function is called. */
  covers(controller: AbortController): () => void {
    if (this.#reason) controller.abort(this.#reason);
    this.#covered.add(controller);
    return () => this.#covered.delete(controller);
  }

  lower(reason: Error): void {
    this.#reason ??= reason;
    for (const controller of this.#covered) controller.abort(reason);
  }

  raise(): void {
    this.#reason = undefined;
  }
}
