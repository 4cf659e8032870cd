import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ConfigMap } from '../../imports/k8s.js';
import { connect, type HttpCluster } from '../../src/client/http-cluster.js';
import { othersTurn } from '../../src/kube/clock.js';
import { ScriptedServer } from './scripted-server.js';
import { SocksProxy } from './socks-proxy.js';

const line = (type: string) => `${JSON.stringify({ type, object: {} })}\n`;

// Once for all: undici keeps the timer by which it measures long times.
beforeAll(() => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate', 'performance', 'Date'] });
});
afterAll(() => {
  jest.useRealTimers();
});

describe.each([
  ['without a proxy', false],
  ['by a proxy that speaks SOCKS', true],
])('a watch %s', (_, isProxied) => {
  let server: ScriptedServer;
  let proxy: SocksProxy;
  let cluster: HttpCluster;
  beforeEach(async () => {
    server = await ScriptedServer.start();
    proxy = new SocksProxy(Number(new URL(server.url).port));
    const proxyUrl = await proxy.start();
    cluster = connect({ ...server.config, ...(isProxied ? { proxyUrl } : {}) });
  });
  afterEach(async () => {
    await cluster.close();
    await server.stop();
    await proxy.stop();
  });

  it.each([
    ['an answer', false, ['DELETED']],
    ['another event', true, ['ADDED', 'DELETED']],
  ])('goes on where the server says nothing for long, and then %s', async (__, isAnswered, types) => {
    let open: ServerResponse | undefined;
    server.answers((response) => {
      open = response;
      if (isAnswered) response.write(line('ADDED'));
    });
    const told: string[] = [];
    const watching = (async () => {
      for await (const { type } of cluster.watch(ConfigMap, { resourceVersion: '1' })) told.push(type);
    })().catch((error: Error) => void told.push(error.message));
    while (!open || (isAnswered && told.length === 0)) await othersTurn();
    for (let minute = 0; minute < 20; minute++) {
      jest.advanceTimersByTime(60_000);
      await othersTurn();
    }
    open.end(line('DELETED'));
    await watching;
    expect(told).toEqual(types);
  });
});
