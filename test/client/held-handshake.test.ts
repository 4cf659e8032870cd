import { once } from 'node:events';
import { createServer as createSecureServer, type Server as SecureServer } from 'node:https';
import { type AddressInfo, connect as connectTcp, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ConfigMap } from '../../imports/k8s.js';
import { connect, type HttpCluster } from '../../src/client/http-cluster.js';
import { othersTurn } from '../../src/kube/clock.js';
import { leaseCalls } from '../../src/kube/lease-timings.js';
import { VirtualClock } from '../../src/testing/virtual-clock.js';
import { issued } from '../../src/tls/issued.js';
import { eventually } from '../cluster/eventually.js';

const place = { namespace: 'default', name: 'a' };
const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { ...place, resourceVersion: '7', uid: 'a' } };

describe('a call whose connection takes long to come about', () => {
  let server: SecureServer;
  /** What stands before it, and passes nothing on of a connection that is held. */
  let front: Server;
  let clock: VirtualClock;
  let cluster: HttpCluster;
  let held: (() => void)[];
  let sockets: Socket[];
  /** What the server was asked for. */
  let urls: string[];
  let isHolding: boolean;
  const counts = { dialled: 0, shaken: 0 };
  beforeEach(async () => {
    Object.assign(counts, { dialled: 0, shaken: 0 });
    [held, sockets, isHolding] = [[], [], true];
    const names = ['127.0.0.1'];
    const pair = issued({ authority: 'a', subject: 'b', names, now: Date.now(), validMilliseconds: 3_600_000 });
    urls = [];
    server = createSecureServer(pair, ({ url = '' }, response) => {
      urls.push(url);
      response.end(JSON.stringify(object));
    }).listen(0, '127.0.0.1');
    server.on('secureConnection', () => counts.shaken++);
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const pass = (socket: Socket) => {
      const onward = connectTcp(port, '127.0.0.1');
      onward.on('error', () => socket.destroy()).on('close', () => socket.destroy());
      socket.on('error', () => onward.destroy()).on('close', () => onward.destroy());
      socket.pipe(onward).pipe(socket);
    };
    front = createServer((socket) => {
      counts.dialled++;
      sockets.push(socket);
      if (isHolding) held.push(() => pass(socket));
      else pass(socket);
    }).listen(0, '127.0.0.1');
    await once(front, 'listening');
    clock = new VirtualClock();
    const tls = { ca: pair.ca };
    const url = `https://127.0.0.1:${(front.address() as AddressInfo).port}`;
    const config = { server: url, namespace: 'default', tls: async () => tls, authorization: async () => undefined };
    cluster = connect(config, { clock, random: () => 0 });
  });
  afterEach(async () => {
    await cluster.close();
    server.closeAllConnections();
    server.close();
    front.close();
    for (const socket of sockets) socket.destroy();
    await once(front, 'close');
  });

  it('for the Lease leaves the next one to open another', async () => {
    const lease = cluster.lease();
    const first = expect(lease.get(ConfigMap, place, { timeoutSeconds: 5 })).rejects.toThrow('no answer within 5 s');
    await eventually(() => expect(counts.dialled).toBe(1));
    await clock.advance(5000);
    await first;
    isHolding = false;
    expect((await lease.get(ConfigMap, place)).metadata.name).toBe('a');
  });

  it('for the Lease leaves one to the next that is asked again and again, where no connection of the one before came about', async () => {
    const lease = cluster.lease();
    const ask = () => lease.get(ConfigMap, place, { timeoutSeconds: 5 });
    const before = Array.from({ length: leaseCalls }, () => expect(ask()).rejects.toThrow('no answer within 5 s'));
    await eventually(() => expect(counts.dialled).toBe(leaseCalls));
    await clock.advance(5000);
    await Promise.all(before);
    const next = Array.from({ length: leaseCalls - 1 }, () => expect(ask()).rejects.toThrow('no answer within 5 s'));
    await eventually(() => expect(counts.dialled).toBe(2 * leaseCalls - 1), 5);
    isHolding = false;
    expect((await ask()).metadata.name).toBe('a');
    await clock.advance(5000);
    await Promise.all(next);
  });

  it('of a watch ends as soon as it is told to, and not when the connection is given up', async () => {
    const stop = new AbortController();
    const watching = cluster.watch(ConfigMap, { resourceVersion: '1', signal: stop.signal }).next();
    const ended = watching.catch((error: Error) => error.message);
    await eventually(() => expect(held).toHaveLength(1));
    stop.abort(new Error('that is enough'));
    expect(await Promise.race([ended, othersTurn().then(() => 'it goes on')])).toBe('that is enough');
    isHolding = false;
    for (const pass of held) pass();
    // Nothing was sent of what was given up.
    expect((await cluster.get(ConfigMap, place)).metadata.name).toBe('a');
    await eventually(() => expect(sockets.map(({ destroyed }) => destroyed)).toEqual([true, false]));
    expect(urls).toHaveLength(1);
  });

  it('tells the server what is left of its deadline when it has come about', async () => {
    const writing = cluster.create(ConfigMap, object, { fieldManager: 'test', timeoutSeconds: 5 });
    await eventually(() => expect(held).toHaveLength(1));
    await clock.advance(3000);
    for (const pass of held) pass();
    await writing;
    expect(urls.map((url) => new URL(url, 'https://a').searchParams.get('timeout'))).toEqual(['2000ms']);
    expect(counts.dialled).toBe(1);
  });

  it.each([
    ['that its caller set', { timeoutSeconds: 5 }],
    ['that every call has', {}],
  ])(
    'is not sent where that was longer than the time %s, whatever runs first when the process goes on',
    async (_, time) => {
      const late = expect(cluster.create(ConfigMap, object, { fieldManager: 'test', ...time })).rejects.toThrow(
        'ConfigMap/default/a create failed: no answer within',
      );
      await eventually(() => expect(held).toHaveLength(1));
      // Stopped past the deadline: no timer has run yet when the connection is there.
      clock.leap(31_000);
      for (const pass of held) pass();
      await late;
      await cluster.get(ConfigMap, place);
      expect(urls).toEqual([expect.not.stringContaining('fieldManager')]);
    },
  );

  it.each(['calls', 'lease'] as const)(
    'leaves it to the next one, though it gave up itself: of the %s',
    async (lane) => {
      const caller = lane === 'lease' ? cluster.lease() : cluster;
      const first = expect(caller.get(ConfigMap, place, { timeoutSeconds: 5 })).rejects.toThrow('no answer within 5 s');
      await eventually(() => expect(held).toHaveLength(1));
      await clock.advance(5000);
      await first;
      isHolding = false;
      for (const pass of held) pass();
      await eventually(() => expect(counts.shaken).toBe(1));
      expect((await caller.get(ConfigMap, place)).metadata.name).toBe('a');
      // Nothing was sent of what was given up.
      expect([counts.dialled, urls.length]).toEqual([1, 1]);
    },
  );
});
