import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Caller } from '../api-server.js';
import { uuid } from '../engine.js';
import { internalError, noSuchPath, StatusError } from '../status-error.js';
import { formOf } from './accept.js';
import { type Answer, send } from './answer.js';
import type { Asked, Door } from './door.js';
import { impersonated } from './impersonation.js';
import { PageNotFound } from './page.js';
import { PathAnswers } from './path-answer.js';
import { Query } from './query.js';
import { GoneCallerError, readBody } from './read-body.js';
import { answerResource, type WatchAnswer } from './resource-answer.js';
import { routeOf } from './route.js';
import { streamEvents } from './watch-stream.js';

/** From the head of a request to the end of its answer. Nothing that happens to one request reaches another. */
export class RequestHandler {
  readonly #paths: PathAnswers;
  readonly #running = new Set<AbortController>();

  constructor(
    private readonly door: Door,
    address: () => string,
  ) {
    this.#paths = new PathAnswers(door, address);
  }

  /** Ends the watches that stand. */
  close(): void {
    for (const abort of this.#running) abort.abort();
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const abort = new AbortController();
    this.#running.add(abort);
    // Who has the whole answer waits for nothing that would have to end.
    response.on('close', () => {
      if (!response.writableFinished) abort.abort();
    });
    response.on('error', () => abort.abort());
    try {
      response.setHeader('Audit-Id', auditIdOf(request) ?? uuid(this.door.random));
      const answer = await this.#answer(request, abort.signal);
      if ('events' in answer) await streamEvents(response, answer.events, answer.encode, () => abort.abort());
      else await send(request, response, answer);
    } catch (error) {
      await this.#fail(request, response, error);
    } finally {
      this.#running.delete(abort);
    }
  }

  async #answer(request: IncomingMessage, signal: AbortSignal): Promise<Answer | WatchAnswer> {
    const { url = '/', method = 'GET', headers } = request;
    const mark = url.indexOf('?');
    const path = decoded(mark < 0 ? url : url.slice(0, mark));
    if (path === undefined) return { code: 400, body: '400 Bad Request' };
    const asked: Asked = {
      method,
      path,
      query: new Query(mark < 0 ? '' : url.slice(mark + 1)),
      caller: this.#callerOf(request),
      accept: headers.accept,
      contentType: headers['content-type'],
      userAgent: headers['user-agent'],
      body: () => readBody(request),
      signal,
    };
    const route = routeOf(path);
    if (!route) throw noSuchPath();
    return route.type === 'path' ? this.#paths.answer(route.parts, asked) : answerResource(this.door, route, asked);
  }

  #callerOf(request: IncomingMessage): Caller {
    const { tokens, authorizer } = this.door.desk;
    return impersonated(tokens.authenticate(request.headers.authorization), request, authorizer);
  }

  async #fail(request: IncomingMessage, response: ServerResponse, error: unknown): Promise<void> {
    if (error instanceof GoneCallerError) {
      response.destroy();
      return;
    }
    const isAnswer = error instanceof StatusError || error instanceof PageNotFound;
    if (!isAnswer) this.door.onFault?.(error);
    // A watch that breaks can only be cut: what it has sent cannot be taken back.
    if (response.headersSent) {
      response.destroy();
      return;
    }
    try {
      await send(request, response, failureOf(error, formOf(request.headers.accept)?.format));
      // What is still to come of it is dropped; a connection that is cut might take the answer with it.
      if (!request.complete) request.resume();
    } catch (again) {
      this.door.onFault?.(again);
      response.destroy();
    }
  }
}

function failureOf(error: unknown, format: Answer['format'] = 'json'): Answer {
  if (error instanceof PageNotFound) {
    return { code: 404, body: error.message, headers: { 'X-Content-Type-Options': 'nosniff' } };
  }
  if (!(error instanceof StatusError)) {
    return {
      code: 500,
      body: internalError('Internal error occurred: a fault of the embedded API server').status,
      format,
    };
  }
  const { status, warnings } = error;
  const retry = status.details?.retryAfterSeconds;
  const headers = retry === undefined ? {} : { 'Retry-After': String(retry) };
  return { code: status.code, body: status, headers, format, warnings };
}

function decoded(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

/** A caller may name its request, to find it again. */
function auditIdOf({ headers }: IncomingMessage): string | undefined {
  const id = headers['audit-id'];
  return typeof id === 'string' && /^[\w-]{1,64}$/.test(id) ? id : undefined;
}
