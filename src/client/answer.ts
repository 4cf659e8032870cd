import type { Dispatcher } from 'undici';
import { warningsIn } from './warnings.js';

/** What a server says to one request. */
export interface Answer {
  readonly code: number;
  readonly retryAfter: string | undefined;
  readonly text: string;
  readonly warnings: readonly string[];
}

interface Asking {
  readonly signal: AbortSignal;
  readonly beforeSent: () => boolean;
  readonly heard: () => void;
}

/** A request was not sent, since it says what is not true any more. */
export class OutdatedRequest extends Error {
  override readonly name = 'OutdatedRequest';
}

/**
 * Gathers the answer to one request, without the stream that one could read it from.
 *
 * A request may wait long for a connection, and the process be stopped meanwhile: just before it is written it is looked
 * once more whether it may be. Whoever asks hears at once of an abort, wherever the request is, and of an `OutdatedRequest`.
 */
export class AnswerHandler implements Dispatcher.DispatchHandler {
  readonly #chunks: Buffer[] = [];
  readonly #aborted = () => this.#fail(this.asking.signal.reason);
  #controller: Dispatcher.DispatchController | undefined;
  #code = 0;
  #retryAfter: string | undefined;
  #warnings: readonly string[] = [];

  constructor(
    private readonly asking: Asking,
    private readonly resolve: (answer: Answer) => void,
    private readonly reject: (error: unknown) => void,
  ) {
    asking.signal.addEventListener('abort', this.#aborted, { once: true });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    const { signal, beforeSent } = this.asking;
    const isCurrent = beforeSent();
    // Thrown and not aborted: nothing of it was sent, and the connection, perhaps just opened, is good for the next.
    signal.throwIfAborted();
    if (!isCurrent) throw new OutdatedRequest();
    this.#controller = controller;
  }

  onResponseStart(_: Dispatcher.DispatchController, code: number, headers: Readonly<Record<string, unknown>>): void {
    this.#code = code;
    this.#retryAfter = retryAfterIn(headers);
    if (headers['warning'] !== undefined) this.#warnings = warningsIn(headers['warning']);
    this.#heard();
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#heard();
  }

  onResponseEnd(): void {
    this.#forget();
    // Whole, since a character may stand in two chunks.
    const [only, another] = this.#chunks;
    const text = (only && !another ? only : Buffer.concat(this.#chunks)).toString();
    this.resolve({ code: this.#code, retryAfter: this.#retryAfter, text, warnings: this.#warnings });
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.#forget();
    this.reject(error);
  }

  #heard(): void {
    if (this.#code < 400) this.asking.heard();
  }

  #fail(reason: unknown): void {
    this.#forget();
    this.reject(reason);
    this.#controller?.abort(reason as Error);
  }

  #forget(): void {
    this.asking.signal.removeEventListener('abort', this.#aborted);
  }
}

/**
 * What `Retry-After` says among the headers of an answer. A date is told as seconds from when the answer was made, by the clock of
 * whoever made it: by ours, where that is an hour behind, it would be an hour more.
 */
export function retryAfterIn(headers: Readonly<Record<string, unknown>>): string | undefined {
  const { 'retry-after': said, date } = headers;
  if (typeof said !== 'string') return undefined;
  const seconds = (Date.parse(said) - Date.parse(String(date))) / 1000;
  return Number.isNaN(Number(said)) && !Number.isNaN(seconds) ? String(seconds) : said;
}
