import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';

/** A span as OTLP has it in JSON: https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding */
export interface CollectedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly status: { readonly code?: number; readonly message?: string };
  readonly attributes: readonly Attribute[];
}

interface Attribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

interface Exported {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly CollectedSpan[] }[];
  }[];
}

/** Stands in for a collector of OpenTelemetry, behind HTTP on loopback. */
export class Collector {
  readonly requests: {
    readonly path: string;
    readonly headers: IncomingHttpHeaders;
    readonly body: Buffer;
    /** That of the answer. */
    readonly code: number;
  }[] = [];
  /** Answers with this code. */
  code = 200;
  /** And with this. */
  answer = '{}';
  readonly #server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const { url: path = '', headers } = incoming;
    const sent = Buffer.concat(chunks);
    const body = headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent;
    this.requests.push({ path, headers, body, code: this.code });
    outgoing.writeHead(this.code, { 'content-type': 'application/json' }).end(this.answer);
  });

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** What came as JSON. */
  get spans(): readonly CollectedSpan[] {
    return this.#exported.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans));
  }

  /** Of whom spans came. */
  get resources(): readonly Readonly<Record<string, unknown>>[] {
    return this.#exported.map(({ resource }) => valuesOf(resource));
  }

  get #exported() {
    return this.requests.flatMap(({ body }) => (JSON.parse(body.toString()) as Exported).resourceSpans);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

export function valuesOf({ attributes }: { readonly attributes: readonly Attribute[] }): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, plain(value)]));
}

function plain(value: Readonly<Record<string, unknown>>): unknown {
  const [[type, inner] = ['', undefined]] = Object.entries(value);
  return type === 'arrayValue' ? (inner as { values: Record<string, unknown>[] }).values.map(plain) : inner;
}
