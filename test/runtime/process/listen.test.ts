import { once } from 'node:events';
import { request as askPlainly, createServer, type ServerResponse } from 'node:http';
import { request as askSecurely, createServer as createHttps } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { connect as connectSecurely } from 'node:tls';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { listen, listenOptions, patience } from '../../../src/runtime/process/listen.js';
import { eventually } from '../../cluster/eventually.js';
import { pair } from '../../webhooks/served-reviews.js';

describe('an address to listen at', () => {
  it.each([
    [':8081', { port: 8081 }],
    ['127.0.0.1:8081', { host: '127.0.0.1', port: 8081 }],
    ['[::1]:8081', { host: '::1', port: 8081 }],
  ])('may be %s', (address, expected) => {
    expect(listenOptions(address)).toEqual(expected);
  });

  it('that is none of this machine is refused with what would do', async () => {
    const { signal } = new AbortController();
    await expect(listen(createServer(), 'metrics', '192.0.2.1:0', signal)).rejects.toMatchObject({
      message: 'serving metrics at 192.0.2.1:0 failed: it is no address of this machine',
      hint: 'leave out the host, as in :8081, to serve at all that it has, or 0 to serve nothing',
    });
  });

  it('that is in use is told of webhooks with the flag by which there are none', async () => {
    const other = createServer().listen(0);
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const { signal } = new AbortController();
    await expect(listen(createServer(), 'webhooks', `:${port}`, signal)).rejects.toMatchObject({
      message: `serving webhooks at :${port} failed: the port is in use`,
      hint: 'choose another port, or --webhooks=false to serve nothing',
    });
    other.close();
  });
});

it('a connection that nobody uses is ended by an API server before we do, so that no review meets one that is just being ended', () => {
  // https://github.com/kubernetes/apimachinery/blob/v0.36.3/pkg/util/net/http.go, by the defaults of Go.
  const idleSeconds = 90;
  expect(patience.keepAliveTimeout / 1000).toBeGreaterThan(idleSeconds);
});

describe.each([
  ['with TLS', true],
  ['without TLS', false],
])('a server %s to which more connect than there is room for', (_, isSecure) => {
  const held: ServerResponse[] = [];
  const sockets: Socket[] = [];
  let stop: AbortController;
  let port: number;
  let server: ReturnType<typeof createServer>;
  beforeEach(async () => {
    stop = new AbortController();
    const answer = (_: unknown, response: ServerResponse) => void held.push(response);
    server = isSecure ? createHttps({ ...patience, ...pair }, answer) : createServer(patience, answer);
    await listen(server, 'a test', '127.0.0.1:0', stop.signal);
    port = (server.address() as AddressInfo).port;
  });
  afterEach(() => {
    stop.abort();
    for (const socket of sockets.splice(0)) socket.destroy();
    held.length = 0;
  });

  const connected = async (count: number): Promise<readonly Socket[]> => {
    const made = Array.from({ length: count }, () => connect(port, '127.0.0.1').on('error', () => {}));
    sockets.push(...made);
    await Promise.all(made.map((socket) => new Promise((resolve) => socket.once('connect', resolve))));
    return made;
  };
  const open = () => new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count)));

  it('ends those that ask for nothing, the oldest first', async () => {
    const [first] = (await connected(1)) as [Socket];
    const isOver = text(first).then(
      () => true,
      () => true,
    );
    for (let round = 0; round < 11; round++) await connected(100);
    await eventually(async () => expect(await open()).toBe(1000));
    expect(await isOver).toBe(true);
  });

  it('answers who asked before all of them, and who asks after them', async () => {
    const asked = () => fetchText(`${isSecure ? 'https' : 'http'}://127.0.0.1:${port}/`);
    const before = asked();
    await eventually(() => expect(held.length).toBe(1));
    for (let round = 0; round < 11; round++) await connected(100);
    const after = asked();
    await eventually(() => expect(held.length).toBe(2));
    for (const response of held) response.end('answered');
    expect(await Promise.all([before, after])).toEqual(['answered', 'answered']);
  });

  it('answers who asked twice at once, though the first answer has come by now', async () => {
    const socket = isSecure
      ? connectSecurely({ port, host: '127.0.0.1', rejectUnauthorized: false })
      : connect(port, '127.0.0.1');
    sockets.push(socket);
    const heard = text(socket).catch(() => 'nothing, for the connection broke');
    socket.write('GET / HTTP/1.1\r\nhost: a\r\n\r\nGET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n');
    await eventually(() => expect(held.length).toBe(2));
    const [first, second] = held as [ServerResponse, ServerResponse];
    first.end('one');
    await eventually(() => expect(first.closed).toBe(true));
    for (let round = 0; round < 11; round++) await connected(100);
    await eventually(async () => expect(await open()).toBe(1000));
    second.end('two');
    expect(await heard).toContain('two');
  });

  const insecurely = () =>
    isSecure ? connectSecurely({ port, rejectUnauthorized: false }) : connect(port, '127.0.0.1');

  it('ends who has been answered and does not take it', async () => {
    const socket = insecurely().on('error', () => {});
    sockets.push(socket.pause());
    socket.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n');
    await eventually(() => expect(held.length).toBe(1));
    // More than the buffers on the way have room for.
    held[0]!.end(Buffer.alloc(2 ** 25));
    for (let round = 0; round < 11; round++) await connected(100);
    await eventually(() => expect(held[0]!.closed).toBe(true));
  });

  it('ends who asks on and on, and waits for no answer', async () => {
    const socket = insecurely().on('error', () => {});
    sockets.push(socket);
    const isOver = text(socket).then(
      () => true,
      () => true,
    );
    socket.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n'.repeat(1000));
    expect(await isOver).toBe(true);
    expect(await open()).toBe(0);
  });
});

/** Over a connection of its own. */
function fetchText(url: string): Promise<string> {
  const ask = url.startsWith('https') ? askSecurely : askPlainly;
  return new Promise((resolve, reject) => {
    ask(url, { agent: false, rejectUnauthorized: false }, (response) => resolve(text(response)))
      .once('error', reject)
      .end();
  });
}
