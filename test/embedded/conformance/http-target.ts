import { Agent, type Dispatcher, errors } from 'undici';
import type { Json } from '../../../src/kube/manifest.js';
import type { Operation, PatchKind } from './operation.js';
import { brokenOff, type OpenWatch, type Outcome, type WatchEvent } from './outcome.js';
import type { Target } from './target.js';

export const contentTypes: Readonly<Record<PatchKind, string>> = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
};
export const methods = {
  create: 'POST',
  get: 'GET',
  list: 'GET',
  watch: 'GET',
  update: 'PUT',
  patch: 'PATCH',
  delete: 'DELETE',
  deletecollection: 'DELETE',
} as const;

/** A server behind a URL. */
export class HttpTarget implements Target {
  readonly #calls: Agent;
  /** A watch ends with its connection, so that these are not worth keeping. */
  readonly #watches: Agent;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(
    readonly name: string,
    private readonly url: string,
    token: string,
    ca?: string,
    connections = 24,
  ) {
    const connect = ca === undefined ? {} : { connect: { ca } };
    this.#calls = new Agent({ ...connect, connections, pipelining: 1 });
    this.#watches = new Agent({ ...connect, bodyTimeout: 0 });
    this.#headers = { authorization: `Bearer ${token}`, accept: 'application/json', 'user-agent': 'conformance/1' };
  }

  async send(operation: Operation): Promise<Outcome> {
    try {
      const answer = await this.#request(this.#calls, operation);
      return outcomeOf(answer, await answer.body.text());
    } catch (error) {
      if (!(error instanceof errors.SocketError)) throw error;
      // The server hung up, as it does when a handler panics.
      return { code: brokenOff, warnings: [] };
    }
  }

  async watch(operation: Operation): Promise<OpenWatch | Outcome> {
    const end = new AbortController();
    const answer = await this.#request(this.#watches, operation, end.signal);
    if (answer.statusCode !== 200) return outcomeOf(answer, await answer.body.text());
    return new HttpWatch(answer.body, end);
  }

  async close(): Promise<void> {
    await Promise.all([this.#calls.destroy(), this.#watches.destroy()]);
  }

  #request(agent: Agent, operation: Operation, signal?: AbortSignal): Promise<Dispatcher.ResponseData> {
    const { verb, body, patch } = operation;
    if (verb === 'settle') throw new Error('to settle is no request');
    return agent.request({
      origin: this.url,
      path: pathOf(operation),
      method: methods[verb],
      headers: { ...this.#headers, 'content-type': patch ? contentTypes[patch] : 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal ? { signal } : {}),
    });
  }
}

export function pathOf({ verb, resource, namespace, name, subresource, query }: Operation): string {
  const slash = resource.lastIndexOf('/');
  const [groupVersion, plural] = [resource.slice(0, slash), resource.slice(slash + 1)];
  const steps = [groupVersion.includes('/') ? 'apis' : 'api', ...groupVersion.split('/')];
  if (namespace !== undefined) steps.push('namespaces', encodeURIComponent(namespace));
  steps.push(plural);
  if (name !== undefined) steps.push(encodeURIComponent(name));
  if (subresource !== undefined) steps.push(subresource);
  const parameters = new URLSearchParams({ ...query, ...(verb === 'watch' ? { watch: '1' } : {}) }).toString();
  return `/${steps.join('/')}${parameters === '' ? '' : `?${parameters}`}`;
}

function outcomeOf({ statusCode, headers }: Dispatcher.ResponseData, text: string): Outcome {
  return { code: statusCode, body: parsed(text), warnings: warningsOf(headers['warning']) };
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}

/** `299 - "unknown field \"spec.a\""`, once a warning. */
function warningsOf(header: string | string[] | undefined): string[] {
  const lines = header === undefined ? [] : [header].flat();
  return lines.flatMap((line) =>
    [...line.matchAll(/299 \S+ "((?:[^"\\]|\\.)*)"/g)].map(([, text]) => (text as string).replace(/\\(.)/g, '$1')),
  );
}

class HttpWatch implements OpenWatch {
  readonly #events: WatchEvent[] = [];
  #isOver = false;
  #wake: () => void = () => {};

  constructor(
    body: AsyncIterable<Uint8Array>,
    private readonly end: AbortController,
  ) {
    void this.#read(body);
  }

  async next(milliseconds: number): Promise<WatchEvent | undefined> {
    if (this.#events.length === 0 && !this.#isOver) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, milliseconds);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    return this.#events.shift();
  }

  close(): void {
    this.end.abort();
  }

  async #read(body: AsyncIterable<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder();
    let rest = '';
    try {
      for await (const chunk of body) {
        const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
        rest = lines.pop() as string;
        for (const line of lines) if (line !== '') this.#events.push(JSON.parse(line) as WatchEvent);
        this.#wake();
      }
    } catch {
      // Closed by us, or broken off: either way nothing more will come.
    }
    this.#isOver = true;
    this.#wake();
  }
}
