import { type Clock, keepAlive, type Random, sleep } from '../kube/clock.js';
import { causeText, OperatorError } from '../kube/errors.js';
import { follow } from '../kube/first-abort.js';
import { isMap } from '../kube/plain-map.js';
import { ApiError, RetryAfterError, type Status, TransportError } from './api-error.js';
import { certificateHint } from './certificate-hint.js';
import type { WriteOptions } from './cluster.js';
import { Deadline } from './deadline.js';
import type { Fence } from './fence.js';
import { unwell } from './last-answer.js';
import { healthyMilliseconds, Limiter, type News } from './limiter.js';
import { type Asked, responseError, secondsOf } from './response-error.js';
import type { Trace } from './trace.js';
import { connections, type Transport } from './transport.js';
import { yamlText } from './yaml-text.js';

/** One request with one answer; watches are something else. */
export interface Call extends Pick<WriteOptions, 'signal' | 'timeoutSeconds' | 'until' | 'warned'> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly asked: Asked;
  readonly body?: unknown;
  readonly contentType?: string;
}

export interface CallsOptions {
  readonly transport: Transport;
  readonly lane: 'calls' | 'lease';
  readonly clock: Clock;
  readonly random: Random;
  /** Default: nobody follows calls. */
  readonly trace?: Trace | undefined;
}

const mostTries = 6;
/** A connection costs a handshake, and what fails may be a webhook, which fails by every server. */
const leavesMilliseconds = 250;
/** By how much less a write may have left, when it is written to its connection, than it tells the server. */
const toldMilliseconds = 100;

/**
 * Calls within their deadlines, as many at once as the server keeps up with, repeated where that is safe.
 *
 * **Guarantees.** A call rejects when its deadline passes or a signal aborts, also while it waits for its turn, and
 * nothing of it is sent afterwards: the clock is asked once more when a request is about to be written to its connection,
 * for which it may have waited long. A write is sent again only when it is certain that the server did not take it. One
 * whose caller sets it a deadline tells that to the server too, which gives up what it has not done by then: each try what
 * is left of it when it has its credentials and its connection, to a tenth of a second. A connection on which a server answers
 * that it is not well is not used for ever: behind a balancer it leads to that one server, and the next may lead to another.
 */
export class Calls {
  readonly #limiter: Limiter;
  #leftAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly options: CallsOptions) {
    const most = connections[options.lane];
    // Whatever one call for the Lease waits for, the next does not wait for it.
    const least = options.lane === 'lease' ? most : 1;
    this.#limiter = new Limiter({ clock: options.clock, most, least });
  }

  /** Resolves with the parsed answer. `fence` stops it beside the caller's own signal. */
  async send(call: Call, fence?: Fence): Promise<unknown> {
    const { clock, random } = this.options;
    const { timeoutSeconds, until, asked } = call;
    const stop = new AbortController();
    const letGo = call.signal && follow(stop, call.signal);
    const leave = fence?.covers(stop);
    const deadline = new Deadline({ clock, stop, asked, timeoutSeconds, until, isRead: call.method === 'GET' });
    try {
      for (let tries = 1; ; tries++) {
        try {
          return await this.#try(call, stop.signal, deadline, tries);
        } catch (error) {
          const patience =
            (error instanceof RetryAfterError ? error.retryAfterSeconds * 1000 : 50 * 2 ** tries) * (1 + random() / 4);
          // There is no use in waiting for a try that the deadline would not allow.
          if (tries === mostTries || !isSafeToRepeat(call, error) || patience >= deadline.left()) throw error;
          await this.#wait(patience, stop.signal);
        }
      }
    } finally {
      deadline.forget();
      letGo?.();
      leave?.();
    }
  }

  /** Nothing else need keep a program alive meanwhile that waits for the answer. */
  async #wait(milliseconds: number, signal: AbortSignal): Promise<void> {
    const letGo = keepAlive();
    await sleep(this.options.clock, milliseconds, signal).finally(letGo);
  }

  async #try(call: Call, signal: AbortSignal, deadline: Deadline, tries: number): Promise<unknown> {
    const { method, path, asked, body, contentType, timeoutSeconds } = call;
    signal.throwIfAborted();
    await this.#limiter.enter(signal);
    const { clock, transport } = this.options;
    // A broken connection says nothing of how much the server can bear, nor does whoever gave up.
    let news: News | undefined;
    let sentAt: number | undefined;
    let answered: number | undefined;
    const traced = this.options.trace?.({ method, path, asked, tries });
    try {
      deadline.left();
      signal.throwIfAborted();
      const isTold = method !== 'GET' && timeoutSeconds !== undefined;
      let told = 0;
      const { code, retryAfter, text, warnings } = await transport.ask({
        method,
        headers: traced?.headers,
        path: () => {
          told = deadline.left();
          return isTold ? within(path, told) : path;
        },
        lane: this.options.lane,
        signal,
        beforeSent: () => {
          sentAt = clock.monotonic();
          return told - deadline.left() <= toldMilliseconds || !isTold;
        },
        heard: () => deadline.heard(),
        leaves: (code) => unwell.has(code) && this.#leaves(),
        ...(body === undefined ? {} : bodyOf(body, contentType)),
      });
      answered = code;
      if (warnings.length > 0) call.warned?.(warnings);
      // A list is as long as it is.
      const took = sentAt === undefined || asked.verb === 'list' ? undefined : clock.monotonic() - sentAt;
      const status = code < 300 ? undefined : statusOf(text);
      // A filter that protects the server refuses in plain text. What its API says is about what was asked for: a webhook of
      // its own, a disruption budget, a storage that is not ready.
      const isOverloaded = code === 429 && status?.message === undefined;
      // Whose time is up is told so by the server or by us.
      news =
        code === 504
          ? givenUpAfter(took)
          : { isOverloaded, isUnavailable: code === 503, ...(took === undefined ? {} : { took }) };
      if (!status) return parsed(text);
      throw responseError(asked, code, status, secondsOf(retryAfter, clock.now()));
    } catch (cause) {
      if (deadline.isOver) news = givenUpAfter(sentAt === undefined ? undefined : clock.monotonic() - sentAt);
      if (cause instanceof ApiError) throw cause;
      throw signal.aborted ? signal.reason : brokenCall(asked, cause);
    } finally {
      this.#limiter.leave(news);
      traced?.ended(answered);
    }
  }

  #leaves(): boolean {
    const now = this.options.clock.monotonic();
    if (now - this.#leftAt < leavesMilliseconds) return false;
    this.#leftAt = now;
    return true;
  }
}

/** What a call tells of the server whose time was up; nothing where it had little, or was never sent. */
function givenUpAfter(took = 0): News | undefined {
  return took > healthyMilliseconds ? { isOverloaded: false, took, isGivenUp: true } : undefined;
}

/** What the parser says of a text that it cannot read quotes it, and an answer may hold what nobody may see. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new SyntaxError(`an answer of ${text.length} characters is not JSON`);
  }
}

/** `path` with the time after which the server need not go on: https://kubernetes.io/docs/reference/using-api/api-concepts/ */
function within(path: string, milliseconds: number): string {
  return `${path}${path.includes('?') ? '&' : '?'}timeout=${Math.ceil(milliseconds)}ms`;
}

function bodyOf(body: unknown, contentType = 'application/json') {
  return { body: contentType.endsWith('+yaml') ? yamlText(body) : JSON.stringify(body), contentType };
}

/** The server's account of a failure; a proxy's page in its place counts as none. */
export function statusOf(text: string): Status {
  try {
    return statusIn(JSON.parse(text));
  } catch {
    return {};
  }
}

/** The same of JSON, which a gateway may answer as well, with something else under the same names. */
export function statusIn(answer: unknown): Status {
  if (!isMap(answer) || typeof answer['message'] !== 'string') return {};
  const { details, ...rest } = answer;
  if (!isMap(details)) return rest;
  const { causes, ...more } = details;
  return { ...rest, details: { ...more, ...(Array.isArray(causes) ? { causes: causes.filter(isMap) } : {}) } };
}

/** The failure of the connection, or of what there is to be shown on it, as the call's, which nobody aborted. */
export function brokenCall({ subject, verb }: Asked, cause: unknown): ApiError {
  if (cause instanceof ApiError) return cause;
  const hint = cause instanceof OperatorError ? cause.hint : certificateHint(cause);
  return new TransportError(`${subject} ${verb} failed: ${causeText(cause)}`, { cause, hint });
}

/** A read can be asked again; a write only where it is certain that the server did not take it. */
function isSafeToRepeat({ method }: Call, error: unknown): boolean {
  if (error instanceof RetryAfterError) return error.status?.code === 429 || method === 'GET';
  if (!(error instanceof TransportError)) return false;
  // Without credentials nothing was sent. A plugin that fails may have asked a person, who is not asked again at once.
  if (error.cause instanceof OperatorError) return false;
  const code = (error.cause as { code?: string } | undefined)?.code;
  return method === 'GET' ? error.cause !== undefined : code === 'ECONNREFUSED' || code === 'UND_ERR_CONNECT_TIMEOUT';
}
