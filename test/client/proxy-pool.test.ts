import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, connect as connectTcp, createServer, Socket } from 'node:net';
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { ConfigMap } from '../../imports/k8s.js';
import { connect } from '../../src/client/http-cluster.js';
import { issued } from '../../src/tls/issued.js';
import { json, ScriptedServer } from './scripted-server.js';
import { SocksProxy } from './socks-proxy.js';

let server: ScriptedServer;
beforeEach(async () => {
  server = await ScriptedServer.start();
  server.answers(json({ metadata: { name: 'a', namespace: 'default' } }));
});
afterEach(() => server.stop());

const port = () => Number(new URL(server.url).port);
const ask = async (proxyUrl: string) => {
  const cluster = connect({ ...server.config, server: 'http://api.hidden.example.com:8080', proxyUrl });
  await cluster.get(ConfigMap, { namespace: 'default', name: 'a' }).finally(() => cluster.close());
};

/** A proxy that opens tunnels to the server, and who came to it. */
async function tunnelProxy(to = port()) {
  const accounts: (string | undefined)[] = [];
  const proxy = createHttpServer().on('connect', ({ headers }, socket: Socket) => {
    accounts.push(headers['proxy-authorization']);
    const onward = connectTcp(to, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      socket.pipe(onward).pipe(socket);
    });
    for (const each of [socket, onward]) each.on('error', () => {});
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const host = `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  return { host, url: `http://${host}`, accounts, stop: () => void proxy.close() };
}

async function socksProxy(to: number) {
  const proxy = new SocksProxy(to);
  return { url: await proxy.start(), stop: () => void proxy.stop() };
}

it.each([
  ['me:hunter2', 'me:hunter2'],
  ['me:p%40ss%25', 'me:p@ss%'],
  ['a-token', 'a-token:'],
])('a proxy over HTTP is told who comes: %s', async (account, told) => {
  const proxy = await tunnelProxy();
  await ask(`http://${account}@${proxy.host}`);
  proxy.stop();
  expect(proxy.accounts).toEqual([`Basic ${Buffer.from(told).toString('base64')}`]);
});

it('a proxy that speaks SOCKS is told who comes', async () => {
  const proxy = new SocksProxy(port());
  const url = await proxy.start();
  await ask(url.replace('://', '://me:p%40ss%25@'));
  await proxy.stop();
  expect(proxy.accounts).toEqual(['me:p@ss%']);
});

it('a proxy that speaks SOCKS and opens no tunnel keeps no connection', async () => {
  const silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const came: Socket[] = [];
  silent.on('connection', (socket) => came.push(socket.on('error', () => {})));
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate', 'performance', 'Date'] });
  const proxyUrl = `socks5://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const cluster = connect({ ...server.config, server: 'http://api.hidden.example.com:8080', proxyUrl });
  void cluster.get(ConfigMap, { namespace: 'default', name: 'a' }).catch(() => {});
  const [first] = (await once(silent, 'connection')) as [Socket];
  // By what it is told first all waiting has begun.
  await once(first, 'data');
  jest.advanceTimersByTime(10_000);
  await once(first, 'close');
  jest.useRealTimers();
  await cluster.close();
  for (const socket of came) socket.destroy();
  silent.close();
});

it('a peer that vanishes behind a proxy is noticed as soon as one without a proxy', async () => {
  const probes = jest.spyOn(Socket.prototype, 'setKeepAlive');
  const [tunnels, socks] = [await tunnelProxy(), new SocksProxy(port())];
  const direct = connect(server.config);
  try {
    await direct.request('GET', '/version');
    server.answers(json({ metadata: { name: 'a', namespace: 'default' } }));
    await ask(`http://${tunnels.host}`);
    server.answers(json({ metadata: { name: 'a', namespace: 'default' } }));
    await ask(await socks.start());
    expect(probes.mock.calls).toEqual([
      [true, 5000],
      [true, 5000],
      [true, 5000],
    ]);
  } finally {
    probes.mockRestore();
    await direct.close();
    tunnels.stop();
    await socks.stop();
  }
});

it.each([
  ['HTTP', tunnelProxy],
  ['SOCKS', socksProxy],
])(
  'nor is one that speaks TLS, which sets its own probes on the same connection, noticed later: by %s',
  async (_, proxyTo) => {
    const names = ['api.hidden.example.com'];
    const pair = issued({ authority: 'a', subject: 'b', names, now: Date.now(), validMilliseconds: 3_600_000 });
    const secure = createSecureServer(pair, (_, response) => response.end('{}')).listen(0, '127.0.0.1');
    await once(secure, 'listening');
    const proxy = await proxyTo((secure.address() as AddressInfo).port);
    const probes = jest.spyOn(Socket.prototype, 'setKeepAlive');
    const tls = { ca: pair.ca };
    const config = { ...server.config, server: 'https://api.hidden.example.com', tls: async () => tls };
    const cluster = connect({ ...config, proxyUrl: proxy.url });
    try {
      await cluster.request('GET', '/version');
      expect(new Set(probes.mock.calls.map(([, milliseconds]) => milliseconds))).toEqual(new Set([5000]));
    } finally {
      probes.mockRestore();
      await cluster.close();
      proxy.stop();
      secure.closeAllConnections();
      secure.close();
    }
  },
);
