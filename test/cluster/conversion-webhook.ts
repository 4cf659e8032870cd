import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { loopbackCertificates } from '../../src/embedded/http/certificates.js';

/**
 * How a conversion webhook answers: well, not at all, much too late, with less than it was given, about something else, with another
 * object, that it cannot, or with an error of HTTP.
 */
export type Manner = 'faithful' | 'down' | 'silent' | 'lossy' | 'of another uid' | 'renaming' | 'refusing' | 'broken';

interface Review {
  readonly request: {
    readonly uid: string;
    readonly desiredAPIVersion: string;
    readonly objects: readonly { readonly metadata?: object; readonly spec?: Readonly<Record<string, unknown>> }[];
  };
}

/** A conversion webhook between versions that differ in nothing but their name, and what may be wrong with one. */
export class ConversionWebhook {
  manner: Manner = 'faithful';
  readonly #certificates: ReturnType<typeof loopbackCertificates>;
  readonly #server: Server;
  #waiting: (() => void)[] = [];

  private constructor(now: number) {
    this.#certificates = loopbackCertificates(now);
    const { certificate, key } = this.#certificates;
    this.#server = createServer({ cert: certificate, key }, async (incoming, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk);
      if (this.manner === 'down') return void incoming.socket.destroy();
      if (this.manner === 'silent') await new Promise<void>((resolve) => this.#waiting.push(resolve));
      const { request } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Review;
      const convertedObjects = request.objects.map((object) => this.#converted(object, request.desiredAPIVersion));
      if (this.manner === 'broken') return void response.writeHead(500).end('out of memory');
      const uid = this.manner === 'of another uid' ? 'another' : request.uid;
      const answer =
        this.manner === 'refusing'
          ? { uid, result: { status: 'Failure', message: 'no such shape' } }
          : { uid, result: { status: 'Success' }, convertedObjects };
      response.setHeader('content-type', 'application/json');
      const review = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'ConversionReview', response: answer };
      response.end(JSON.stringify(review));
    });
  }

  /** With a certificate of `now`. */
  static async start(now = Date.now()): Promise<ConversionWebhook> {
    const webhook = new ConversionWebhook(now);
    webhook.#server.listen(0, '127.0.0.1');
    await once(webhook.#server, 'listening');
    return webhook;
  }

  /** For `spec.conversion` of a CustomResourceDefinition. */
  get conversion(): object {
    const { port } = this.#server.address() as AddressInfo;
    const caBundle = Buffer.from(this.#certificates.ca).toString('base64');
    const clientConfig = { url: `https://127.0.0.1:${port}/`, caBundle };
    return { strategy: 'Webhook', webhook: { conversionReviewVersions: ['v1'], clientConfig } };
  }

  /** How many are waiting for an answer. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Answers well from now on, and what it has kept waiting. */
  recover(): void {
    this.manner = 'faithful';
    for (const answer of this.#waiting.splice(0)) answer();
  }

  async close(): Promise<void> {
    this.recover();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #converted({ spec, ...object }: Review['request']['objects'][number], apiVersion: string): object {
    if (this.manner === 'renaming')
      return { ...object, metadata: { ...object.metadata, name: 'another' }, spec, apiVersion };
    if (this.manner !== 'lossy') return { ...object, ...(spec ? { spec } : {}), apiVersion };
    const { note: _, ...kept } = spec ?? {};
    return { ...object, spec: kept, apiVersion };
  }
}
