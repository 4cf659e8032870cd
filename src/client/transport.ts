import type { Dispatcher } from 'undici';
import { leaseCalls } from '../kube/lease-timings.js';
import { type Answer, AnswerHandler, OutdatedRequest, retryAfterIn } from './answer.js';
import { TransportError } from './api-error.js';
import type { ClusterConfig, Shown, TlsOptions } from './cluster-config.js';
import { LastAnswer, unwell } from './last-answer.js';
import { proxyPool } from './proxy-pool.js';
import { Pool } from './undici.js';

/** Calls wait for each other within a lane, never across: a busy lane cannot delay the Lease, nor a watch hold a call's socket. */
export type Lane = 'calls' | 'watches' | 'lease';

export interface HttpRequest {
  readonly method: string;
  readonly path: string;
  /** Beside what every request has. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly contentType?: string;
  readonly body?: string;
  readonly lane: Lane;
  readonly signal?: AbortSignal;
}

/** A request with one answer, of which nothing is sent once `signal` has aborted. */
export interface AnsweredRequest extends Omit<HttpRequest, 'path'> {
  readonly signal: AbortSignal;
  /** Called for each try, when all but a connection is there. It may say how much time is left. May abort `signal`. */
  readonly path: () => string;
  /**
   * Called at the last moment, when the request is about to be written to its connection. May abort `signal`. False where
   * the path is out of date: then it is asked for another.
   */
  readonly beforeSent: () => boolean;
  /** Called for each part that comes of an answer that is no refusal. */
  readonly heard: () => void;
  /** Asked of the code of an answer. True: its connection is not used again, so that the next call may meet another server. */
  readonly leaves: (code: number) => boolean;
}

/** What comes in as long as a connection lasts. */
export interface HttpStream {
  readonly code: number;
  readonly retryAfter: string | undefined;
  readonly body: Dispatcher.ResponseData['body'];
}

/** Told of a request when it is sent; what it returns, of the answer's code, or of none when there was no answer. */
export type Observe = (method: string, lane: Lane) => (code?: number) => void;

/**
 * How many connections a lane has at most; null for as many as there are watches. Of the Lease more than one, since the first may
 * hang, or not come about: then the same is asked on one more, and one more. And as many again: one that does not come about is
 * given up after ten seconds, whoever waited for it, and the next call for the Lease has less.
 */
export const connections = { calls: 16, watches: null, lease: 2 * leaseCalls } as const satisfies Record<
  Lane,
  number | null
>;

/** How long a connection is kept that nobody uses: an API server closes it after 90 s, and nobody should be about to use it then. */
const idleMilliseconds = 60_000;

/** Calls have deadlines of their own, and a watch may be silent. */
const unlimited = { headersTimeout: 0, bodyTimeout: 0 } as const;

/**
 * Connections to one API server, kept alive and shared by all calls: no call pays for a handshake that comes within a minute
 * of another.
 *
 * Follows rotating certificates by new pools, while what runs on the old ones ends in good order, and a refused token by
 * one more try with credentials that were read anew.
 */
export class Transport {
  #pools: Pools | undefined;
  /** Those that others have taken the place of, for as long as something runs on them. */
  readonly #retiring = new Set<Pools>();
  #tls: TlsOptions | undefined;
  #closed = false;
  readonly #origin: string;

  constructor(
    private readonly config: ClusterConfig,
    private readonly observe: Observe = () => () => {},
  ) {
    this.#origin = new URL(config.server).origin;
  }

  /** The answer, of whatever code. Throws `TransportError` when there is none, and what `signal` aborts with. */
  async ask(request: AnsweredRequest): Promise<Answer> {
    const { answer, shown } = await this.#ask(request);
    return answer.code === 401 ? (await this.#ask(request, shown)).answer : answer;
  }

  /** The same of an answer that goes on until `signal` aborts. */
  async open(request: HttpRequest): Promise<HttpStream> {
    const { stream, shown } = await this.#open(request);
    if (stream.code !== 401) return stream;
    await stream.body.dump();
    return (await this.#open(request, shown)).stream;
  }

  async close(): Promise<void> {
    this.#closed = true;
    const all = [...this.#retiring, ...(this.#pools ? [this.#pools] : [])];
    this.#pools = undefined;
    // Watches never end by themselves, so nothing is gained by waiting for them.
    await Promise.all(all.flatMap((pools) => Object.values(pools).map((pool) => pool.destroy())));
  }

  /** Ends the connections of one lane, whatever runs on them, and opens others when they are needed. */
  async tearDown(lane: Lane): Promise<void> {
    const pools = this.#pools;
    if (!pools || !this.#tls) return;
    this.#pools = { ...pools, [lane]: poolOf(this.config, this.#tls, lane) };
    await pools[lane].destroy();
  }

  async #ask(request: AnsweredRequest, refused?: Shown): Promise<{ readonly answer: Answer; readonly shown: Shown }> {
    const { options, shown, answered } = await this.#prepared(request, refused);
    try {
      let answer: Answer | undefined;
      while (!answer) answer = await this.#answerTo(request, options);
      answered(answer.code);
      return { answer, shown };
    } catch (error) {
      answered();
      throw error;
    }
  }

  /** Undefined when it was not sent, since it was out of date when it had its connection, which is there for the next. */
  #answerTo(request: AnsweredRequest, options: Omit<Dispatcher.RequestOptions, 'path'>): Promise<Answer | undefined> {
    this.#checkOpen();
    const path = request.path();
    request.signal.throwIfAborted();
    return new Promise<Answer>((resolve, reject) => {
      const handler = new LastAnswer(new AnswerHandler(request, resolve, reject), request.leaves);
      this.#pool(request.lane).dispatch({ ...options, path }, handler);
    }).catch((error: unknown) => {
      if (error instanceof OutdatedRequest) return undefined;
      throw error;
    });
  }

  async #open(request: HttpRequest, refused?: Shown): Promise<{ readonly stream: HttpStream; readonly shown: Shown }> {
    const { options, shown, answered } = await this.#prepared(request, refused);
    try {
      const pool = this.#pool(request.lane).compose(leavingUnwell);
      // By itself undici hears of an abort when the connection has come about, or is given up after ten seconds.
      const asked = pool.request({ ...options, path: request.path });
      const { statusCode, headers, body } = await unlessAborted(asked, request.signal);
      answered(statusCode);
      return { stream: { code: statusCode, retryAfter: retryAfterIn(headers), body }, shown };
    } catch (error) {
      answered();
      throw error;
    }
  }

  async #prepared(
    { method, headers, contentType, body, lane, signal }: Omit<HttpRequest, 'path'>,
    refused: Shown | undefined,
  ) {
    this.#checkOpen();
    signal?.throwIfAborted();
    // A plugin that is asked for them may take for ever.
    const shown = await unlessAborted(this.#credentials(refused), signal);
    const { authorization } = shown;
    this.#checkOpen();
    this.#connectBy(shown.tls);
    const options: Omit<Dispatcher.RequestOptions, 'path'> = {
      // A proxy has to be told.
      origin: this.#origin,
      method: method as Dispatcher.HttpMethod,
      headers: {
        accept: 'application/json',
        'user-agent': 'kilter',
        ...(this.config.headers as Record<string, string | string[]> | undefined),
        ...headers,
        ...(authorization === undefined ? {} : { authorization }),
        ...(contentType === undefined ? {} : { 'content-type': contentType }),
      },
      ...(body === undefined ? {} : { body }),
      ...(signal ? { signal } : {}),
      ...unlimited,
    };
    return { options, shown, answered: this.observe(method, lane) };
  }

  #checkOpen(): void {
    if (this.#closed) throw new TransportError('the client is closed');
  }

  async #credentials(refused: Shown | undefined): Promise<Shown> {
    return { authorization: await this.config.authorization({ refused }), tls: await this.config.tls() };
  }

  /** That of now: others may have taken its place while a request waited. */
  #pool(lane: Lane): Dispatcher {
    return (this.#pools as Pools)[lane];
  }

  #connectBy(tls: TlsOptions): void {
    if (this.#pools && tls === this.#tls) return;
    const old = this.#pools;
    this.#tls = tls;
    this.#pools = open(this.config, tls);
    if (old) this.#retire(old);
  }

  #retire(pools: Pools): void {
    this.#retiring.add(pools);
    const because = new Error(
      'its connection was given up, since other certificates took the place of those of before',
    );
    const ended = [pools.calls.close(), pools.lease.close(), pools.watches.destroy(because)];
    void Promise.allSettled(ended).then(() => this.#retiring.delete(pools));
  }
}

type Pools = Readonly<Record<Lane, Dispatcher>>;

/** Who opens a watch again waits longer each time: it may have a connection of its own for each. */
const leavingUnwell: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) =>
  dispatch(options, new LastAnswer(handler, (code) => unwell.has(code)));

function open(config: ClusterConfig, tls: TlsOptions): Pools {
  const pool = (lane: Lane) => poolOf(config, tls, lane);
  return { calls: pool('calls'), watches: pool('watches'), lease: pool('lease') };
}

function poolOf({ server, proxyUrl }: ClusterConfig, tls: TlsOptions, lane: Lane): Dispatcher {
  // A peer that vanished without a word is noticed by keep-alive probes, which begin after this long without data.
  const probes = { keepAlive: true, keepAliveInitialDelay: 5000 } as const;
  const options = { connections: connections[lane], pipelining: 1, keepAliveTimeout: idleMilliseconds };
  return proxyUrl
    ? proxyPool(proxyUrl, new URL(server).origin, probes, tls, options)
    : new Pool(new URL(server).origin, { connect: { ...tls, ...probes }, ...options });
}

/** What `promise` gives, or the reason of `signal` when that aborts first. */
function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
