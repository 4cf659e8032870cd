import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { connect, type HttpCluster } from '../../src/client/http-cluster.js';
import { othersTurn } from '../../src/kube/clock.js';
import { json, ScriptedServer } from './scripted-server.js';

describe('a connection that nobody uses', () => {
  let server: ScriptedServer;
  let cluster: HttpCluster;
  beforeEach(async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate', 'performance', 'Date'] });
    server = await ScriptedServer.start();
    cluster = connect(server.config);
  });
  afterEach(async () => {
    jest.useRealTimers();
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

  it('is kept for a minute, so that drift that comes now and then is put back without a handshake, and no longer', async () => {
    expect(await call()).toBe(1);
    jest.advanceTimersByTime(58_000);
    expect(await call()).toBe(1);
    jest.advanceTimersByTime(61_000);
    expect(await call()).toBe(2);
  });
});
