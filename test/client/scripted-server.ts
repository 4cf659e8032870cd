import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ClusterConfig } from '../../src/client/cluster-config.js';

export type Answer = (response: ServerResponse, request: IncomingMessage) => void;

/** An API server that says what a test tells it to, answer by answer, and then refuses. */
export class ScriptedServer {
  readonly requests: {
    readonly method: string;
    readonly url: string;
    readonly authorization: string | undefined;
    readonly headers: NodeJS.Dict<string[]>;
  }[] = [];
  /** How many connections were opened so far. */
  connections = 0;
  readonly #answers: Answer[] = [];

  private constructor(private readonly server: Server) {
    // As an API server: it does not say for how long it keeps a connection.
    server.keepAliveTimeout = 0;
    server.on('connection', () => this.connections++);
    server.on('request', (request, response) => {
      const { method = '', url = '' } = request;
      const { headers, headersDistinct } = request;
      this.requests.push({ method, url, authorization: headers.authorization, headers: headersDistinct });
      const answer = this.#answers.shift() ?? status(500, { message: 'the script has ended' });
      request.resume();
      answer(response, request);
    });
  }

  static async start(): Promise<ScriptedServer> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new ScriptedServer(server);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  get config(): ClusterConfig {
    const tls = {};
    return { server: this.url, namespace: 'default', tls: async () => tls, authorization: async () => undefined };
  }

  answers(...answers: readonly Answer[]): void {
    this.#answers.push(...answers);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}

/** A whole answer in JSON. */
export function json(body: unknown, code = 200, headers: Readonly<Record<string, string>> = {}): Answer {
  return (response) =>
    response.writeHead(code, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

/** A failure in the server's form. */
export function status(code: number, fields: object = {}, headers: Readonly<Record<string, string>> = {}): Answer {
  return json({ kind: 'Status', status: 'Failure', code, message: `code ${code}`, ...fields }, code, headers);
}

/** A whole answer in plain text. */
export function text(code: number, words: string, headers: Readonly<Record<string, string>> = {}): Answer {
  return (response) => response.writeHead(code, { 'content-type': 'text/plain; charset=utf-8', ...headers }).end(words);
}

/** How the filters of an API server refuse that stand before its API: in plain text. */
export const tooMany = text(429, 'Too many requests, please try again later.\n', { 'retry-after': '1' });

/** A stream of chunks, each sent by itself, and then its end: orderly, by a reset, or never. */
export function stream(chunks: readonly (string | Uint8Array)[], end: 'close' | 'reset' | 'never' = 'close'): Answer {
  return async (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    for (const chunk of chunks) {
      response.write(chunk);
      await new Promise((resolve) => setImmediate(resolve));
    }
    if (end === 'close') response.end();
    else if (end === 'reset') setTimeout(() => response.socket?.resetAndDestroy(), 10);
  };
}

/** Takes the request and goes away without a word. */
export const hangUp: Answer = (response) => response.socket?.destroy();

/** Takes the request and never answers. */
export const silence: Answer = () => {};
