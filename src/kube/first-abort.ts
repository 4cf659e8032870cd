/** A signal that follows others, until it is let go. */
export interface FirstAbort {
  readonly signal: AbortSignal;
  /** From now on it follows none, and none knows of it. */
  letGo(): void;
}

/**
 * Aborts as the first of `sources` does, and for its reason.
 *
 * For what is short where a source lives as long as the process: each `AbortSignal.any` stays known to its sources in Node 20,
 * for as long as they live (https://github.com/nodejs/node/issues/55351).
 */
export function firstAbort(...sources: readonly AbortSignal[]): FirstAbort {
  const first = new AbortController();
  const followed = sources.map((source) => follow(first, source));
  return {
    signal: first.signal,
    letGo() {
      for (const letGo of followed) letGo();
    },
  };
}

/** Aborts `controller` as `source` does, and for its reason, until the returned function is called: `source` knows of it for so long. */
export function follow(controller: AbortController, source: AbortSignal): () => void {
  const abort = () => controller.abort(source.reason);
  if (source.aborted) abort();
  else source.addEventListener('abort', abort, { once: true });
  return () => source.removeEventListener('abort', abort);
}
