import { Pool } from 'undici';

/** Calls of one user to an API server, with nothing between them and the socket. */
export interface Api {
  /** The answer, parsed. Throws for codes from 400, unless `allow` names them. */
  ask(method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, options?: AskOptions): Promise<unknown>;
  /** The answer as text. */
  text(path: string): Promise<string>;
  /** The lines of a watch until `signal` aborts or the server ends it. */
  lines(path: string, signal: AbortSignal): AsyncGenerator<string>;
  close(): Promise<void>;
}

export interface AskOptions {
  readonly body?: unknown;
  readonly contentType?: string;
  readonly allow?: readonly number[];
}

export function apiOf(url: string, ca: string, token: string, connections = 64): Api {
  const connect = ca === '' ? {} : { ca };
  // Long enough to delete a whole collection, and no call that hangs hangs all.
  const timeouts = { headersTimeout: 180_000, bodyTimeout: 180_000 };
  const pool = new Pool(url, { connections, pipelining: 1, ...timeouts, connect });
  // A watch holds its connection for good, and must not take it from a call.
  const watches = new Pool(url, { pipelining: 1, headersTimeout: 0, bodyTimeout: 0, connect });
  const headers = { authorization: `Bearer ${token}`, accept: 'application/json' };
  return {
    async ask(method, path, { body, contentType = 'application/json', allow = [] } = {}) {
      const response = await pool.request({
        method,
        path,
        headers: body === undefined ? headers : { ...headers, 'content-type': contentType },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      const text = await response.body.text();
      if (response.statusCode >= 400 && !allow.includes(response.statusCode))
        throw new Error(`${method} ${path} failed: ${response.statusCode} ${text.slice(0, 300)}`);
      return JSON.parse(text) as unknown;
    },
    async text(path) {
      const response = await pool.request({ method: 'GET', path, headers: { authorization: headers.authorization } });
      return response.body.text();
    },
    async *lines(path, signal) {
      const { body } = await watches.request({ method: 'GET', path, headers, signal });
      body.setEncoding('utf8');
      let rest = '';
      for await (const chunk of body as AsyncIterable<string>) {
        const lines = (rest + chunk).split('\n');
        rest = lines.pop() ?? '';
        yield* lines;
      }
    },
    close: async () => {
      await Promise.all([pool.destroy(), watches.destroy()]);
    },
  };
}

/** Does `work` for 0 to `count` - 1, `width` at a time. */
export async function inParallel(
  count: number,
  width: number,
  work: (index: number) => Promise<unknown>,
): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: Math.min(width, count) }, worker));
}
