import { afterAll, beforeAll } from '@jest/globals';
import { Agent, type Dispatcher, request } from 'undici';
import { ApiServer } from '../../../src/embedded/api-server.js';
import { Authorizer } from '../../../src/embedded/auth/authorizer.js';
import { Tokens } from '../../../src/embedded/auth/tokens.js';
import { admin, EmbeddedServer } from '../../../src/embedded/embedded-server.js';
import type { Door } from '../../../src/embedded/http/door.js';
import { type HttpServer, type ServeOptions, serve } from '../../../src/embedded/http/serve.js';
import type { Json } from '../../../src/kube/manifest.js';

export interface Served extends HttpServer {
  readonly embedded: EmbeddedServer;
  readonly token: string;
  /** What the handlers threw that was no answer. */
  readonly faults: unknown[];
  ask(method: string, path: string, question?: Question): Promise<Asked>;
}

export interface Question {
  readonly body?: unknown;
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly token?: string | undefined;
}

export interface Asked {
  readonly code: number;
  readonly headers: Dispatcher.ResponseData['headers'];
  readonly text: string;
  /** Empty when the answer is no JSON object. */
  readonly body: { readonly [field: string]: Json };
}

const token = 'the-token-of-the-admin';

/** The embedded server behind HTTP, with one token that may do everything. */
export async function startServed(options: Partial<ServeOptions> = {}): Promise<Served> {
  const embedded = new EmbeddedServer({ controllers: false, keepsUnenforced: true });
  const authorizer = new Authorizer(embedded.store);
  const faults: unknown[] = [];
  const door: Door = {
    verbs: new ApiServer({ ...embedded.verbs.engine, authorize: authorizer.authorize }),
    kinds: embedded.kinds,
    clock: embedded.clock,
    random: embedded.random,
    desk: {
      store: embedded.store,
      clock: embedded.clock,
      authorizer,
      tokens: new Tokens({ ...embedded, known: { [token]: admin } }),
    },
    onFault: (error) => faults.push(error),
  };
  const server = await serve({ ...door, ...options });
  const agent = new Agent({ connect: server.ca === undefined ? {} : { ca: server.ca } });
  return {
    ...server,
    embedded,
    token,
    faults,
    ask: (method, path, question = {}) => ask(agent, server.url, token, method, path, question),
    async close() {
      await server.close();
      await agent.destroy();
    },
  };
}

/** One request to an API server, and its answer as it came: a refusal is an answer too. */
export async function ask(
  dispatcher: Dispatcher,
  url: string,
  adminToken: string,
  method: string,
  path: string,
  question: Question,
): Promise<Asked> {
  const { body, contentType = 'application/json', headers = {} } = question;
  const sent = 'token' in question ? question.token : adminToken;
  const answer = await request(url + path, {
    method: method as Dispatcher.HttpMethod,
    dispatcher,
    headers: {
      'user-agent': 'test',
      ...(sent === undefined ? {} : { authorization: `Bearer ${sent}` }),
      ...(body === undefined && !('contentType' in question) ? {} : { 'content-type': contentType }),
      ...headers,
    },
    body: body === undefined ? null : typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
  });
  const text = await answer.body.text();
  const isJson = text.startsWith('{') && !text.includes('}\n{');
  return {
    code: answer.statusCode,
    headers: answer.headers,
    text,
    body: isJson ? (JSON.parse(text) as Asked['body']) : {},
  };
}

/** Starts it before the tests of a suite and stops it after them. */
export function withServed(options: Partial<ServeOptions> = {}): () => Served {
  let served: Served | undefined;
  beforeAll(async () => {
    served = await startServed(options);
  });
  afterAll(() => served?.close());
  return () => {
    if (!served) throw new Error('not started yet: use it inside a test');
    return served;
  };
}
