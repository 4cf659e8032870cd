import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ConfigMap } from '../../imports/k8s.js';
import { connect, type HttpCluster } from '../../src/client/http-cluster.js';
import { connections } from '../../src/client/transport.js';
import { settled, VirtualClock } from '../../src/testing/virtual-clock.js';
import { eventually } from '../cluster/eventually.js';
import { type Answer, json, ScriptedServer, status, text, tooMany } from './scripted-server.js';

const object = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a', namespace: 'default', resourceVersion: '7' },
};

describe('calls of a server that answers later and later', () => {
  let server: ScriptedServer;
  let clock: VirtualClock;
  let cluster: HttpCluster;
  let open: ServerResponse[];
  /** Requests that were sent, and of them those that were answered. */
  let [sent, done] = [0, 0];
  beforeEach(async () => {
    server = await ScriptedServer.start();
    clock = new VirtualClock();
    [sent, done] = [0, 0];
    const observe = () => {
      sent++;
      return () => {};
    };
    cluster = connect(server.config, { clock, random: () => 0, observe });
    open = [];
    server.answers(...Array.from({ length: 200 }, () => (response: ServerResponse) => void open.push(response)));
  });
  afterEach(async () => {
    await cluster.close();
    await server.stop();
  });

  /** Asks for so many objects, each answered after so long, all that were sent together. Returns how many these were. */
  const atOnce = async (calls: number, milliseconds: number): Promise<readonly number[]> => {
    const asked = Array.from({ length: calls }, () => cluster.get(ConfigMap, { name: 'a', namespace: 'default' }));
    const waves: number[] = [];
    for (let answered = 0; answered < calls; answered += open.splice(0).length) {
      await settled();
      const under = sent - done;
      await eventually(() => expect(open).toHaveLength(under));
      waves.push(under);
      clock.leap(milliseconds);
      for (const response of open) response.writeHead(200).end(JSON.stringify(object));
      done += under;
      await Promise.all(asked.slice(0, answered + under));
    }
    return waves;
  };

  it('are as many at once as before where some are never answered, for a webhook of theirs, and all others at once', async () => {
    const patience = { timeoutSeconds: 5 };
    const poisoned = { ...object, metadata: { ...object.metadata, namespace: 'bad' } };
    const by = { fieldManager: 'test', ...patience };
    for (let round = 0; round < 8; round++) {
      const lost = Promise.allSettled(Array.from({ length: 2 }, () => cluster.create(ConfigMap, poisoned, by)));
      await settled();
      await eventually(() => expect(open).toHaveLength(2));
      // Nobody answers them.
      open.splice(0);
      for (let second = 0; second < 5; second++) {
        const fine = cluster.get(ConfigMap, { name: 'a', namespace: 'default' });
        await eventually(() => expect(open).toHaveLength(1));
        open.splice(0)[0]?.writeHead(200).end(JSON.stringify(object));
        await fine;
        await clock.advance(1000);
      }
      await lost;
    }
    [sent, done] = [0, 0];
    expect(await atOnce(connections.calls, 10)).toEqual([16]);
  });

  it('wait for no more than seconds behind some that are never answered, for a webhook of theirs, while nobody else asks', async () => {
    const poisoned = { ...object, metadata: { ...object.metadata, namespace: 'bad' } };
    const hang = () =>
      cluster.create(ConfigMap, poisoned, { fieldManager: 'test', timeoutSeconds: 10 }).catch(() => 'given up');
    for (let round = 0; round < 5; round++) {
      const lost = hang();
      await eventually(() => expect(open).toHaveLength(1));
      open.splice(0);
      await clock.advance(10_000);
      expect(await lost).toBe('given up');
    }
    const lost = [hang(), hang(), hang()];
    await eventually(() => expect(open).toHaveLength(1));
    const asked = cluster.get(ConfigMap, { name: 'a', namespace: 'default' });
    for (let second = 0; second < 3; second++) {
      await clock.advance(1000);
      await eventually(() => expect(open).toHaveLength(second + 2));
    }
    open[3]?.writeHead(200).end(JSON.stringify(object));
    expect(await asked).toEqual(object);
    await clock.advance(10_000);
    expect(await Promise.all(lost)).toEqual(['given up', 'given up', 'given up']);
    expect(clock.timers).toBe(0);
  });

  const denied = { message: 'admission webhook "a.b.c" denied the request: later', details: { retryAfterSeconds: 60 } };
  it.each([
    ['as many at once as before', 'a webhook denies some by 429', status(429, denied), true],
    ['as many at once as before', 'a webhook denies some by 503', status(503, denied), true],
    ['as many at once as before', 'an aggregated API is away', text(503, 'service unavailable\n'), true],
    ['fewer at once', 'the server refuses some to protect itself', tooMany, false],
  ])('are %s where %s, and answers others at once', async (_, __, refusal, isAsBefore) => {
    const one = async (call: Promise<unknown>, answer: Answer) => {
      await eventually(() => expect(open).toHaveLength(1));
      const response = open.splice(0)[0] as ServerResponse;
      answer(response, response.req);
      await call;
    };
    for (let round = 0; round < 5; round++) {
      await one(cluster.get(ConfigMap, { name: 'a', namespace: 'default' }), json(object));
      const write = cluster.create(ConfigMap, object, { fieldManager: 'test', timeoutSeconds: 0.5 });
      await one(expect(write).rejects.toThrow('failed'), refusal);
      await clock.advance(1000);
    }
    [sent, done] = [0, 0];
    expect((await atOnce(connections.calls, 10))[0] === connections.calls).toBe(isAsBefore);
  });

  it('are as many at once as before where lists take long, which are as long as they are', async () => {
    expect(await atOnce(connections.calls, 10)).toEqual([16]);
    for (let round = 0; round < 4; round++) {
      const listing = cluster.list(ConfigMap);
      await eventually(() => expect(open).toHaveLength(1));
      clock.leap(10_000);
      open
        .splice(0)[0]
        ?.writeHead(200)
        .end(JSON.stringify({ items: [] }));
      await listing;
    }
    [sent, done] = [0, 0];
    expect(await atOnce(connections.calls, 10)).toEqual([16]);
  });

  it('are fewer at once, and more again when it answers sooner', async () => {
    expect(await atOnce(connections.calls, 10)).toEqual([16]);
    expect(await atOnce(connections.calls, 3000)).toEqual([16]);
    const [first, second = 0] = await atOnce(connections.calls, 10);
    expect(first).toBe(8);
    expect(second).toBeGreaterThanOrEqual(7);
    for (let round = 0; round < 6; round++) await atOnce(connections.calls, 10);
    expect((await atOnce(connections.calls, 10))[0]).toBe(16);
  });
});
