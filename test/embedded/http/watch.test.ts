import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { Agent, request } from 'undici';
import type { Verbs } from '../../../src/embedded/api-server.js';
import { EmbeddedServer } from '../../../src/embedded/embedded-server.js';
import type { Json } from '../../../src/kube/manifest.js';
import { type Served, startServed, withServed } from './served.js';

const maps = '/api/v1/namespaces/default/configmaps';

interface Line {
  readonly type: string;
  readonly object: {
    readonly kind: string;
    readonly metadata: { readonly name: string };
    readonly [field: string]: Json;
  };
}

interface Watch {
  /** The next line; undefined when there is none any more. */
  next(): Promise<Line | undefined>;
  close(): void;
}

async function watch(served: Served, query: string, accept = 'application/json'): Promise<Watch> {
  const dispatcher = new Agent({ connect: served.ca === undefined ? {} : { ca: served.ca } });
  const { body, statusCode } = await request(`${served.url}${maps}?watch=1&${query}`, {
    dispatcher,
    headers: { authorization: `Bearer ${served.token}`, accept },
  });
  expect(statusCode).toBe(200);
  body.on('error', () => {});
  const lines = linesOf(body);
  return {
    next: async () => (await lines.next()).value ?? undefined,
    close: () => {
      body.destroy();
      void dispatcher.destroy();
    },
  };
}

async function* linesOf(body: AsyncIterable<Buffer>): AsyncGenerator<Line> {
  let rest = '';
  try {
    for await (const part of body) {
      const lines = `${rest}${part}`.split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) yield JSON.parse(line) as Line;
    }
  } catch {
    // Cut off: the end as well.
  }
}

const make = (served: Served, name: string, data: object = {}) =>
  served.ask('POST', maps, { body: { metadata: { name }, data } });

describe('a watch', () => {
  const served = withServed();

  it('tells what is there, then what happens, each as one line', async () => {
    await make(served(), 'one');
    const seen = await watch(served(), '');
    expect(await seen.next()).toMatchObject({
      type: 'ADDED',
      object: { kind: 'ConfigMap', metadata: { name: 'one' } },
    });
    await served().ask('PUT', `${maps}/one`, { body: { metadata: { name: 'one' }, data: { line: 'a\nb\u2028c' } } });
    expect(await seen.next()).toMatchObject({ type: 'MODIFIED', object: { data: { line: 'a\nb\u2028c' } } });
    await served().ask('DELETE', `${maps}/one`);
    expect(await seen.next()).toMatchObject({ type: 'DELETED', object: { metadata: { name: 'one' } } });
    seen.close();
  });

  it('ends at timeoutSeconds', async () => {
    const seen = await watch(served(), 'timeoutSeconds=1');
    expect(await seen.next()).toBeUndefined();
    seen.close();
  });

  it('has the columns of a table once', async () => {
    await make(served(), 'in-table', { a: 'b' });
    const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io';
    const query = 'sendInitialEvents=true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan';
    const seen = await watch(served(), query, accept);
    const row = { cells: ['in-table', 1, expect.any(String)], object: { kind: 'PartialObjectMetadata' } };
    expect(await seen.next()).toMatchObject({
      type: 'ADDED',
      object: { kind: 'Table', columnDefinitions: [{ name: 'Name' }, { name: 'Data' }, { name: 'Age' }], rows: [row] },
    });
    expect(await seen.next()).toMatchObject({
      type: 'BOOKMARK',
      object: {
        kind: 'Table',
        columnDefinitions: null,
        rows: [
          { cells: ['', null, null], object: { metadata: { annotations: { 'k8s.io/initial-events-end': 'true' } } } },
        ],
      },
    });
    await served().ask('DELETE', `${maps}/in-table`);
    expect(await seen.next()).toMatchObject({
      type: 'DELETED',
      object: { columnDefinitions: null, rows: [{ cells: ['in-table', 1, expect.any(String)] }] },
    });
    seen.close();
  });

  it('of metadata alone has nothing else', async () => {
    await make(served(), 'partly', { a: 'b' });
    const seen = await watch(served(), '', 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io');
    const { object } = (await seen.next())!;
    expect([object.kind, object['data']]).toEqual(['PartialObjectMetadata', undefined]);
    seen.close();
    await served().ask('DELETE', `${maps}/partly`);
  });

  it('of a version that is gone says so as an event', async () => {
    await make(served(), 'old');
    served().embedded.store.compact();
    const seen = await watch(served(), 'resourceVersion=1');
    expect(await seen.next()).toMatchObject({
      type: 'ERROR',
      object: { kind: 'Status', code: 410, reason: 'Expired' },
    });
    expect(await seen.next()).toBeUndefined();
    seen.close();
  });

  it('that begins with a refusal is no stream', async () => {
    const answer = await served().ask('GET', `${maps}?watch=1&labelSelector=a%20b`);
    expect([answer.code, answer.body['kind']]).toEqual([400, 'Status']);
  });
});

describe('the end of a watch', () => {
  it('comes when the server closes', async () => {
    const served = await startServed();
    const seen = await watch(served, '');
    await served.close();
    expect(await seen.next()).toBeUndefined();
    seen.close();
  });

  it('is told to the verbs when the caller goes', async () => {
    const embedded = new EmbeddedServer({ controllers: false });
    let tell = () => {};
    const told = new Promise<void>((resolve) => {
      tell = resolve;
    });
    const verbs: Verbs = Object.assign(Object.create(embedded.verbs), {
      watch(...[kind, selection, asked]: Parameters<Verbs['watch']>) {
        selection.signal?.addEventListener('abort', tell);
        return embedded.verbs.watch(kind, selection, asked);
      },
    });
    const served = await startServed({ verbs, kinds: embedded.kinds });
    const seen = await watch(served, '');
    seen.close();
    await told;
    await served.close();
  });

  it('comes to a reader that takes nothing, before it costs the server its memory', async () => {
    const served = await startServed({ plain: true });
    const { hostname, port } = new URL(served.url);
    const socket = connect(Number(port), hostname);
    const head = ['Host: x', `Authorization: Bearer ${served.token}`, 'Connection: close'].join('\r\n');
    socket.write(`GET ${maps}?watch=1 HTTP/1.1\r\n${head}\r\n\r\n`);
    await once(socket, 'data');
    socket.pause();

    const { verbs, kinds } = served.embedded;
    const kind = kinds.resource('', 'v1', 'configmaps')!;
    const caller = { name: 'x', groups: ['system:masters'] };
    const text = 'x'.repeat(1_000);
    const changes = 30_000;
    verbs.create(kind, 'default', { metadata: { name: 'busy' } }, { caller });
    for (let change = 0; change < changes; change++) {
      const body = { metadata: { name: 'busy' }, data: { text, change: String(change) } };
      verbs.update(kind, { namespace: 'default', name: 'busy' }, body, { caller });
      // The server gets its turns, as it would between requests.
      if (change % 500 === 0) await new Promise(setImmediate);
    }
    let received = 0;
    socket.on('data', (part) => {
      received += part.length;
    });
    socket.resume();
    await once(socket, 'close');
    // What was on its way comes, and then the end.
    expect(received).toBeLessThan((changes * text.length) / 2);
    await served.close();
  });
});
