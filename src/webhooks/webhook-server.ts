import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { Clock } from '../kube/clock.js';
import { causeText } from '../kube/errors.js';
import { jsonText } from '../kube/json-text.js';
import { WholeNumbers } from '../kube/whole-numbers.js';
import { listen, patience } from '../runtime/process/listen.js';
import { graceSeconds } from '../runtime/run-controller.js';
import type { Log } from '../runtime/telemetry/log.js';
import type { Telemetry } from '../runtime/telemetry/telemetry.js';
import type { Tracing } from '../runtime/telemetry/tracing.js';
import type { ServingPair } from '../tls/self-signed.js';
import { ReviewBodies } from './review-bodies.js';

export interface Review {
  /** Bytes of a request. */
  readonly largest: number;
  /** False for what is no review: anybody who reaches the port may send anything. Default: all is one. */
  takes?(body: unknown): boolean;
  /** What it throws is a mistake of ours. `numbers` are those of the body, which come back in the answer as they were. */
  answer(body: unknown, numbers: WholeNumbers): unknown;
}

export interface WebhookServerOptions {
  /** `:9443`, for instance. */
  readonly address: string;
  readonly pair: ServingPair;
  /** By path. */
  readonly reviews: Readonly<Record<string, Review>>;
  /** Bytes of memory for requests that are read and reviewed at once. */
  readonly room: number;
  readonly log: Log;
  readonly telemetry: Telemetry;
  /** Undefined where nobody follows what happens. */
  readonly tracing: Tracing | undefined;
  readonly clock: Clock;
}

const settings = { minVersion: 'TLSv1.2' } as const;
/** Who is told to end is sent requests for some time still, until nobody knows it as an endpoint any more. */
const lingerMilliseconds = 2000;

/**
 * The HTTPS server that the API server sends reviews to, until `signal` aborts, and for a moment after that.
 *
 * **Guarantees.** A rollout refuses no review: what comes within that moment is answered, and what is under way has the
 * time that writes have.
 */
export class WebhookServer {
  private constructor(
    private readonly server: Server,
    readonly address: string,
    /** Resolves after `signal` aborted, when nobody is answered any more. */
    readonly ended: Promise<void>,
  ) {}

  /** Throws `OperatorError` when it cannot listen. */
  static async start(options: WebhookServerOptions, signal: AbortSignal): Promise<WebhookServer> {
    const { address, pair, log, reviews, room, telemetry, tracing, clock } = options;
    const bodies = new ReviewBodies(room);
    const webhooks = new Map(
      Object.entries(reviews).map(([path, review]) => [path, { review, told: telemetry.webhook(path) }]),
    );
    const server = createServer({ ...patience, ...settings, cert: pair.cert, key: pair.key }, (request, response) => {
      askElsewhereNext(response, signal);
      const path = (request.url ?? '').split('?')[0]!;
      const webhook = webhooks.get(path);
      if (!webhook) {
        response.writeHead(404).end();
        return;
      }
      const round = webhook.told.reviewing();
      const followed = tracing?.reviewing(path, request.headers);
      const answering = () => answer(request, response, webhook.review, bodies);
      (followed ? followed.run(answering) : answering())
        .then(() => round.ended(response.statusCode, false))
        .catch((error: unknown) => {
          // One that ended before it was read whole is nobody's mistake here, and whoever reaches the port may send many.
          const tell = request.complete ? log.error : log.debug;
          tell.call(log, 'Failed to answer a review', { path: request.url, error: causeText(error) });
          if (!response.headersSent) response.writeHead(500);
          response.end();
          round.ended(response.statusCode, request.complete);
        })
        .finally(() => followed?.ended(response.statusCode));
    });
    // A scanner that speaks no TLS is nothing to log.
    server.on('tlsClientError', () => {});
    const ended = new Promise<void>((resolve) => server.once('close', resolve));
    const end = (): void => {
      const cancel = clock.after(graceSeconds * 1000, () => server.closeAllConnections());
      void ended.then(cancel);
      clock.after(lingerMilliseconds, () => server.close());
    };
    const listening = await listen(server, 'webhooks', address, signal, end);
    log.info('Serving webhooks', { address: listening.address });
    return new WebhookServer(server, listening.address, ended);
  }

  /** Shows another certificate to whoever connects from now on. */
  show({ cert, key }: ServingPair): void {
    this.server.setSecureContext({ ...settings, cert, key });
  }
}

/** Once `signal` aborts, who gets this answer keeps no connection to come back by. */
function askElsewhereNext(response: ServerResponse, signal: AbortSignal): void {
  const say = (): void => {
    if (!response.headersSent) response.setHeader('connection', 'close');
  };
  if (signal.aborted) say();
  signal.addEventListener('abort', say, { once: true });
  response.once('close', () => signal.removeEventListener('abort', say));
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  review: Review,
  bodies: ReviewBodies,
): Promise<void> {
  if (request.method !== 'POST') {
    response.writeHead(405, { allow: 'POST' }).end();
    return;
  }
  const refusal = await bodies.read(request, review.largest, async (body) => {
    let parsed: unknown;
    try {
      parsed = JSON.parse(body);
    } catch {
      response.writeHead(400).end();
      return;
    }
    if (review.takes?.(parsed) === false) {
      response.writeHead(400).end();
      return;
    }
    const numbers = new WholeNumbers();
    numbers.note(body);
    const text = jsonText(await review.answer(parsed, numbers));
    response.writeHead(200, { 'content-type': 'application/json' }).end(numbers.restored(text));
  });
  if (refusal === undefined) return;
  if (refusal === 503) {
    // By the header the API server asks again by itself, for as long as it has time.
    response.writeHead(refusal, { 'retry-after': '1' }).end();
  } else {
    // A connection that is closed before all has come may be reset before the answer was read.
    response.writeHead(refusal, { connection: 'close', 'content-length': '0' }).flushHeaders();
    if (request.closed) response.end();
    else request.once('close', () => response.end());
  }
  request.resume();
}
