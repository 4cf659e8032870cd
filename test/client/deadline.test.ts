import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ConfigMap } from '../../imports/k8s.js';
import { connect, type HttpCluster } from '../../src/client/http-cluster.js';
import { connections } from '../../src/client/transport.js';
import { leaderOnly } from '../../src/runtime/lease/leader-only.js';
import { settled, VirtualClock } from '../../src/testing/virtual-clock.js';
import { eventually } from '../cluster/eventually.js';
import { listenForLeaks } from '../leak-warnings.js';
import { json, ScriptedServer, silence } from './scripted-server.js';

const object = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a', namespace: 'default', resourceVersion: '7', uid: 'a' },
};

describe('calls for the Lease', () => {
  it('wait for none of those before that are never answered, nor for what these told of the server', async () => {
    const server = await ScriptedServer.start();
    const clock = new VirtualClock();
    const lease = connect(server.config, { clock, random: () => 0 }).lease();
    const ask = () => lease.get(ConfigMap, { namespace: 'default', name: 'a' }, { timeoutSeconds: 5 });
    server.answers(silence, silence, silence);
    const givenUp = expect(ask()).rejects.toThrow('no answer within 5 s');
    await eventually(() => expect(server.requests).toHaveLength(1));
    await clock.advance(5000);
    await givenUp;

    const hanging = [ask(), ask()].map((each) => expect(each).rejects.toThrow('no answer within 5 s'));
    await eventually(() => expect(server.requests).toHaveLength(3));
    server.answers(json(object));
    expect(await ask()).toEqual(object);
    expect(server.connections).toBe(4);
    await clock.advance(5000);
    await Promise.all(hanging);
    await lease.close();
    await server.stop();
  });
});

describe('a read whose answer comes slowly', () => {
  let server: ScriptedServer;
  let clock: VirtualClock;
  let cluster: HttpCluster;
  let listing: Promise<unknown>;
  let response: ServerResponse;
  beforeEach(async () => {
    server = await ScriptedServer.start();
    clock = new VirtualClock();
    cluster = connect(server.config, { clock, random: () => 0 });
    let asked: ServerResponse | undefined;
    server.answers((answer) => {
      asked = answer;
    });
    listing = cluster.list(ConfigMap);
    listing.catch(() => {});
    await eventually(() => expect(asked).toBeDefined());
    response = asked as ServerResponse;
  });
  afterEach(async () => {
    await cluster.close();
    await server.stop();
  });
  /** Sends a part of the answer after so long, and waits until it has come. */
  const part = async (seconds: number, text = ' ') => {
    await clock.advance(seconds * 1000);
    response.write(text);
    await eventually(() => expect(clock.next).toBeGreaterThan(30_000 - seconds * 1000));
  };

  it('goes on for as long as it flows', async () => {
    for (const text of ['{"items":', '[],"meta', 'data":{"resourceVersion":', '"7"']) await part(20, text);
    response.end('}}');
    expect(await listing).toEqual({ items: [], resourceVersion: '7' });
  });

  it('ends when nothing more comes for half a minute', async () => {
    await part(20);
    await clock.advance(30_000);
    await expect(listing).rejects.toThrow('configmaps list failed: nothing more of the answer within 30 s');
  });

  it('ends when nothing has come for half a minute', async () => {
    await clock.advance(30_000);
    await expect(listing).rejects.toThrow('configmaps list failed: no answer within 30 s');
  });

  it('ends after two minutes, whatever comes', async () => {
    for (let count = 0; count < 4; count++) await part(25);
    await clock.advance(20_000);
    await expect(listing).rejects.toThrow('configmaps list failed: no whole answer within 120 s');
    expect(clock.timers).toBe(0);
  });

  it.each([
    ['a write', () => cluster.create(ConfigMap, object, { fieldManager: 'test' })],
    ['a read whose caller set its time', () => cluster.get(ConfigMap, object.metadata, { timeoutSeconds: 30 })],
    [
      'one whose caller set its end',
      () => cluster.get(ConfigMap, object.metadata, { until: clock.monotonic() + 30_000 }),
    ],
  ])('has no more than its time when it is %s', async (_, call) => {
    let asked: ServerResponse | undefined;
    server.answers((answer) => {
      asked = answer;
    });
    const calling = expect(call()).rejects.toThrow('failed: no answer within 30 s');
    await eventually(() => expect(asked).toBeDefined());
    await clock.advance(20_000);
    asked?.write(' ');
    await clock.advance(10_000);
    await calling;
  });
});

describe('a write with a deadline', () => {
  let server: ScriptedServer;
  let clock: VirtualClock;
  let cluster: HttpCluster;
  beforeEach(async () => {
    server = await ScriptedServer.start();
    clock = new VirtualClock();
    cluster = connect(server.config, { clock, random: () => 0 });
  });
  afterEach(async () => {
    await cluster.close();
    await server.stop();
  });
  const create = (timeoutSeconds?: number) =>
    cluster.create(ConfigMap, object, {
      fieldManager: 'test',
      ...(timeoutSeconds === undefined ? {} : { timeoutSeconds }),
    });

  /** The deadlines that the server was told of. */
  const told = () => server.requests.map(({ url }) => new URL(url, server.url).searchParams.get('timeout'));

  it('tells it to the server, as what is left of it', async () => {
    server.answers(json(object), json(object));
    await create(7);
    await create();
    expect(told()).toEqual(['7000ms', null]);
  });

  it('tells with each try what is left when it has its credentials', async () => {
    const authorization = async () => {
      clock.leap(300);
      return 'Bearer a';
    };
    const slow = connect({ ...server.config, authorization }, { clock, random: () => 0 });
    server.answers((response) => {
      clock.leap(1500);
      response.writeHead(401).end();
    }, json(object));
    await slow.create(ConfigMap, object, { fieldManager: 'test', timeoutSeconds: 3 });
    expect(told()).toEqual(['2700ms', '900ms']);
    await slow.close();
  });

  it('is not sent when it waited for a connection for longer, whatever runs first when the process goes on', async () => {
    const answers: ServerResponse[] = [];
    server.answers(
      ...Array.from({ length: connections.calls }, () => (response: ServerResponse) => void answers.push(response)),
    );
    const sent = Array.from({ length: connections.calls }, () => create(60));
    await eventually(() => expect(server.requests).toHaveLength(connections.calls));
    const late = create(10);
    await settled();
    // Stopped past the deadline: no timer has run yet when an answer frees a connection.
    clock.leap(11_000);
    for (const response of answers) response.writeHead(200).end(JSON.stringify(object));
    await expect(late).rejects.toThrow('ConfigMap/default/a create failed: no answer within 10 s');
    await Promise.all(sent);
    expect(server.requests).toHaveLength(connections.calls);
  });

  it.each([
    ['the Lease leaves it less time than', 7],
    ['the Lease leaves it more time than', 2],
  ])('is not sent when the process was stopped just before it began, and %s its caller', async (_, timeoutSeconds) => {
    const until = clock.monotonic() + 5000;
    const leadership = {
      until,
      get left() {
        return Math.max(0, until - clock.monotonic());
      },
      callMilliseconds: 0,
      renewed: () => Promise.reject(new Error('the Lease is not held any more')),
    };
    // Looked at first as a call is made ready.
    let stopped = 30_000;
    const labels = new Proxy<Record<string, string>>(
      { a: 'b' },
      {
        ownKeys(target) {
          clock.leap(stopped);
          stopped = 0;
          return Reflect.ownKeys(target);
        },
      },
    );
    server.answers(json(object));
    const made = { ...object, metadata: { ...object.metadata, labels } };
    const by = { fieldManager: 'test', timeoutSeconds };
    await expect(leaderOnly(cluster, leadership).create(ConfigMap, made, by)).rejects.toThrow('no answer within');
    expect(server.requests).toEqual([]);
  });

  it('is told without fractions, of which what is left of a Lease has others each time', async () => {
    server.answers(silence);
    const late = expect(create(6.412388)).rejects.toThrow('no answer within 7 s');
    await clock.advance(7000);
    await late;
  });

  it('is one of many under a fence, and Node does not take them for a leak', async () => {
    const leaks = listenForLeaks();
    server.answers(...Array.from({ length: 20 }, () => json(object)));
    await Promise.all(Array.from({ length: 20 }, () => create()));
    expect(leaks()).toEqual([]);
  });

  it('leaves no connection open on which it could still go out, once the fence is down', async () => {
    const closed: Promise<unknown>[] = [];
    const keep = (response: ServerResponse) => closed.push(once(response.socket as Socket, 'close'));
    server.answers(
      (response) => {
        keep(response);
        response.writeHead(200).end(JSON.stringify(object));
      },
      (response, request) => {
        keep(response);
        silence(response, request);
      },
    );
    await create();
    const creating = expect(create()).rejects.toThrow('the Lease was lost');
    await eventually(() => expect(server.requests).toHaveLength(2));
    cluster.fence(new Error('the Lease was lost'));
    await creating;
    await Promise.all(closed);
  });
});
