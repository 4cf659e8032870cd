import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage } from 'node:http';
import { type Agent, request } from 'node:https';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createLog } from '../../src/runtime/telemetry/log.js';
import type { Tracing } from '../../src/runtime/telemetry/tracing.js';
import { selfSigned } from '../../src/tls/self-signed.js';
import { eventually } from '../cluster/eventually.js';
import { pair, ServedReviews } from './served-reviews.js';

describe('a server of webhooks that is told to end', () => {
  let served: ServedReviews;
  beforeEach(async () => {
    // As the API server does, over connections that are kept.
    served = new ServedReviews(1);
    const largest = 1000;
    const answer = (body: unknown) => body;
    await served.start({
      reviews: {
        '/quick': { largest, answer },
        '/slow': { largest, answer: served.held },
        '/long': { largest: 1_000_000, answer },
      },
      room: 5_000_000,
    });
  });
  afterEach(() => served.end());

  const ask = (path: string, by: Agent | false = served.agent, body = '"asked"', ca = pair.cert): Promise<string> =>
    new Promise((resolve, reject) => {
      const options = { method: 'POST', ca, agent: by };
      const asked = request(`https://${served.server.address}${path}`, options, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => {
          text += part;
        });
        response.once('end', () => resolve(text)).once('error', reject);
      });
      asked.once('error', reject).end(body);
    });
  const told = () => served.stop.abort(new Error('stopped'));
  const isOver = () =>
    Promise.race([served.server.ended.then(() => true), new Promise((go) => setImmediate(go, false))]);

  it('answers for a moment whoever does not know it yet', async () => {
    expect(await ask('/quick')).toBe('"asked"');
    told();
    await served.clock.advance(1900);
    expect(await ask('/quick')).toBe('"asked"');
    expect(await ask('/quick', false)).toBe('"asked"');
    await served.clock.advance(100);
    await served.server.ended;
    await expect(ask('/quick', false)).rejects.toThrow('ECONNREFUSED');
    expect(served.clock.timers).toBe(0);
  });

  it('shows another certificate, once it has one, to whoever connects from then on', async () => {
    const about = { subject: 'next', names: ['127.0.0.1'], now: Date.now(), validMilliseconds: 3_600_000 };
    const next = selfSigned(about);
    expect(await ask('/quick', false)).toBe('"asked"');
    served.server.show(next);
    expect(await ask('/quick', false, '"asked"', next.cert)).toBe('"asked"');
    await expect(ask('/quick', false)).rejects.toThrow('self-signed certificate');
  });

  it('gives whole numbers back as they came that JavaScript does not have', async () => {
    expect(await ask('/quick', served.agent, '[9007199254740993]')).toBe('[9007199254740993]');
  });

  it('is not held up by whoever sends a number of very many digits', async () => {
    const [digits, none] = ['7'.repeat(200_000), '0'.repeat(200_000)];
    const numbers = `[${digits}.5,${digits}e1,1.${none}5,9007199254740993]`;
    expect(await ask('/long', served.agent, numbers)).toBe('[null,null,1,9007199254740993]');
  });

  it('ends a review that is under way', async () => {
    const answer = ask('/slow');
    await eventually(() => expect(served.under).toBe(1));
    told();
    await served.clock.advance(3000);
    expect(await isOver()).toBe(false);
    served.decide();
    expect(await answer).toBe('"asked"');
    await served.server.ended;
  });

  it('waits no longer for one than for writes', async () => {
    const answer = ask('/slow');
    answer.catch(() => {});
    await eventually(() => expect(served.under).toBe(1));
    told();
    await served.clock.advance(4000);
    await served.server.ended;
    await expect(answer).rejects.toThrow();
  });
});

it('lets each review be followed, by the headers of its request, until it is answered', async () => {
  const followed: unknown[] = [];
  const isWithin = new AsyncLocalStorage<boolean>();
  const reviewing: Tracing['reviewing'] = (path, { traceparent }) => {
    followed.push([path, traceparent]);
    return { run: (body) => isWithin.run(true, body), ended: (code) => followed.push(code) };
  };
  const served = new ServedReviews(1);
  await served.start({
    reviews: { '/seen': { largest: 1000, answer: () => isWithin.getStore() ?? false } },
    room: 5000,
    tracing: { reviewing } as Tracing,
  });
  try {
    const ask = (path: string) =>
      new Promise<IncomingMessage>((resolve, reject) => {
        const headers = { traceparent: '00-1-2-01' };
        const options = { method: 'POST', ca: pair.cert, agent: served.agent, headers };
        request(`https://${served.server.address}${path}`, options, resolve).once('error', reject).end('{}');
      });
    expect(await text(await ask('/seen?timeout=10s'))).toBe('true');
    await text(await ask('/unknown'));
    expect(followed).toEqual([['/seen', '00-1-2-01'], 200]);
  } finally {
    await served.end();
  }
});

it('tells nobody of what is no review, or is broken off, of which there may be any number', async () => {
  const lines: string[] = [];
  const begun: string[] = [];
  const served = new ServedReviews(1);
  await served.start({
    reviews: {
      '/quick': { largest: 1000, answer: (body) => body },
      '/picky': { largest: 1000, takes: () => false, answer: () => Promise.reject(new Error('it was asked')) },
      '/wrong': { largest: 1000, answer: () => Promise.reject(new Error('a mistake of ours')) },
    },
    room: 5000,
    log: createLog({ level: 'debug', format: 'json', write: (line) => lines.push(line) }),
    tracing: {
      reviewing(path: string) {
        begun.push(path);
        return { run: (body) => body(), ended() {} };
      },
    } as Partial<Tracing> as Tracing,
  });
  const failures = () =>
    lines
      .map((line) => JSON.parse(line) as Record<string, string>)
      .filter(({ msg }) => msg === 'Failed to answer a review')
      .map(({ level, error }) => `${level} ${error}`);
  try {
    const ask = (path: string) =>
      request(`https://${served.server.address}${path}`, { method: 'POST', ca: pair.cert, agent: false });
    const broken = ask('/quick').on('error', () => {});
    broken.setHeader('content-length', '100');
    broken.write('{');
    // What was sent alone may be lost with its connection.
    await eventually(() => expect(begun).toEqual(['/quick']));
    broken.destroy();
    const codeOf = async (path: string) => {
      const answer = await new Promise<IncomingMessage>((resolve) => ask(path).once('response', resolve).end('{}'));
      answer.resume();
      return answer.statusCode;
    };
    expect(await codeOf('/picky')).toBe(400);
    expect(await codeOf('/wrong')).toBe(500);
    await eventually(() => expect(failures().sort()).toEqual(['debug aborted', 'error a mistake of ours']));
  } finally {
    await served.end();
  }
});
