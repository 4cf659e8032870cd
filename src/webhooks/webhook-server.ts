import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import { type Listening, listen, patience } from '../runtime/listen.js';
import type { Log } from '../runtime/log.js';
import type { ServingPair } from '../tls/self-signed.js';

/** Answers a review; what it throws is a mistake of ours. */
export type Review = (body: unknown) => unknown;

export interface WebhookServerOptions {
  /** `:9443`, for instance. */
  readonly address: string;
  readonly pair: ServingPair;
  /** By path. */
  readonly reviews: Readonly<Record<string, Review>>;
  readonly log: Log;
}

/** What the API server sends at once: a page of a list, whose objects have up to 3 MiB each. */
const largestBody = 64 * 1024 * 1024;
const settings = { minVersion: 'TLSv1.2' } as const;

/** The HTTPS server that the API server sends reviews to, until `signal` aborts. */
export class WebhookServer {
  private constructor(
    private readonly server: Server,
    readonly address: string,
  ) {}

  /** Throws `OperatorError` when it cannot listen. */
  static async start(options: WebhookServerOptions, signal: AbortSignal): Promise<WebhookServer> {
    const { address, pair, log } = options;
    const server = createServer({ ...patience, ...settings, cert: pair.cert, key: pair.key }, (request, response) => {
      answer(request, response, options).catch((error: Error) => {
        log.error('Failed to answer a review', { path: request.url, error: error.message });
        if (!response.headersSent) response.writeHead(500);
        response.end();
      });
    });
    // A scanner that speaks no TLS is nothing to log.
    server.on('tlsClientError', () => {});
    const listening: Listening = await listen(server, 'webhooks', address, signal);
    log.info('Serving webhooks', { address: listening.address });
    return new WebhookServer(server, listening.address);
  }

  /** Shows another certificate to whoever connects from now on. */
  show({ cert, key }: ServingPair): void {
    this.server.setSecureContext({ ...settings, cert, key });
  }
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { reviews }: WebhookServerOptions,
): Promise<void> {
  const path = (request.url ?? '').split('?')[0]!;
  const review = Object.hasOwn(reviews, path) ? reviews[path] : undefined;
  if (!review) {
    response.writeHead(404).end();
    return;
  }
  if (request.method !== 'POST') {
    response.writeHead(405, { allow: 'POST' }).end();
    return;
  }
  const body = await read(request);
  if (body === undefined) {
    response.writeHead(413, { connection: 'close' }).end();
    return;
  }
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    response.writeHead(400).end();
    return;
  }
  const text = JSON.stringify(await review(parsed));
  response.writeHead(200, { 'content-type': 'application/json' }).end(text);
}

async function read(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > largestBody) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
