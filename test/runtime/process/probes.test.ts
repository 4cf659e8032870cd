import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Informer } from '../../../src/runtime/informer/informer.js';
import { healthOf, type ProbesOptions, serveProbes } from '../../../src/runtime/process/probes.js';

const minutes = 60_000;
const informer = (plural: string, more: Partial<Informer> = {}) => {
  const { silentMilliseconds = 0 } = more;
  const well = { isSynced: true, isServed: true, silentMilliseconds, staleMilliseconds: silentMilliseconds };
  return { resource: { plural }, ...well, ...more } as Informer;
};

const looking = (informers: readonly Informer[] | undefined, worstMilliseconds = 0): ProbesOptions => ({
  informers: () => informers,
  loop: { worstMilliseconds },
});
const well = looking([informer('pods')]);

describe('the probes', () => {
  it.each<[string, ProbesOptions, number, string]>([
    ['nothing is watched', looking([]), 200, 'ok'],
    ['the process starts', looking(undefined), 200, 'ok'],
    ['every watch shows life', looking([informer('pods', { silentMilliseconds: 4 * minutes })]), 200, 'ok'],
    [
      'a kind is not served',
      looking([informer('pods', { silentMilliseconds: 6 * minutes, isServed: false })]),
      200,
      'ok',
    ],
    [
      'one watch is silent',
      looking([informer('pods'), informer('services', { silentMilliseconds: 6 * minutes })]),
      503,
      'no sign of life on services',
    ],
    ['the event loop was late', looking([], 9_999), 200, 'ok'],
    ['the event loop was stuck', looking([], 10_000), 503, 'the event loop was blocked for 10.0 s'],
  ])('liveness, when %s', (_, options, code, text) => {
    expect(healthOf('/healthz', options)).toEqual({ code, text });
  });

  it.each<[string, ProbesOptions, number, string]>([
    ['the process starts', looking(undefined), 503, 'starting'],
    ['every store is filled', well, 200, 'ok'],
    [
      'a store is empty yet',
      looking([informer('pods'), informer('services', { isSynced: false })]),
      503,
      'waiting for services',
    ],
    [
      'a store of one namespace of several is empty yet',
      looking([
        informer('pods', { namespace: 'a' }),
        informer('pods', { namespace: 'b', isSynced: false }),
        informer('pods', { namespace: 'c', isSynced: false }),
      ]),
      503,
      'waiting for pods',
    ],
    [
      'something is refused in one namespace of several, which may be deleted',
      looking([
        informer('pods', { namespace: 'a' }),
        informer('services', { namespace: 'a' }),
        informer('pods', { namespace: 'b', isSynced: false }),
        informer('services', { namespace: 'b', isRefused: true, staleMilliseconds: 4 * minutes }),
      ]),
      200,
      'ok',
    ],
    [
      'something is refused in each namespace',
      looking([
        informer('pods', { namespace: 'a' }),
        informer('services', { namespace: 'a', isRefused: true, isSynced: false }),
        informer('pods', { namespace: 'b', isRefused: true, isSynced: false }),
        informer('services', { namespace: 'b' }),
      ]),
      503,
      'waiting for services, pods',
    ],
    [
      'something is refused that is in no namespace',
      looking([informer('pods', { namespace: 'a' }), informer('nodes', { isRefused: true, isSynced: false })]),
      503,
      'waiting for nodes',
    ],
    ['a kind is not served', looking([informer('pods', { isSynced: false, isServed: false })]), 200, 'ok'],
    [
      'a watch is silent for longer than it takes to make it anew',
      looking([informer('pods', { silentMilliseconds: 3 * minutes + 1 })]),
      503,
      'nothing is heard of pods',
    ],
    [
      'a watch is refused, which is a sign of life',
      looking([informer('pods', { staleMilliseconds: 3 * minutes + 1 })]),
      503,
      'nothing is heard of pods',
    ],
    [
      'a kind that it converts cannot be listed, for which it may be needed',
      {
        ...looking([informer('caches', { isSynced: false, staleMilliseconds: 4 * minutes }), informer('pods')]),
        converts: ({ plural }) => plural === 'caches',
      },
      200,
      'ok',
    ],
    ['the event loop is blocked', looking([], 2500), 503, 'the event loop was blocked for 2.5 s'],
    [
      'all is wrong',
      looking([informer('pods', { isSynced: false, silentMilliseconds: 4 * minutes })], 3000),
      503,
      'waiting for pods; nothing is heard of pods; the event loop was blocked for 3.0 s',
    ],
  ])('readiness, when %s', (_, options, code, text) => {
    expect(healthOf('/readyz', options)).toEqual({ code, text });
  });

  it.each<[string, ProbesOptions, number, string]>([
    ['/healthz?verbose', well, 200, '[+]watches ok\n[+]event-loop ok\nhealthz check passed\n'],
    [
      '/readyz?verbose',
      looking(undefined),
      503,
      '[-]stores failed: starting\n[+]watches ok\n[+]event-loop ok\nreadyz check failed\n',
    ],
    ['/readyz?exclude=stores', looking(undefined), 200, 'ok'],
    [
      '/readyz?verbose&exclude=stores&exclude=watches',
      looking(undefined),
      200,
      '[+]event-loop ok\nreadyz check passed\n',
    ],
    [
      '/readyz?exclude=watches',
      looking([informer('pods', { isSynced: true, staleMilliseconds: 4 * minutes })]),
      200,
      'ok',
    ],
    ['/readyz?exclude=watches', looking([informer('pods', { isSynced: false })]), 503, 'waiting for pods'],
    ['/readyz/stores', looking(undefined), 503, 'starting'],
    ['/readyz/watches', looking(undefined), 200, 'ok'],
    ['/readyz/nothing', well, 404, 'there is no check "nothing"'],
    ['/', well, 404, 'not found'],
    ['//', well, 404, 'not found'],
    ['*', well, 404, 'not found'],
    ['/metrics', well, 404, 'not found'],
    ['/constructor', well, 404, 'not found'],
    ['/healthz/a/b', well, 404, 'not found'],
    ['', well, 404, 'not found'],
  ])('answer %s as API servers do', (url, options, code, text) => {
    expect(healthOf(url, options)).toEqual({ code, text });
  });

  describe('over HTTP', () => {
    let stop: AbortController;
    beforeEach(() => {
      stop = new AbortController();
    });
    afterEach(() => stop.abort());

    it.each([
      ['/healthz', 200, 'ok'],
      ['/readyz', 503, 'starting'],
    ])('answer GET %s with %d', async (path, code, text) => {
      const serving = await serveProbes('127.0.0.1:0', looking(undefined), stop.signal);
      const response = await fetch(`http://${serving?.address}${path}`);
      expect([response.status, await response.text()]).toEqual([code, text]);
    });

    it('are served nowhere at 0', async () => {
      expect(await serveProbes('0', well, stop.signal)).toBeUndefined();
    });

    it('let go of everybody at the end, also of who would keep the connection', async () => {
      const serving = await serveProbes('127.0.0.1:0', well, stop.signal);
      const port = Number(serving?.address.split(':')[1]);
      const socket = connect(port, '127.0.0.1').resume();
      await once(socket, 'connect');
      stop.abort();
      await once(socket, 'close');
      await expect(fetch(`http://127.0.0.1:${port}/healthz`)).rejects.toThrow();
    });

    it('say whose port it is that is in use', async () => {
      const other = createServer().listen(0, '127.0.0.1');
      await once(other, 'listening');
      const { port } = other.address() as { port: number };
      await expect(serveProbes(`127.0.0.1:${port}`, well, stop.signal)).rejects.toMatchObject({
        message: `serving probes at 127.0.0.1:${port} failed: the port is in use`,
        hint: 'choose another port, or 0 to serve nothing',
      });
      other.close();
    });
  });
});
