import { Agent } from 'node:https';
import { silentLog } from '../../src/runtime/telemetry/log.js';
import { silentTelemetry } from '../../src/runtime/telemetry/telemetry.js';
import { VirtualClock } from '../../src/testing/virtual-clock.js';
import { selfSigned } from '../../src/tls/self-signed.js';
import { WebhookServer, type WebhookServerOptions } from '../../src/webhooks/webhook-server.js';

/** A server of webhooks, some of whose reviews take until they are decided, and an agent that keeps connections to it. */
export class ServedReviews {
  readonly clock = new VirtualClock();
  readonly stop = new AbortController();
  readonly agent: Agent;
  /** Ends the reviews that are under way, and those that come. */
  decide = () => {};
  /** How many reviews were begun. */
  under = 0;
  readonly #decided = new Promise<void>((resolve) => {
    this.decide = resolve;
  });
  #server: WebhookServer | undefined;

  constructor(maxSockets: number) {
    this.agent = new Agent({ ca: pair.cert, keepAlive: true, maxSockets });
  }

  get server(): WebhookServer {
    if (!this.#server) throw new Error('it is not started yet');
    return this.#server;
  }

  /** Answers with what it was asked, once it is decided. */
  readonly held = async (body: unknown): Promise<unknown> => {
    this.under++;
    await this.#decided;
    return body;
  };

  async start(
    options: Pick<WebhookServerOptions, 'reviews' | 'room'> & Partial<Pick<WebhookServerOptions, 'log' | 'tracing'>>,
  ): Promise<void> {
    const about = { log: silentLog, telemetry: silentTelemetry, tracing: undefined, clock: this.clock };
    this.#server = await WebhookServer.start({ address: '127.0.0.1:0', pair, ...about, ...options }, this.stop.signal);
  }

  async end(): Promise<void> {
    this.agent.destroy();
    this.stop.abort(new Error('the test is over'));
    this.decide();
    await this.clock.advance(10_000);
    await this.server.ended;
  }
}

export const pair = selfSigned({
  subject: 'webhooks',
  names: ['127.0.0.1'],
  now: Date.now(),
  validMilliseconds: 3_600_000,
});
