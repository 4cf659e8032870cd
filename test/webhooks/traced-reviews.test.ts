import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { context, diag, propagation, trace } from '@opentelemetry/api';
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';
import type { Cluster } from '../../src/client/cluster.js';
import { Breather } from '../../src/runtime/process/breather.js';
import { silentTelemetry } from '../../src/runtime/telemetry/telemetry.js';
import { Traces } from '../../src/runtime/telemetry/traces/traces.js';
import { LineLog, type LogLine } from '../../src/testing/line-log.js';
import { VirtualClock } from '../../src/testing/virtual-clock.js';
import { runWebhooks } from '../../src/webhooks/run-webhooks.js';
import { Cache } from '../resource/a-kind-of-versions.js';
import { pair } from './served-reviews.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kilter-webhooks-'));
  writeFileSync(join(folder, 'tls.crt'), pair.cert);
  writeFileSync(join(folder, 'tls.key'), pair.key);
});
afterEach(() => {
  for (const each of [trace, context, propagation, diag]) each.disable();
  rmSync(folder, { recursive: true, force: true });
});

it('a review that a controller answers is part of the trace of the API server, and what is computed part of it', async () => {
  const memory = new InMemorySpanExporter();
  const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(memory)] });
  provider.register();
  const clock = new VirtualClock();
  const lines: LogLine[] = [];
  const stop = new AbortController();
  const { ended } = await runWebhooks(
    {
      kinds: [Cache],
      // A certificate that somebody else makes needs none.
      cluster: {} as Cluster,
      clock,
      random: () => 0,
      log: new LineLog(lines, clock),
      telemetry: silentTelemetry,
      tracing: new Traces({ tracer: provider.getTracer('test'), server: 'https://api.example.com' }),
      namespace: 'home',
      name: 'cache-webhook',
      address: '127.0.0.1:0',
      limit: (_, body) => body(),
      breather: new Breather({ clock }),
      certificateFolder: folder,
    },
    stop.signal,
  );

  const address = lines.find(({ message }) => message === 'Serving webhooks')?.data['address'];
  const old = { apiVersion: Cache.apiVersion, kind: 'Cache', metadata: { name: 'a' }, spec: { size: 3 } };
  const asked = { uid: '1', desiredAPIVersion: `${Cache.group}/v1beta1`, objects: [old] };
  const headers = { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' };
  const answer = await new Promise<string>((resolve, reject) => {
    const options = { method: 'POST', ca: pair.cert, headers, agent: false } as const;
    request(`https://${address}/convert`, options, (response) => resolve(text(response)))
      .once('error', reject)
      .end(JSON.stringify({ apiVersion: 'apiextensions.k8s.io/v1', kind: 'ConversionReview', request: asked }));
  });
  stop.abort(new Error('the test is over'));
  await clock.advance(10_000);
  await ended;

  expect(JSON.parse(answer)).toMatchObject({ response: { convertedObjects: [{ spec: { replicas: 3 } }] } });
  const span = (name: string) => memory.getFinishedSpans().find((each) => each.name === name);
  const review = span('POST /convert');
  expect(review).toMatchObject({
    parentSpanContext: { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' },
    attributes: { 'http.response.status_code': 200 },
  });
  expect(span('a conversion')?.parentSpanContext?.spanId).toBe(review?.spanContext().spanId);
});
