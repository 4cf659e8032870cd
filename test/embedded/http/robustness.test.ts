// Longer than most files: all that a hostile caller may send, in one place.

import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { freePorts } from '../../cluster/free-ports.js';
import { Raw } from './raw.js';
import { startServed, withServed } from './served.js';

const maps = '/api/v1/namespaces/default/configmaps';
const map = (name: string, data: object = {}) => ({ metadata: { name }, data });

describe('a server on loopback', () => {
  it.each(['0.0.0.0', '192.168.0.1', 'example.com', '::', ''])('does not listen on %j', async (host) => {
    await expect(startServed({ host })).rejects.toThrow('listens on loopback only');
  });

  it('says when its port is taken', async () => {
    const first = await startServed();
    const port = Number(new URL(first.url).port);
    await expect(startServed({ port })).rejects.toThrow('EADDRINUSE');
    await first.close();
  });

  it('gives its port back, and ends the connections it has', async () => {
    const [port = 0] = await freePorts(1);
    const first = await startServed({ plain: true, port });
    const idle = await Raw.to(first.url);
    const half = (await Raw.to(first.url)).send('GET /version HTTP/1.1\r\nHost: x\r\n');
    await first.close();
    await Promise.all([idle.until(/never/), half.until(/never/)]);
    const second = await startServed({ plain: true, port });
    expect((await second.ask('GET', '/healthz')).text).toBe('ok');
    await second.close();
  });
});

describe('hostile requests', () => {
  const served = withServed({ plain: true });
  const head = (line: string, ...headers: string[]) =>
    `${[`${line} HTTP/1.1`, 'Host: x', `Authorization: Bearer ${served().token}`, ...headers].join('\r\n')}\r\n\r\n`;
  const stands = async () => {
    expect((await served().ask('GET', '/healthz')).text).toBe('ok');
    expect(served().faults).toEqual([]);
  };

  it.each([
    ['no HTTP at all', '\u0000\u0001\u0002 hello\r\n\r\n', /400 Bad Request/],
    ['a method that nobody has', 'BREW / HTTP/1.1\r\nHost: x\r\n\r\n', /400 Bad Request/],
    ['a header that is none', 'GET / HTTP/1.1\r\nHost x\r\n\r\n', /400 Bad Request/],
    ['no host', 'GET /version HTTP/1.1\r\n\r\n', /400 Bad Request/],
    [
      'two lengths',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab',
      /400 Bad Request/,
    ],
    [
      'a length and chunks',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      /400 Bad/,
    ],
    ['a path that decodes to nothing', 'GET /api/v1/%zz HTTP/1.1\r\nHost: x\r\n\r\n', /400 Bad Request/],
    [
      'a header without end',
      `GET / HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(1_200_000)}`,
      /431 Request Header Fields Too Large/,
    ],
    [
      'a flood of headers',
      `GET / HTTP/1.1\r\nHost: x\r\n${'X-Flood: 0123456789abcdef\r\n'.repeat(60_000)}\r\n`,
      /431 Request/,
    ],
  ])('with %s are refused', async (_, text, answer) => {
    const raw = (await Raw.to(served().url)).send(text);
    expect(await raw.until(answer)).toMatch(answer);
    raw.close();
    await stands();
  });

  it('that break off in the middle are forgotten', async () => {
    const raws = await Promise.all(Array.from({ length: 20 }, () => Raw.to(served().url)));
    for (const raw of raws) {
      raw.send(head(`POST ${maps}`, 'Content-Type: application/json', 'Content-Length: 100')).send('{"metadata":');
    }
    await stands();
    for (const raw of raws) raw.close();
    await stands();
    expect((await served().ask('GET', maps)).body['items']).toEqual([]);
  });

  it('that come byte by byte are answered', async () => {
    const raw = await Raw.to(served().url);
    const body = JSON.stringify(map('slow'));
    const text = head(`POST ${maps}`, 'Content-Type: application/json', `Content-Length: ${body.length}`) + body;
    for (const byte of text) raw.send(byte);
    expect(await raw.until(/"slow"/)).toContain('201 Created');
    raw.close();
    await served().ask('DELETE', `${maps}/slow`);
  });

  it('that come all at once are answered in order', async () => {
    const raw = await Raw.to(served().url);
    const paths = ['/version', '/healthz', `${maps}/nope`, '/apis/apps'];
    raw.send(paths.map((path) => head(`GET ${path}`)).join(''));
    const all = await raw.until(/"name":"apps"/);
    const places = ['"gitVersion"', '\r\n\r\nok', 'configmaps \\"nope\\" not found', '"name":"apps"'].map((text) =>
      all.indexOf(text),
    );
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(places).not.toContain(-1);
    raw.close();
  });

  it.each([
    [
      'said to be',
      (raw: Raw) => raw.send(head(`POST ${maps}`, 'Content-Type: application/json', 'Content-Length: 3145729')),
    ],
    [
      'found to be',
      (raw: Raw) => {
        raw.send(head(`POST ${maps}`, 'Content-Type: application/json', 'Transfer-Encoding: chunked'));
        const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`;
        for (let count = 0; count < 49; count++) raw.send(chunk);
      },
    ],
  ])('with a body %s over the limit are refused', async (_, ask) => {
    const raw = await Raw.to(served().url);
    ask(raw);
    const answer = await raw.until(/"code":413/);
    expect(answer).toContain('HTTP/1.1 413');
    expect(answer).toContain('"message":"Request entity too large: limit is 3145728","reason":"RequestEntityTooLarge"');
    raw.close();
    await stands();
  });

  it.each([
    ['deep', `{"metadata":{"name":"x"},"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, 400, /exceeded max depth/],
    [
      'too deep for us',
      `{"metadata":{"name":"x"},"a":${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}}`,
      400,
      /exceeded max depth/,
    ],
    ['broken', '{"metadata":{"name":"x"', 400, /unexpected end of JSON input/],
    ['of the wrong type', '{"metadata":[],"data":3}', 400, /cannot be handled as a ConfigMap/],
    ['of a wrong inside', '{"metadata":{"name":{"a":1},"labels":[1]}}', 400, /cannot be handled as a ConfigMap/],
  ])('with a body that is %s are refused', async (_, body, code, message) => {
    const answer = await served().ask('POST', maps, { body });
    expect([answer.code, answer.body['message']]).toEqual([code, expect.stringMatching(message)]);
    await stands();
  });

  it.each([
    '*a',
    '&a [*a, *a]',
    'a: &a [x,x,x]\nb: &b [*a,*a,*a]\nc: !!binary x',
    `${'['.repeat(20_000)}`,
    'a: .nan',
    '? [a]\n: b',
  ])('with the YAML %j neither stop it nor get in', async (body) => {
    const answer = await served().ask('POST', maps, { body: body.slice(0, 30_000), contentType: 'application/yaml' });
    expect([400, 422]).toContain(answer.code);
    await stands();
  });

  it('cannot write to what all objects inherit', async () => {
    const body =
      '{"metadata":{"name":"proto","__proto__":{"polluted":1}},"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"data":{"__proto__":"kept"}}';
    const answer = await served().ask('POST', maps, { body });
    // As a key of data it is like any other.
    expect([answer.code, answer.text]).toEqual([201, expect.stringContaining('"data":{"__proto__":"kept"}')]);
    for (const type of ['merge-patch+json', 'strategic-merge-patch+json']) {
      await served().ask('POST', maps, { body: map('target', { a: 'b' }) });
      await served().ask('PATCH', `${maps}/target`, {
        body: '{"__proto__":{"polluted":1},"metadata":{"__proto__":{"polluted":1}}}',
        contentType: `application/${type}`,
      });
    }
    const operations =
      '[{"op":"add","path":"/__proto__/polluted","value":1},{"op":"add","path":"/constructor/prototype/polluted","value":1}]';
    await served().ask('PATCH', `${maps}/target`, { body: operations, contentType: 'application/json-patch+json' });
    await served().ask('PATCH', `${maps}/target?fieldManager=x`, {
      body: `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"target","__proto__":{"polluted":1}}}`,
      contentType: 'application/apply-patch+yaml',
    });
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    await stands();
  });

  it('with bytes that are no UTF-8 keep what can be read', async () => {
    const body = Buffer.concat([
      Buffer.from('{"metadata":{"name":"bytes"},"data":{"a":"x'),
      Buffer.from([0xff, 0xfe]),
      Buffer.from('y"}}'),
    ]);
    const answer = await served().ask('POST', maps, { body });
    expect(answer.body['data']).toEqual({ a: 'x\ufffd\ufffdy' });
  });

  it('of many at once do not mix', async () => {
    const names = Array.from({ length: 200 }, (_, index) => `mixed-${index}`);
    const made = await Promise.all(names.map((name) => served().ask('POST', maps, { body: map(name, { own: name }) })));
    expect(made.map(({ body }) => (body['data'] as { own: string }).own)).toEqual(names);
    expect(new Set(made.map(({ headers }) => headers['audit-id'])).size).toBe(names.length);
  });
});

describe('a fault of a handler', () => {
  const broken = withServed({
    plain: true,
    onFault: (error) => faults.push(error),
  });
  const faults: unknown[] = [];

  it('is answered with 500, told, and forgotten', async () => {
    const kind = broken().embedded.kinds.resource('', 'v1', 'configmaps')!;
    const bug = new TypeError('a secret detail');
    const shape = {
      ...kind.shape,
      fieldType: kind.shape.fieldType,
      patchType: { type: 'leaf' as const },
      decode: () => {
        throw bug;
      },
    };
    broken().embedded.kinds.serve({ ...kind, shape });
    const answer = await broken().ask('POST', maps, { body: map('x') });
    expect(answer.code).toBe(500);
    expect(answer.body).toMatchObject({ kind: 'Status', reason: 'InternalError', code: 500 });
    expect(answer.text).not.toContain('secret detail');
    expect(faults).toEqual([bug]);
    broken().embedded.kinds.serve(kind);
    expect((await broken().ask('POST', maps, { body: map('x') })).code).toBe(201);
  });
});

describe('an answer', () => {
  const served = withServed();

  it('is compressed when it is large and the caller can take it', async () => {
    await served().ask('POST', maps, { body: map('large', { text: 'long '.repeat(40_000) }) });
    const raw = (await served().ask('GET', `${maps}/large`)).headers;
    const small = (await served().ask('GET', '/version', { headers: { 'accept-encoding': 'gzip' } })).headers;
    const refused = (await served().ask('GET', `${maps}/large`, { headers: { 'accept-encoding': 'gzip;q=0, br' } }))
      .headers;
    expect([raw, small, refused].map((headers) => headers['content-encoding'])).toEqual([
      undefined,
      undefined,
      undefined,
    ]);

    const { Agent, request } = await import('undici');
    const dispatcher = new Agent({ connect: { ca: served().ca! } });
    const headers = { authorization: `Bearer ${served().token}`, 'accept-encoding': 'gzip' };
    const answer = await request(`${served().url}${maps}/large`, { dispatcher, headers });
    const bytes = Buffer.from(await answer.body.arrayBuffer());
    expect(answer.headers['content-encoding']).toBe('gzip');
    expect(JSON.parse(gunzipSync(bytes).toString()).data.text).toHaveLength(200_000);
    await dispatcher.close();
  });

  it('is pretty for people, and when asked', async () => {
    const pretty = async (path: string, agent: string) =>
      (await served().ask('GET', path, { headers: { 'user-agent': agent } })).text.includes('\n  "');
    expect(await pretty('/apis/apps', 'curl/8')).toBe(true);
    expect(await pretty('/apis/apps', 'kubectl/v1.36.3')).toBe(false);
    expect(await pretty('/apis/apps?pretty=true', 'kubectl/v1.36.3')).toBe(true);
    expect(await pretty('/apis/apps?pretty=0', 'Mozilla/5.0')).toBe(false);
  });

  it('names its request as the caller did, or anew', async () => {
    const ids = async (id?: string) =>
      (await served().ask('GET', '/version', id ? { headers: { 'audit-id': id } } : {})).headers['audit-id'];
    expect(await ids('mine-1')).toBe('mine-1');
    expect(await ids()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it('says of what is not there that it is not', async () => {
    for (const path of ['/api/v1/watch/pods', '/api/v1/namespaces/default/pods/x/log', '/metrics']) {
      expect(await served().ask('GET', path)).toMatchObject({ code: 501, body: { reason: 'NotImplemented' } });
    }
  });
});
