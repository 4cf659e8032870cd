import type { Dispatcher } from 'undici';

/** What a server answers that is not well, or whose storage is not, and what stands in the place of one that is not there. */
export const unwell: ReadonlySet<number> = new Set([500, 502, 503, 504]);

/**
 * `handler`, of which the answer is the last on its connection where `leaves` says so of its code: behind a balancer the next request
 * may meet another server. An answer whose length nobody says keeps its connection.
 */
export class LastAnswer implements Dispatcher.DispatchHandler {
  /** How many bytes are still to come, where it is the last. */
  #left: number | undefined;
  #isOver = false;

  constructor(
    private readonly handler: Dispatcher.DispatchHandler,
    private readonly leaves: (code: number) => boolean,
  ) {}

  onRequestStart(controller: Dispatcher.DispatchController, context: unknown): void {
    this.handler.onRequestStart?.(controller, context);
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    code: number,
    headers: Parameters<NonNullable<Dispatcher.DispatchHandler['onResponseStart']>>[2],
    message?: string,
  ): void {
    const length = Number(headers['content-length'] ?? 0);
    if (length > 0 && this.leaves(code)) this.#left = length;
    this.handler.onResponseStart?.(controller, code, headers, message);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.handler.onResponseData?.(controller, chunk);
    if (this.#left === undefined) return;
    this.#left -= chunk.length;
    if (this.#left > 0 || this.#isOver) return;
    // All is here, and its end has not been seen yet: by this the connection ends, and nobody is told of a failure.
    this.onResponseEnd(controller, {});
    controller.abort(new Error('the answer was the last on its connection'));
  }

  onResponseEnd(
    controller: Dispatcher.DispatchController,
    trailers: Parameters<NonNullable<Dispatcher.DispatchHandler['onResponseEnd']>>[1],
  ): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.handler.onResponseEnd?.(controller, trailers);
  }

  onResponseError(controller: Dispatcher.DispatchController, error: Error): void {
    if (!this.#isOver) this.handler.onResponseError?.(controller, error);
  }
}
