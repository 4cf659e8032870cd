import type { Caller } from '../../../src/embedded/api-server.js';
import type { Answer } from '../../../src/embedded/http/answer.js';
import type { Asked, Door } from '../../../src/embedded/http/door.js';
import { PageNotFound } from '../../../src/embedded/http/page.js';
import { Query } from '../../../src/embedded/http/query.js';
import { answerResource, type WatchAnswer } from '../../../src/embedded/http/resource-answer.js';
import { routeOf } from '../../../src/embedded/http/route.js';
import { StatusError } from '../../../src/embedded/status-error.js';
import type { Json } from '../../../src/kube/manifest.js';
import { contentTypes, methods, pathOf } from './http-target.js';
import type { Operation } from './operation.js';
import type { OpenWatch, Outcome, WatchEvent } from './outcome.js';
import type { Target } from './target.js';

/** The embedded server without a socket: everything between the head of a request and the bytes of its answer. */
export class EmbeddedTarget implements Target {
  readonly name = 'the embedded server';

  constructor(
    private readonly door: Door,
    private readonly caller: Caller,
  ) {}

  async send(operation: Operation): Promise<Outcome> {
    const answer = await this.#answer(operation, new AbortController().signal);
    if ('events' in answer) throw new Error('a watch is not sent');
    return answer;
  }

  async watch(operation: Operation): Promise<OpenWatch | Outcome> {
    const end = new AbortController();
    const answer = await this.#answer(operation, end.signal);
    return 'events' in answer ? new EmbeddedWatch(answer, end) : answer;
  }

  async close(): Promise<void> {}

  async #answer(operation: Operation, signal: AbortSignal): Promise<Outcome | WatchAnswer> {
    const { verb, body, patch } = operation;
    if (verb === 'settle') throw new Error('to settle is no request');
    const [path, query = ''] = pathOf(operation).split('?') as [string, string?];
    const asked: Asked = {
      method: methods[verb],
      path: decodeURIComponent(path),
      query: new Query(query),
      caller: this.caller,
      accept: 'application/json',
      contentType: patch ? contentTypes[patch] : 'application/json',
      userAgent: 'conformance/1',
      body: async () => Buffer.from(body === undefined ? '' : JSON.stringify(body)),
      signal,
    };
    try {
      const route = routeOf(asked.path);
      if (route?.type !== 'resource') throw new PageNotFound();
      const answer = await answerResource(this.door, route, asked);
      return 'events' in answer ? answer : outcomeOf(answer);
    } catch (error) {
      if (error instanceof StatusError) {
        return { code: error.status.code, body: plain(error.status), warnings: error.warnings };
      }
      if (error instanceof PageNotFound) return { code: 404, body: error.message, warnings: [] };
      // A fault of the server, which must not end the run: it is a difference like any other.
      const said = error instanceof Error ? (error.stack ?? error.message) : String(error);
      return {
        code: 599,
        body: {
          message: said
            .split('\n')
            .slice(0, 3)
            .join(' ')
            .replace(/\(\S+\//g, '('),
        },
        warnings: [],
      };
    }
  }
}

function outcomeOf({ code, body, warnings = [] }: Answer): Outcome {
  return { code, body: plain(body), warnings };
}

/** As it would arrive. */
function plain(value: object | string): Json {
  return JSON.parse(JSON.stringify(value)) as Json;
}

class EmbeddedWatch implements OpenWatch {
  readonly #events: AsyncIterator<WatchEvent>;
  /** Asked for, and not there yet: it is for whoever asks next. */
  #pending: Promise<IteratorResult<WatchEvent>> | undefined;

  constructor(
    { events, encode }: WatchAnswer,
    private readonly end: AbortController,
  ) {
    this.#events = (async function* () {
      for await (const event of events) yield JSON.parse(encode(event)) as WatchEvent;
    })();
  }

  async next(milliseconds: number): Promise<WatchEvent | undefined> {
    this.#pending ??= this.#events.next();
    let timer: NodeJS.Timeout | undefined;
    const silence = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), milliseconds);
    });
    const result = await Promise.race([this.#pending, silence]);
    clearTimeout(timer);
    if (!result) return undefined;
    this.#pending = undefined;
    return result.done ? undefined : result.value;
  }

  close(): void {
    this.end.abort();
  }
}
