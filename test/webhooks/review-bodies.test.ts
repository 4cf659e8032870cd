import { once } from 'node:events';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { connect } from 'node:tls';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../cluster/eventually.js';
import { ServedReviews } from './served-reviews.js';

/** Of memory, of which a byte of text takes five. */
const room = 5000;
const largest = 400;

describe('a server of webhooks', () => {
  let served: ServedReviews;
  beforeEach(async () => {
    served = new ServedReviews(4);
    const answer = served.held;
    const reviews = { '/held': { largest, answer }, '/any': { largest: Number.POSITIVE_INFINITY, answer } };
    await served.start({ reviews, room });
  });
  afterEach(() => served.end());

  /** A request that was begun, and its answer. */
  const begin = (headers: Record<string, string | number>, path = '/held'): [ClientRequest, Promise<string>] => {
    const asked = request(`https://${served.server.address}${path}`, { method: 'POST', agent: served.agent, headers });
    const answer = new Promise<string>((resolve, reject) => {
      asked.once('error', reject).once('response', (response: IncomingMessage) => {
        response.resume().once('end', () => {
          resolve([response.statusCode, response.headers['retry-after']].filter(Boolean).join(' '));
        });
      });
    });
    answer.catch(() => {});
    return [asked, answer];
  };
  const ask = (body: string, path?: string) => {
    const [asked, answer] = begin({ 'content-length': Buffer.byteLength(body) }, path);
    asked.end(body);
    return answer;
  };
  const textOf = (length: number) => `"${'x'.repeat(length - 2)}"`;

  it('refuses what is too large before it comes, where its length is told', async () => {
    const [asked, answer] = begin({ 'content-length': largest + 1 });
    asked.flushHeaders();
    expect(await answer).toBe('413');
  });

  it('takes the rest of what it has refused, so that no reset overtakes the answer', async () => {
    const size = 8 * 1024 * 1024;
    const { hostname, port } = new URL(`https://${served.server.address}`);
    const socket = connect({ host: hostname, port: Number(port), rejectUnauthorized: false });
    const errors: Error[] = [];
    socket.on('error', (error) => errors.push(error));
    const closed = once(socket, 'close');
    socket.write(`POST /held HTTP/1.1\r\nhost: any\r\ncontent-length: ${size}\r\n\r\n`);
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1.1 413 /);
    socket.resume();
    for (let written = 0; written < size; written += 65536) {
      if (!socket.write('x'.repeat(65536))) await Promise.race([once(socket, 'drain'), closed]);
    }
    await closed;
    expect(errors).toEqual([]);
    expect(socket.bytesWritten).toBeGreaterThan(size);
  });

  it('refuses what turns out to be too large', async () => {
    const [asked, answer] = begin({ 'transfer-encoding': 'chunked' });
    asked.end(textOf(largest + 1));
    expect(await answer).toBe('413');
    expect(served.under).toBe(0);
  });

  it.each([
    ['is longer than all that may be read at once', textOf(room / 5 + 1)],
    ['would take more memory than that once it is parsed', JSON.stringify(Array.from({ length: 100 }, () => ({})))],
  ])('refuses what %s', async (_, body) => {
    expect(await ask(body, '/any')).toBe('413');
    expect(served.under).toBe(0);
  });

  it.each(['content-length', 'transfer-encoding'])(
    'puts off what has no room beside what is under way, and takes it after that: %s',
    async (header) => {
      const held = [ask(textOf(largest)), ask(textOf(largest))];
      await eventually(() => expect(served.under).toBe(2));
      const [asked, answer] = begin({ [header]: header === 'content-length' ? largest : 'chunked' });
      asked.end(textOf(largest));
      expect(await answer).toBe('503 1');
      expect(asked.socket?.destroyed).toBe(false);
      served.decide();
      expect(await Promise.all(held)).toEqual(['200', '200']);
      expect(await Promise.all([ask(textOf(largest)), ask(textOf(largest))])).toEqual(['200', '200']);
    },
  );

  it('keeps no room for what does not come to its end', async () => {
    served.decide();
    for (let attempt = 0; attempt < 3; attempt++) {
      const [asked, answer] = begin({ 'content-length': largest });
      asked.write(textOf(largest).slice(1));
      asked.once('socket', (socket) => socket.once('secureConnect', () => setImmediate(() => asked.destroy())));
      await expect(answer).rejects.toThrow();
    }
    await eventually(async () => {
      expect(await Promise.all([ask(textOf(largest)), ask(textOf(largest))])).toEqual(['200', '200']);
    });
  });
});
