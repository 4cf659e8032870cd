import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ConfigMap } from '../../imports/k8s.js';
import { connect, type HttpCluster } from '../../src/client/http-cluster.js';
import { othersTurn } from '../../src/kube/clock.js';
import { VirtualClock } from '../../src/testing/virtual-clock.js';

/** Behind a balancer, of which the first connection leads to the one server that is not well. */
describe('a connection to a server that is not well', () => {
  let clock: VirtualClock;
  let server: Server;
  let cluster: HttpCluster;
  let code: number;
  let opened: number;
  let areAllUnwell: boolean;
  beforeEach(async () => {
    clock = new VirtualClock();
    [code, opened, areAllUnwell] = [504, 0, false];
    server = createServer((request, response) => {
      request.resume();
      const { isUnwell } = request.socket as { isUnwell?: boolean };
      const text = JSON.stringify({ kind: 'Status', code, message: 'Timeout: request did not complete' });
      if (!isUnwell) response.end(request.url?.includes('watch=true') ? '' : '{}');
      else response.writeHead(code, { 'content-type': 'application/json', 'content-length': text.length }).end(text);
    });
    server.on('connection', (socket) => Object.assign(socket, { isUnwell: opened++ === 0 || areAllUnwell }));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const tls = {};
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const config = { server: url, namespace: 'default', tls: async () => tls, authorization: async () => undefined };
    cluster = connect(config, { clock });
  });
  afterEach(async () => {
    await cluster.close();
    server.closeAllConnections();
    server.close();
  });
  const ask = async () => {
    try {
      return await cluster.request('POST', '/anything', { body: {} });
    } finally {
      // Until then its pool takes the connection for busy.
      await othersTurn();
    }
  };

  it.each([500, 502, 503, 504])(
    'is left after it answered %i, so that the next call may meet another',
    async (answered) => {
      code = answered;
      await expect(ask()).rejects.toThrow('request did not complete');
      for (let calls = 0; calls < 3; calls++) expect(await ask()).toEqual({});
    },
  );

  it.each([400, 403, 404, 409, 422])(
    'is kept after it answered %i, which another would answer as well',
    async (answered) => {
      code = answered;
      for (let calls = 0; calls < 3; calls++) await expect(ask()).rejects.toThrow('request did not complete');
      expect(opened).toBe(1);
    },
  );

  it('is left no more often than four times a second, where all are no better', async () => {
    areAllUnwell = true;
    const openedBy = async (calls: number) => {
      const before = opened;
      for (let call = 0; call < calls; call++) await expect(ask()).rejects.toThrow('request did not complete');
      return opened - before;
    };
    await openedBy(5);
    expect(await openedBy(20)).toBe(0);
    await clock.advance(250);
    expect(await openedBy(20)).toBe(1);
  });

  it.each([500, 504])('is left by a watch that was answered %i, too, with all that was said', async (answered) => {
    code = answered;
    const watch = async () => {
      for await (const _ of cluster.watch(ConfigMap, { resourceVersion: '1' }));
      await othersTurn();
    };
    await expect(watch()).rejects.toThrow('request did not complete');
    await othersTurn();
    for (let watches = 0; watches < 3; watches++) await expect(watch()).resolves.toBeUndefined();
  });

  it('of the Lease is left as well, while there is time for another try to renew it', async () => {
    cluster = cluster.lease();
    await expect(ask()).rejects.toThrow('request did not complete');
    for (let calls = 0; calls < 3; calls++) expect(await ask()).toEqual({});
  });
});
