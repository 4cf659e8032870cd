import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { Informer } from '../../src/runtime/informer.js';
import { listenOptions, livenessOf, readinessOfController, serveProbes } from '../../src/runtime/probes.js';
import { VirtualClock } from '../../src/testing/virtual-clock.js';

const minutes = 60_000;
const informer = (plural: string, { isSynced = true, isServed = true, silentMilliseconds = 0 } = {}) =>
  ({ resource: { plural }, isSynced, isServed, silentMilliseconds }) as Informer;

describe('the probes', () => {
  it.each<[string, Informer[], number, string]>([
    ['nothing is watched', [], 200, 'ok'],
    ['every watch shows life', [informer('pods', { silentMilliseconds: 4 * minutes })], 200, 'ok'],
    ['a kind is not served', [informer('pods', { silentMilliseconds: 6 * minutes, isServed: false })], 200, 'ok'],
    [
      'one watch is silent',
      [informer('pods'), informer('services', { silentMilliseconds: 6 * minutes })],
      503,
      'no sign of life on services',
    ],
  ])('liveness, when %s', (_, informers, code, text) => {
    expect(livenessOf(informers)).toEqual({ code, text });
  });

  it.each<[string, Informer[] | undefined, number, string]>([
    ['the process starts', undefined, 503, 'starting'],
    ['every store is filled', [informer('pods')], 200, 'ok'],
    [
      'a store is empty yet',
      [informer('pods'), informer('services', { isSynced: false })],
      503,
      'waiting for services',
    ],
    ['a kind is not served', [informer('pods', { isSynced: false, isServed: false })], 200, 'ok'],
  ])('readiness, when %s', (_, informers, code, text) => {
    expect(readinessOfController(informers)).toEqual({ code, text });
  });

  describe('over HTTP', () => {
    let server: Server | undefined;
    afterEach(() => {
      server?.close();
    });

    it.each([
      ['/healthz', 200, 'ok'],
      ['/readyz', 503, 'starting'],
      ['/readyz?verbose', 503, 'starting'],
      ['/', 404, 'not found'],
    ])('answer GET %s with %d', async (path, code, text) => {
      server = serveProbes('127.0.0.1:0', { clock: new VirtualClock(), informers: () => undefined });
      await once(server as Server, 'listening');
      const { port } = (server as Server).address() as AddressInfo;
      const response = await fetch(`http://127.0.0.1:${port}${path}`);
      expect([response.status, await response.text()]).toEqual([code, text]);
    });

    it.each([
      [':8081', { port: 8081 }],
      ['127.0.0.1:8081', { host: '127.0.0.1', port: 8081 }],
      ['[::1]:8081', { host: '::1', port: 8081 }],
    ])('are served at %s', (address, expected) => {
      expect(listenOptions(address)).toEqual(expected);
    });

    it('are served nowhere at 0', () => {
      expect(serveProbes('0', { clock: new VirtualClock(), informers: () => undefined })).toBeUndefined();
    });
  });
});
