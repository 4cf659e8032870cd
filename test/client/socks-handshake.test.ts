import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect, it, jest } from '@jest/globals';
import { ConfigMap } from '../../imports/k8s.js';
import { connect } from '../../src/client/http-cluster.js';
import { SocksProxy } from './socks-proxy.js';

// Alone in its file: undici counts all time of a process by its first timer.
it('a proxy that speaks SOCKS keeps no connection by whose tunnel nobody answers a handshake', async () => {
  const silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const proxy = new SocksProxy((silent.address() as AddressInfo).port);
  const proxyUrl = await proxy.start();
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate', 'performance', 'Date'] });
  const [tls, server] = [{}, 'https://api.hidden.example.com:8080'];
  const config = { server, namespace: 'default', tls: async () => tls, authorization: async () => undefined };
  const cluster = connect({ ...config, proxyUrl });
  void cluster.get(ConfigMap, { namespace: 'default', name: 'a' }).catch(() => {});
  const [first] = (await once(silent, 'connection')) as [Socket];
  // The handshake has begun.
  await once(first, 'data');
  jest.advanceTimersByTime(15_000);
  await once(first, 'close');
  jest.useRealTimers();
  expect(first.bytesWritten).toBe(0);
  await cluster.close();
  silent.close();
  await proxy.stop();
});
