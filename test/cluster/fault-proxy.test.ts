import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ConfigMap } from '../../imports/k8s.js';
import { ConflictError, GoneError, TransportError, UnauthorizedError } from '../../src/client/api-error.js';
import type { WatchEvent } from '../../src/client/cluster.js';
import { connect, type HttpCluster } from '../../src/client/http-cluster.js';
import { admin, EmbeddedServer } from '../../src/embedded/embedded-server.js';
import { type HttpServer, serve } from '../../src/embedded/http/serve.js';
import { eventually } from './eventually.js';
import { FaultProxy } from './fault-proxy.js';
import { oldList, refusal } from './proxy-rules.js';

const namespace = 'default';
const write = { fieldManager: 'test' };
const object = (name: string, data: Readonly<Record<string, string>> = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace },
  data,
});

describe('a fault proxy', () => {
  let server: EmbeddedServer;
  let http: HttpServer;
  let proxy: FaultProxy;
  let direct: HttpCluster;
  let cluster: HttpCluster;

  beforeEach(async () => {
    server = new EmbeddedServer({ controllers: false, tokens: { admin: { ...admin, name: 'admin' } } });
    const { verbs, kinds, clock, random, desk } = server;
    http = await serve({ verbs, kinds, clock, random, desk });
    proxy = await FaultProxy.start({ url: http.url, ca: http.ca ?? '' });
    const tls = { ca: http.ca ?? '' };
    const authorization = async () => 'Bearer admin';
    direct = connect({ server: http.url, namespace, tls: async () => tls, authorization });
    cluster = connect(proxy.config('admin'), { random: () => 0 });
  });
  afterEach(async () => {
    await cluster.close();
    await direct.close();
    await proxy.close();
    await http.close();
    server.stop();
  });

  const create = (name = 'a') => cluster.create(ConfigMap, object(name), write);
  const names = async () => (await direct.list(ConfigMap, { namespace })).items.map(({ metadata }) => metadata.name);
  /** Watches until `signal` aborts or the watch ends; `error` is what it ended with. */
  function watching(resourceVersion: string) {
    const stop = new AbortController();
    const seen: WatchEvent[] = [];
    const ended = (async () => {
      for await (const event of cluster.watch(ConfigMap, { namespace, resourceVersion, signal: stop.signal }))
        seen.push(event);
    })().then(
      () => undefined,
      (error: Error) => error,
    );
    return { seen, ended, stop: () => stop.abort(new Error('seen enough')) };
  }
  const version = async () => (await direct.list(ConfigMap, { namespace })).resourceVersion;

  it('passes on what no rule is for, and has it on record', async () => {
    const watch = watching(await version());
    await create();
    await eventually(() => expect(watch.seen).toHaveLength(1));
    expect(await cluster.get(ConfigMap, { namespace, name: 'a' })).toEqual(
      watch.seen.map((each) => 'object' in each && each.object)[0],
    );
    await expect(create()).rejects.toThrow('already exists');
    watch.stop();
    await watch.ended;
    await eventually(() =>
      expect(proxy.requests.map(({ method, code, outcome }) => `${method} ${code} ${outcome}`).sort()).toEqual([
        'GET 200 answered',
        'GET 200 gone',
        'POST 201 answered',
        'POST 409 answered',
      ]),
    );
  });

  it.each([
    [401, 'Unauthorized', UnauthorizedError],
    [409, 'Conflict', ConflictError],
    [410, 'Expired', GoneError],
    [500, 'InternalError', TransportError],
    [503, 'ServiceUnavailable', TransportError],
  ])('answers %i in the place of the server', async (code, reason, errorClass) => {
    proxy.on({ write: true, times: Number.POSITIVE_INFINITY }, refusal(code, reason));
    await expect(create()).rejects.toThrow(errorClass);
    expect(await names()).toEqual([]);
  });

  it('asks for patience, and acts on as many requests as it was asked to, after those that may pass', async () => {
    const rule = proxy.on(
      { method: 'POST', path: '/configmaps', skip: 1, times: 2 },
      refusal(429, 'TooManyRequests', { retryAfterSeconds: 0.01 }),
    );
    await create('a');
    await create('b');
    expect(rule.hits).toBe(2);
    expect(proxy.requests.map(({ code }) => code)).toEqual([201, 429, 429, 201]);
  });

  it.each(['reset', 'close'] as const)('ends an answer in its midst by a %s', async (how) => {
    const from = await version();
    await direct.create(ConfigMap, object('a'), write);
    proxy.on({ watch: true }, { type: 'end', how, afterBytes: 30 });
    const { ended, seen } = watching(from);
    expect(((await ended) as TransportError).cause).toMatchObject({
      code: how === 'reset' ? 'ECONNRESET' : 'UND_ERR_SOCKET',
    });
    expect(seen).toEqual([]);
  });

  it('lets an answer hang in its midst, and never says so', async () => {
    const from = await version();
    await direct.create(ConfigMap, object('a'), write);
    proxy.on({ watch: true }, { type: 'end', how: 'stall', afterBytes: 30 });
    const watch = watching(from);
    await eventually(() => expect(proxy.requests[0]?.outcome).toBe('stalled'));
    await direct.create(ConfigMap, object('b'), write);
    // Another watch shows that what the first would have shown has passed.
    const other = watching(from);
    await eventually(() => expect(other.seen).toHaveLength(2));
    expect(watch.seen).toEqual([]);
    watch.stop();
    other.stop();
    await Promise.all([watch.ended, other.ended]);
  });

  it('holds the events of a watch, and lets go of them in their order', async () => {
    const rule = proxy.on({ watch: true }, { type: 'hold events' });
    const watch = watching(await version());
    await eventually(() => expect(proxy.requests[0]?.code).toBe(200));
    for (const name of ['a', 'b']) await direct.create(ConfigMap, object(name), write);
    const other = watching('1');
    await eventually(() => expect(other.seen.length).toBeGreaterThanOrEqual(2));
    expect(watch.seen).toEqual([]);
    rule.release();
    await eventually(() =>
      expect(watch.seen.map((event) => 'object' in event && event.object.metadata.name)).toEqual(['a', 'b']),
    );
    other.stop();
    watch.stop();
    await Promise.all([watch.ended, other.ended]);
  });

  it('says something in the midst of a watch, and ends it', async () => {
    const watch = watching(await version());
    await eventually(() => expect(proxy.requests[0]?.code).toBe(200));
    proxy.say({ watch: true }, `${JSON.stringify({ type: 'ERROR', object: { code: 410, reason: 'Expired' } })}\n`);
    expect(await watch.ended).toBeInstanceOf(GoneError);
  });

  it.each(['reset', 'close'] as const)('ends a watch that is under way by a %s', async (how) => {
    const watch = watching(await version());
    await eventually(() => expect(proxy.requests[0]?.code).toBe(200));
    proxy.say({ watch: true }, '{"type":');
    proxy.end({ watch: true }, how);
    expect(await watch.ended).toBeInstanceOf(TransportError);
  });

  it('stops a write just before it is sent', async () => {
    const log: string[] = [];
    proxy.on(
      { write: true },
      { type: 'before sent', run: async () => void log.push(`${await names()}`), next: 'drop' },
    );
    await expect(create()).rejects.toThrow(TransportError);
    expect([log, await names()]).toEqual([[''], []]);
    expect(proxy.requests[0]).toMatchObject({ outcome: 'dropped', method: 'POST' });
    expect(proxy.requests[0]?.sentAt).toBeUndefined();
  });

  it('takes away the answer to a write just after it was committed', async () => {
    const log: string[] = [];
    proxy.on(
      { write: true },
      { type: 'after committed', run: async () => void log.push(`${await names()}`), next: 'drop' },
    );
    await expect(create()).rejects.toThrow(TransportError);
    expect([log, await names()]).toEqual([['a'], ['a']]);
    expect(proxy.requests[0]).toMatchObject({ outcome: 'dropped', code: 201 });
  });

  it('holds a request until it is let go', async () => {
    const rule = proxy.on({ write: true }, { type: 'hold' });
    const creating = create();
    await eventually(() => expect(proxy.requests).toHaveLength(1));
    expect(await names()).toEqual([]);
    rule.release();
    await creating;
    expect(await names()).toEqual(['a']);
  });

  it('shows an old list again, as a list and as the events of a streaming one, and then the present', async () => {
    await create('a');
    const past = await direct.list(ConfigMap, { namespace });
    await create('b');
    const rule = proxy.on({ method: 'GET', path: '/configmaps', times: 2 }, oldList(ConfigMap, past));
    expect(await cluster.list(ConfigMap, { namespace })).toEqual(past);
    const seen: WatchEvent[] = [];
    for await (const event of cluster.watch(ConfigMap, { namespace, resourceVersion: '', sendInitialEvents: true })) {
      seen.push(event);
      if (seen.length > past.items.length) break;
    }
    const { resourceVersion } = past;
    expect(seen).toEqual([
      ...past.items.map((object) => ({ type: 'ADDED', object })),
      { type: 'BOOKMARK', resourceVersion, initialEventsEnd: true },
    ]);
    expect(rule.hits).toBe(2);
    expect((await cluster.list(ConfigMap, { namespace })).items).toHaveLength(2);
  });

  it('drops a pool of connections, which the client makes anew', async () => {
    await create('a');
    proxy.dropConnections();
    await eventually(() => create('b'));
    expect(await names()).toEqual(['a', 'b']);
  });

  it('is a partition, until it is healed', async () => {
    proxy.partition();
    const lost = expect(cluster.create(ConfigMap, object('a'), { ...write, timeoutSeconds: 0.3 })).rejects.toThrow(
      'no answer',
    );
    await lost;
    proxy.heal();
    await eventually(() => create('b'));
    expect(await names()).toEqual(['b']);
  });

  it('changes what passes, and delays it', async () => {
    await create('a');
    proxy.on(
      { method: 'GET' },
      { type: 'rewrite', bytes: (chunk) => Buffer.from(chunk.toString().replaceAll('"a"', '"z"')) },
    );
    proxy.on({ method: 'GET' }, { type: 'delay', of: 'answer', milliseconds: 50 });
    proxy.on({ method: 'GET' }, { type: 'delay', of: 'request', milliseconds: 50 });
    expect((await cluster.get(ConfigMap, { namespace, name: 'a' })).metadata.name).toBe('z');
    await eventually(() => expect(proxy.requests[1]?.outcome).toBe('answered'));
    const { arrivedAt = 0, sentAt = 0, committedAt = 0, endedAt = 0 } = proxy.requests[1] ?? {};
    expect(sentAt - arrivedAt).toBeGreaterThanOrEqual(45);
    expect(endedAt - committedAt).toBeGreaterThanOrEqual(45);
  });
});
