import { Agent, request } from 'node:https';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { silentLog } from '../../src/runtime/log.js';
import { silentTelemetry } from '../../src/runtime/telemetry.js';
import { VirtualClock } from '../../src/testing/virtual-clock.js';
import { selfSigned } from '../../src/tls/self-signed.js';
import { WebhookServer } from '../../src/webhooks/webhook-server.js';
import { eventually } from '../cluster/eventually.js';

describe('a server of webhooks that is told to end', () => {
  const pair = selfSigned({ subject: 'webhooks', names: ['127.0.0.1'], now: Date.now(), validMilliseconds: 3_600_000 });
  let clock: VirtualClock;
  let stop: AbortController;
  let server: WebhookServer;
  let agent: Agent;
  /** Ends the reviews that take long. */
  let decide: () => void;
  let under: number;
  beforeEach(async () => {
    clock = new VirtualClock();
    stop = new AbortController();
    // As the API server does, over connections that are kept.
    agent = new Agent({ ca: pair.cert, keepAlive: true, maxSockets: 1 });
    under = 0;
    const decided = new Promise<void>((resolve) => {
      decide = resolve;
    });
    const slow = async (body: unknown) => {
      under++;
      await decided;
      return body;
    };
    const about = { log: silentLog, telemetry: silentTelemetry, clock };
    const reviews = { '/quick': (body: unknown) => body, '/slow': slow };
    server = await WebhookServer.start({ address: '127.0.0.1:0', pair, reviews, ...about }, stop.signal);
  });
  afterEach(async () => {
    agent.destroy();
    stop.abort(new Error('the test is over'));
    decide();
    await clock.advance(10_000);
    await server.ended;
  });

  const ask = (path: string, by: Agent | false = agent): Promise<string> =>
    new Promise((resolve, reject) => {
      const options = { method: 'POST', ca: pair.cert, agent: by };
      const asked = request(`https://${server.address}${path}`, options, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => {
          text += part;
        });
        response.once('end', () => resolve(text)).once('error', reject);
      });
      asked.once('error', reject).end('"asked"');
    });
  const told = () => stop.abort(new Error('stopped'));
  const isOver = () => Promise.race([server.ended.then(() => true), new Promise((go) => setImmediate(go, false))]);

  it('answers for a moment whoever does not know it yet', async () => {
    expect(await ask('/quick')).toBe('"asked"');
    told();
    await clock.advance(1900);
    expect(await ask('/quick')).toBe('"asked"');
    expect(await ask('/quick', false)).toBe('"asked"');
    await clock.advance(100);
    await server.ended;
    await expect(ask('/quick', false)).rejects.toThrow('ECONNREFUSED');
    expect(clock.timers).toBe(0);
  });

  it('ends a review that is under way', async () => {
    const answer = ask('/slow');
    await eventually(() => expect(under).toBe(1));
    told();
    await clock.advance(3000);
    expect(await isOver()).toBe(false);
    decide();
    expect(await answer).toBe('"asked"');
    await server.ended;
  });

  it('waits no longer for one than for writes', async () => {
    const answer = ask('/slow');
    answer.catch(() => {});
    await eventually(() => expect(under).toBe(1));
    told();
    await clock.advance(4000);
    await server.ended;
    await expect(answer).rejects.toThrow();
  });
});
