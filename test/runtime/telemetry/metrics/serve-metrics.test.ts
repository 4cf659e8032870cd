import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type PeerCertificate, type TLSSocket } from 'node:tls';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { silentLog } from '../../../../src/runtime/telemetry/log.js';
import { Metrics } from '../../../../src/runtime/telemetry/metrics/metrics.js';
import { serveMetrics } from '../../../../src/runtime/telemetry/metrics/serve-metrics.js';
import { LineLog, type LogLine } from '../../../../src/testing/line-log.js';
import { VirtualClock } from '../../../../src/testing/virtual-clock.js';
import { selfSigned } from '../../../../src/tls/self-signed.js';
import { ServingCertificate } from '../../../../src/tls/serving-certificate.js';
import { parseExposition, sampleOf } from './exposition.js';

let stop: AbortController;
let clock: VirtualClock;
let metrics: Metrics;
let folder: string;

beforeEach(() => {
  stop = new AbortController();
  clock = new VirtualClock();
  metrics = new Metrics({ clock, apiServer: 'api' });
  folder = mkdtempSync(join(tmpdir(), 'kilter-metrics-'));
});
afterEach(() => {
  stop.abort();
  rmSync(folder, { recursive: true });
});

/** To who has the token, and to who may do nothing but what his own says, such as `get/metrics`. */
const openTo = (token: string) => ({
  judge: async (authorization: string | undefined, verb: string, path: string) =>
    [token, verb + path].some((good) => authorization === `Bearer ${good}`)
      ? ({ code: 200 } as const)
      : ({ code: 403, text: 'no' } as const),
});
const anyCertificate = () => ServingCertificate.open({ clock, names: ['localhost'], subject: 'metrics' });

interface Answer {
  readonly code: number | undefined;
  readonly text: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

function ask(url: string, { method = 'GET', token = 'good' } = {}): Promise<Answer> {
  const options = { method, headers: { authorization: `Bearer ${token}` }, agent: false as const };
  return new Promise((resolve, reject) => {
    const asked = url.startsWith('https')
      ? secureRequest(url, { ...options, rejectUnauthorized: false })
      : plainRequest(url, options);
    asked.on('error', reject);
    asked.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.on('end', () => resolve({ code: response.statusCode, text, headers: response.headers }));
    });
    asked.end();
  });
}

describe('metrics over HTTPS', () => {
  let url: string;
  beforeEach(async () => {
    const secure = { access: openTo('good'), certificate: await anyCertificate() };
    const { address } = await serveMetrics({ address: '127.0.0.1:0', metrics, log: silentLog, secure }, stop.signal);
    url = `https://${address}`;
  });

  it.each([
    ['GET', '/metrics', 'good', 200],
    ['HEAD', '/metrics', 'good', 200],
    ['GET', '/metrics?name=x', 'good', 200],
    ['GET', '/metrics', 'bad', 403],
    ['HEAD', '/metrics', 'bad', 403],
    ['GET', '/metrics', 'get/metrics', 200],
    ['HEAD', '/metrics', 'get/metrics', 403],
    ['HEAD', '/metrics', 'head/metrics', 200],
    ['POST', '/metrics', 'good', 405],
    ['GET', '/', 'good', 404],
    ['GET', '/metrics/', 'good', 404],
    ['GET', '//metrics', 'good', 404],
    ['GET', '/healthz', 'good', 404],
  ])('answer %s %s of the %s token with %d', async (method, path, token, code) => {
    const answer = await ask(url + path, { method, token });
    expect(answer.code).toBe(code);
    expect(answer.text === '').toBe(method === 'HEAD');
    expect(answer.text.includes('# HELP')).toBe(code === 200 && method === 'GET');
  });

  it('are the text format', async () => {
    const { text, headers } = await ask(`${url}/metrics`);
    expect(headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(sampleOf(parseExposition(text), 'certwatcher_read_certificate_total')).toBe(1);
  });

  it('are no longer served after the end', async () => {
    stop.abort();
    await expect(ask(`${url}/metrics`)).rejects.toThrow();
  });

  it('survive who speaks no TLS', async () => {
    await expect(ask(`${url.replace('https', 'http')}/metrics`)).rejects.toThrow();
    expect((await ask(`${url}/metrics`)).code).toBe(200);
  });

  it('are refused over TLS that is too old', async () => {
    const { port } = new URL(url);
    const old = () =>
      new Promise<void>((resolve, reject) => {
        const socket = connect({ port: Number(port), host: '127.0.0.1', maxVersion: 'TLSv1.1', minVersion: 'TLSv1' });
        socket.on('secureConnect', () => resolve()).on('error', reject);
      });
    await expect(old()).rejects.toThrow();
  });
});

it('metrics over plain HTTP are for everybody', async () => {
  const { address } = await serveMetrics({ address: '127.0.0.1:0', metrics, log: silentLog }, stop.signal);
  expect((await ask(`http://${address}/metrics`, { token: 'any' })).code).toBe(200);
});

it('metrics that cannot be collected are an error, which is logged', async () => {
  const log: LogLine[] = [];
  const broken = { ...metrics, contentType: '', text: () => Promise.reject(new Error('out of order')) };
  const options = { address: '127.0.0.1:0', metrics: broken, log: new LineLog(log, clock) };
  const { address } = await serveMetrics(options, stop.signal);
  expect((await ask(`http://${address}/metrics`)).code).toBe(500);
  expect(log.at(-1)).toMatchObject({ message: 'Failed to collect metrics', data: { error: 'out of order' } });
});

describe('the certificate of metrics', () => {
  const write = (subject: string) => {
    const pair = selfSigned({ subject, names: ['localhost'], now: Date.now(), validMilliseconds: 60_000 });
    writeFileSync(join(folder, 'tls.crt'), pair.cert);
    writeFileSync(join(folder, 'tls.key'), pair.key);
  };
  const shownBy = (port: number) =>
    new Promise<string>((resolve, reject) => {
      const socket: TLSSocket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false }, () => {
        const { subject }: PeerCertificate = socket.getPeerCertificate();
        socket.destroy();
        resolve(String(subject.CN));
      });
      socket.on('error', reject);
    });
  const look = async () => {
    const before = clock.timers;
    await clock.advance(10_000);
    while (clock.timers < before) await new Promise((resolve) => setImmediate(resolve));
  };

  it('is the new one for new connections when its files change, and stays when they cannot be read', async () => {
    write('first');
    const files = { cert: join(folder, 'tls.crt'), key: join(folder, 'tls.key') };
    const certificate = await ServingCertificate.open({ clock, files, names: [], subject: '' });
    const log: LogLine[] = [];
    const secure = { access: openTo('good'), certificate };
    const { address } = await serveMetrics(
      { address: '127.0.0.1:0', metrics, log: new LineLog(log, clock), secure },
      stop.signal,
    );
    const port = Number(address.split(':')[1]);
    expect(await shownBy(port)).toBe('first');
    write('second');
    await look();
    expect(await shownBy(port)).toBe('second');
    writeFileSync(files.key, 'nonsense');
    await look();
    expect(await shownBy(port)).toBe('second');
    expect(log.map(({ level, message }) => `${level} ${message}`)).toEqual([
      'info Serving metrics',
      'info Reloaded the certificate of metrics',
      'error Failed to reload the certificate of metrics',
    ]);
    const told = parseExposition(await metrics.text());
    expect(sampleOf(told, 'certwatcher_read_certificate_total')).toBe(2);
    expect(sampleOf(told, 'certwatcher_read_certificate_errors_total')).toBe(1);
  });
});
