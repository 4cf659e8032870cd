import { once } from 'node:events';
import type { LookupFunction } from 'node:net';
import { inspect } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { ConfigMap } from '../../imports/k8s.js';
import { RetryAfterError, TransportError } from '../../src/client/api-error.js';
import type { TlsOptions } from '../../src/client/cluster-config.js';
import { connect } from '../../src/client/http-cluster.js';
import { object, scriptedCluster } from './scripted-cluster.js';
import { hangUp, json, silence, status, stream, text, tooMany } from './scripted-server.js';

const target = { namespace: 'default', name: 'a' };
const write = { fieldManager: 'test' };

const scripted = scriptedCluster();

describe('a read', () => {
  it('is asked again when the connection broke or the server asked to wait', async () => {
    scripted.server.answers(hangUp, status(429, { details: { retryAfterSeconds: 0.01 } }), json(object('a')));
    expect(await scripted.cluster.get(ConfigMap, target)).toEqual(object('a'));
    expect(scripted.server.requests).toHaveLength(3);
  });

  it.each(['get', 'watch'])('that is sent elsewhere says so: %s', async (verb) => {
    scripted.server.answers(text(302, 'Log in', { location: 'https://login.example.com' }));
    const asked = async () => {
      if (verb === 'get') return scripted.cluster.get(ConfigMap, target);
      for await (const event of scripted.cluster.watch(ConfigMap, {})) return event;
      return undefined;
    };
    const failed = asked();
    await expect(failed).rejects.toThrow(TransportError);
    await expect(failed).rejects.toMatchObject({
      message: expect.stringMatching(new RegExp(`${verb} failed: the server answered 302$`)),
      hint: expect.stringContaining('proxy or login'),
    });
    expect(scripted.server.requests).toHaveLength(1);
  });

  it.each([
    ['a message that is no text', 409, { message: { text: 'x' } }, 'the server answered 409'],
    ['causes that are no list', 409, { message: 'x', details: { causes: {} } }, 'x'],
    ['causes that are none', 403, { message: 'x', details: { causes: [null, 'x'] } }, 'x'],
    ['details that are a text', 400, { message: 'x', details: 'x' }, 'x'],
    ['a list in its place', 404, ['message'], 'the server answered 404'],
  ])('is refused by whoever answers %s, and says so', async (_, code, body, words) => {
    scripted.server.answers((response) => response.writeHead(code).end(JSON.stringify(body)));
    const failed = scripted.cluster.get(ConfigMap, target);
    await expect(failed).rejects.toThrow(`ConfigMap/default/a get failed: ${words}`);
    await expect(failed).rejects.not.toBeInstanceOf(TransportError);
  });

  it('ends with its deadline', async () => {
    scripted.server.answers(silence);
    await expect(scripted.cluster.get(ConfigMap, target, { timeoutSeconds: 0.05 })).rejects.toThrow(
      'ConfigMap/default/a get failed: no answer within 0.05 s',
    );
  });

  it('does not wait for a try that its deadline would not allow', async () => {
    scripted.server.answers(status(429, {}, { 'retry-after': '60' }));
    const refused = scripted.cluster.get(ConfigMap, target, { timeoutSeconds: 5 });
    await expect(refused).rejects.toMatchObject({ retryAfterSeconds: 60 });
  });

  it.each([
    ['with the time that it is there', true],
    ['without', false],
  ])('waits until the moment that what is before the server names, %s', async (_, sendDate) => {
    const inTenMinutes = new Date(Date.now() + 600_000).toUTCString();
    scripted.server.answers((response, request) => {
      response.sendDate = sendDate;
      status(503, {}, { 'retry-after': inTenMinutes })(response, request);
    });
    const error = await scripted.cluster.get(ConfigMap, target).catch((thrown: unknown) => thrown);
    expect((error as RetryAfterError).retryAfterSeconds).toBeGreaterThan(500);
    expect((error as RetryAfterError).retryAfterSeconds).toBeLessThanOrEqual(600);
  });

  it.each([
    ['ahead of', 3_600_000],
    ['behind', -3_600_000],
  ])('waits for as long as it is by the clock of who names the moment, which is an hour %s ours', async (_, skew) => {
    const now = Date.now() + skew;
    const at = (seconds: number) => new Date(now + seconds * 1000).toUTCString();
    scripted.server.answers(status(503, {}, { date: at(0), 'retry-after': at(600) }));
    const refused = scripted.cluster.get(ConfigMap, target);
    await expect(refused).rejects.toMatchObject({ retryAfterSeconds: 600 });
  });

  it.each([
    ['in its header', status(503, {}, { 'retry-after': '1800000000' })],
    ['in what it answers', status(429, { details: { retryAfterSeconds: 2_147_483_647 } })],
  ])('waits for an hour at most for a server that wants more, %s', async (_, answer) => {
    scripted.server.answers(answer);
    await expect(scripted.cluster.get(ConfigMap, target)).rejects.toMatchObject({ retryAfterSeconds: 3600 });
  });

  it('ends when whoever asked gives up', async () => {
    scripted.server.answers(silence);
    const [stop, why] = [new AbortController(), new Error('never mind')];
    const reading = scripted.cluster.get(ConfigMap, target, { signal: stop.signal });
    stop.abort(why);
    expect(await reading.catch((error: unknown) => error)).toBe(why);
  });

  it('that is given up is no longer under way at the server', async () => {
    const stop = new AbortController();
    let left: Promise<unknown> | undefined;
    scripted.server.answers((response) => {
      left = once(response, 'close');
      stop.abort(new Error('never mind'));
    });
    await expect(scripted.cluster.get(ConfigMap, target, { signal: stop.signal })).rejects.toThrow('never mind');
    await left;
    expect(left).toBeDefined();
  });
});

describe('a write', () => {
  const create = () => scripted.cluster.create(ConfigMap, object('a'), write);

  it('is not sent again when its answer was lost: it may have been done', async () => {
    scripted.server.answers(hangUp, json(object('a')));
    await expect(create()).rejects.toThrow(TransportError);
    expect(scripted.server.requests).toHaveLength(1);
  });

  it('is sent again when the server said that it did not take it', async () => {
    scripted.server.answers(status(429, { code: 429, details: { retryAfterSeconds: 0.01 } }), json(object('a')));
    expect(await create()).toEqual(object('a'));
  });

  it('is sent again when a filter before the API said so in plain text', async () => {
    scripted.server.answers(tooMany, json(object('a')));
    expect(await create()).toEqual(object('a'));
    expect(scripted.server.requests).toHaveLength(2);
  });

  it('is not sent again after 503, which says nothing about whether it was done', async () => {
    scripted.server.answers(status(503, {}, { 'retry-after': '1' }));
    await expect(create()).rejects.toThrow(RetryAfterError);
    expect(scripted.server.requests).toHaveLength(1);
  });

  it('is aborted when the fence comes down, and refused behind it', async () => {
    scripted.server.answers(silence);
    const creating = create();
    while (scripted.server.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
    const lost = new Error('the Lease was lost');
    const added = { type: 'ADDED', object: object('a') };
    scripted.cluster.fence(lost);
    expect(await creating.catch((error: unknown) => error)).toBe(lost);
    expect(await create().catch((error: unknown) => error)).toBe(lost);
    expect(scripted.server.requests).toHaveLength(1);
    scripted.server.answers(json(object('a')), stream([`${JSON.stringify(added)}\n`]), json(object('a')));
    expect(await scripted.cluster.get(ConfigMap, target)).toEqual(object('a'));
    for await (const event of scripted.cluster.watch(ConfigMap, { resourceVersion: '1' })) expect(event).toEqual(added);
    scripted.cluster.unfence();
    expect(await create()).toEqual(object('a'));
  });
});

it.each(['update', 'patch', 'apply'] as const)('a write of a subresource reaches that: %s', async (verb) => {
  scripted.server.answers(json(object('a')));
  const options = { ...write, subresource: 'status', force: true } as const;
  if (verb === 'patch') await scripted.cluster.patch(ConfigMap, target, { type: 'merge', body: {} }, options);
  else await scripted.cluster[verb](ConfigMap, object('a'), options);
  const { pathname } = new URL(scripted.server.requests[0]?.url ?? '', scripted.server.url);
  expect(pathname).toBe('/api/v1/namespaces/default/configmaps/a/status');
});

describe('an answer that is cut short', () => {
  it('keeps what it holds out of the error', async () => {
    scripted.server.answers((response) => response.end('{"data":{"password": hunter2'));
    const error: Error = await scripted.cluster.create(ConfigMap, object('a'), write).catch((caught) => caught);
    expect(inspect(error, { depth: 9 })).toContain('an answer of 28 characters is not JSON');
    expect(inspect(error, { depth: 9 })).not.toContain('hunter2');
  });
});

describe('an object', () => {
  it.each<[string, unknown]>([
    ['nothing', null],
    ['a text', 'ok'],
    ['a list', []],
    ['something of its own', { status: 'ok' }],
    ['the like of one', { metadata: null }],
  ])('of which a proxy makes %s is an error that says so', async (_, answer) => {
    scripted.server.answers(json(answer), json(answer));
    const reading = scripted.cluster.get(ConfigMap, target);
    await expect(reading).rejects.toBeInstanceOf(TransportError);
    await expect(reading).rejects.toThrow('ConfigMap/default/a get failed: the server answered 200 with no object');
    const writing = scripted.cluster.create(ConfigMap, object('a'), write);
    await expect(writing).rejects.toThrow('ConfigMap/default/a create failed: the server answered 200 with no object');
  });

  it('need have no metadata where nobody stores it, as a review', async () => {
    const review = { kind: 'TokenReview', status: { authenticated: true } };
    scripted.server.answers(json(review));
    expect(await scripted.cluster.create(ConfigMap, object('a'), write)).toEqual(review);
  });
});

describe('a list', () => {
  it.each<[string, unknown]>([
    ['nothing', null],
    ['something of its own', { status: 'ok' }],
    ['a Status', { kind: 'Status', apiVersion: 'v1', status: 'Success', metadata: {} }],
  ])('of which a proxy makes %s is not taken for an empty one', async (_, answer) => {
    scripted.server.answers(json(answer));
    const refused = scripted.cluster.list(ConfigMap);
    await expect(refused).rejects.toBeInstanceOf(TransportError);
    await expect(refused).rejects.toThrow('configmaps list failed: the server answered 200 with no list');
  });

  it.each<[string, unknown]>([
    ['as Go writes one', { kind: 'ConfigMapList', items: null }],
    ['without items', { kind: 'ConfigMapList' }],
    ['without a kind', { items: [] }],
  ])('may be empty, %s', async (_, answer) => {
    scripted.server.answers(json({ ...(answer as object), metadata: { resourceVersion: '7' } }));
    expect(await scripted.cluster.list(ConfigMap)).toEqual({ items: [], resourceVersion: '7' });
  });
});

describe('a server of several addresses, none of which answers', () => {
  it.each([
    ['127.0.0.1', '127.0.0.2'],
    ['127.0.0.2', '127.0.0.1'],
  ])('says of each what became of it, in whatever order they are named: %s, %s', async (...addresses) => {
    const lookup: LookupFunction = (_, __, found) =>
      found(
        null,
        addresses.map((address) => ({ address, family: 4 })),
      );
    const tls: TlsOptions & { readonly lookup: LookupFunction } = { lookup };
    const nowhere = connect({ ...scripted.server.config, server: 'http://several:1', tls: async () => tls });
    await expect(nowhere.get(ConfigMap, target, { timeoutSeconds: 20 })).rejects.toThrow(
      /^ConfigMap\/default\/a get failed: connect ECONNREFUSED 127.0.0.1:1, connect ECONNREFUSED 127.0.0.2:1$/,
    );
    await nowhere.close();
  });
});
