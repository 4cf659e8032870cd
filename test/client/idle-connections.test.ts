import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ConfigMap } from '../../imports/k8s.js';
import { connect, type HttpCluster } from '../../src/client/http-cluster.js';
import { othersTurn } from '../../src/kube/clock.js';
import { json, ScriptedServer } from './scripted-server.js';

describe('a connection', () => {
  let server: ScriptedServer;
  let cluster: HttpCluster;
  // Once for all, since undici keeps the timer by which it measures long times.
  beforeAll(() => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate', 'performance', 'Date'] });
  });
  afterAll(() => {
    jest.useRealTimers();
  });
  beforeEach(async () => {
    server = await ScriptedServer.start();
    cluster = connect(server.config);
  });
  afterEach(async () => {
    await cluster.close();
    await server.stop();
  });
  const call = async () => {
    server.answers(json({}));
    await cluster.request('GET', '/version');
    // Until then its pool takes it for busy.
    await othersTurn();
    return server.connections;
  };

  it('that nobody uses is kept for a minute, so that drift that comes now and then is put back without a handshake, and no longer', async () => {
    expect(await call()).toBe(1);
    jest.advanceTimersByTime(58_000);
    expect(await call()).toBe(1);
    jest.advanceTimersByTime(61_000);
    expect(await call()).toBe(2);
  });

  it.each([
    ['an answer', (response: ServerResponse) => void response],
    ['the next event', (response: ServerResponse) => void response.write('{"type":"ADDED","object":{}}\n')],
  ])('is not broken by us where %s of a watch takes long to come', async (_, begin) => {
    let open: ServerResponse | undefined;
    server.answers((response) => {
      open = response;
      begin(response);
    });
    const events: unknown[] = [];
    const watching = (async () => {
      for await (const event of cluster.watch(ConfigMap, { resourceVersion: '1' })) events.push(event);
    })();
    while (!open || (open.headersSent && events.length === 0)) await othersTurn();
    for (let minute = 0; minute < 20; minute++) {
      jest.advanceTimersByTime(60_000);
      await othersTurn();
    }
    open.end('{"type":"DELETED","object":{}}\n');
    await watching;
    expect(events.at(-1)).toEqual({ type: 'DELETED', object: {} });
  });
});
