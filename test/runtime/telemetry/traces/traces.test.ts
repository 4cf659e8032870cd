import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { context, diag, propagation, SpanStatusCode, trace } from '@opentelemetry/api';
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';
import { AuthorTurn } from '../../../../src/runtime/author/author-turn.js';
import { timeLimit } from '../../../../src/runtime/author/time-limit.js';
import type { Outcome } from '../../../../src/runtime/outcome.js';
import { Breather } from '../../../../src/runtime/process/breather.js';
import { processHeap } from '../../../../src/runtime/process/give-back-memory.js';
import { silentLog } from '../../../../src/runtime/telemetry/log.js';
import { Traces } from '../../../../src/runtime/telemetry/traces/traces.js';
import { VirtualClock } from '../../../../src/testing/virtual-clock.js';

const run = { operator: 'cache', kind: 'Cache', namespace: 'default', name: 'a', reasons: ['Cache added'], id: 'r-1' };
const asked = {
  method: 'PATCH',
  path: '/a?force=true',
  asked: { subject: 'Cache/default/a', verb: 'apply' },
  tries: 1,
};

describe('spans', () => {
  const memory = new InMemorySpanExporter();
  let traces: Traces;
  beforeEach(() => {
    const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(memory)] });
    provider.register();
    traces = new Traces({ tracer: provider.getTracer('test'), server: 'https://[fd00::1]' });
  });
  afterEach(() => {
    memory.reset();
    for (const each of [trace, context, propagation, diag]) each.disable();
  });
  const span = (name: string) => memory.getFinishedSpans().find((each) => each.name === name)!;
  const done: Outcome = { type: 'done' };

  it('of a round tell how it ended', async () => {
    const failed: Outcome = { type: 'retry', because: 'tried again', failure: 'transient' };
    expect(await traces.round(run, async () => failed)).toBe(failed);
    const { attributes, status } = span('reconcile Cache');
    expect(status).toEqual({ code: SpanStatusCode.ERROR });
    expect(attributes).toEqual({
      'kilter.operator': 'cache',
      'kilter.kind': 'Cache',
      'k8s.namespace.name': 'default',
      'kilter.name': 'a',
      'kilter.reasons': ['Cache added'],
      'kilter.reconcile_id': 'r-1',
      'kilter.outcome': 'retry',
      'kilter.next': 'tried again',
      'error.type': 'transient',
    });
  });

  it('end, and quote nothing, when a round throws', async () => {
    const thrown = new Error('hunter2');
    const cluster = { ...run, namespace: undefined };
    await expect(traces.round(cluster, () => Promise.reject(thrown))).rejects.toBe(thrown);
    const { attributes, status, events } = span('reconcile Cache');
    expect(attributes).toMatchObject({ 'error.type': 'thrown' });
    expect(attributes).not.toHaveProperty('k8s.namespace.name');
    expect({ status, events }).toEqual({ status: { code: SpanStatusCode.ERROR }, events: [] });
  });

  it('of calls are part of what asks, and of nothing once that is over', async () => {
    expect(traces.call(asked)).toBeUndefined();
    let late: Promise<unknown> = Promise.resolve();
    let goOn = () => {};
    const over = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    await traces.round(run, async () => {
      late = over.then(() => traces.call(asked));
      await Promise.resolve();
      const first = traces.call(asked)!;
      expect(first.headers['traceparent']).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
      first.ended(409);
      traces.call({ ...asked, tries: 2 })!.ended(undefined);
      return done;
    });
    goOn();
    expect(await late).toBeUndefined();
    const round = span('reconcile Cache');
    const calls = memory.getFinishedSpans().filter(({ name }) => name === 'apply Cache');
    expect(calls.map(({ parentSpanContext }) => parentSpanContext?.spanId)).toEqual([
      round.spanContext().spanId,
      round.spanContext().spanId,
    ]);
    expect(calls.map(({ attributes }) => attributes)).toEqual([
      {
        'server.address': 'fd00::1',
        'server.port': 443,
        'http.request.method': 'PATCH',
        'url.path': '/a',
        'kilter.object': 'Cache/default/a',
        'http.response.status_code': 409,
        'error.type': '409',
      },
      expect.objectContaining({ 'http.request.resend_count': 1, 'error.type': 'unanswered' }),
    ]);
  });

  it("of an author's function end when it is ended, and leave nothing active behind", async () => {
    const clock = new VirtualClock();
    const turn = new AuthorTurn({ breather: new Breather({ clock }), clock, log: silentLog, tracing: traces });
    const limit = timeLimit(50);
    const what = { function: 'compose', namespace: 'default', name: 'a', rejected: () => {} };
    const forever = () => {
      for (;;);
    };
    await traces.round(run, async () => {
      const inTheRound = trace.getActiveSpan();
      expect(() =>
        turn.take(() =>
          limit(
            () => 'compose',
            () => turn.run(what, forever),
          ),
        ),
      ).toThrow('compose');
      expect(trace.getActiveSpan()).toBe(inTheRound);
      turn.take(() => turn.run({ ...what, function: 'status' }, () => {}));
      return done;
    });
    const parent = span('reconcile Cache').spanContext().spanId;
    expect(span('compose')).toMatchObject({
      parentSpanContext: { spanId: parent },
      status: { code: SpanStatusCode.ERROR },
    });
    expect(span('status').status).toEqual({ code: SpanStatusCode.UNSET });
    expect(span('status').attributes).toEqual({
      'code.function.name': 'status',
      'k8s.namespace.name': 'default',
      'kilter.name': 'a',
    });
  });

  it('of what is asked outside tell where, and no more', async () => {
    const requests: Request[] = [];
    const fetch = traces.fetching(async (input, init) => {
      const request = new Request(input, init);
      requests.push(request);
      if (request.url.endsWith('/down')) throw new TypeError('fetch failed');
      return new Response('no', { status: 503 });
    });
    const what = { function: 'booking', namespace: 'default', name: 'a' };
    const stop = new AbortController();
    await traces.outside(what, async () => {
      const init = { method: 'POST', body: '{}', headers: { 'x-key': 'k' }, signal: stop.signal };
      expect((await fetch('https://bookings:8443/v1?token=hunter2', init)).status).toBe(503);
      await expect(fetch(new URL('http://bookings/down'))).rejects.toThrow('fetch failed');
    });
    const [posted] = requests as [Request];
    expect(posted.headers.get('x-key')).toBe('k');
    expect(posted.headers.get('traceparent')).toContain(span('POST').spanContext().spanId);
    expect(await posted.text()).toBe('{}');
    stop.abort();
    expect(posted.signal.aborted).toBe(true);
    expect(span('POST').parentSpanContext?.spanId).toBe(span('external booking').spanContext().spanId);
    expect(span('POST').attributes).toEqual({
      'server.address': 'bookings',
      'server.port': 8443,
      'http.request.method': 'POST',
      'http.response.status_code': 503,
      'error.type': '503',
    });
    expect(span('GET').attributes).toMatchObject({ 'server.port': 80, 'error.type': 'unanswered' });
  });

  it('of what never ends outside end with their round, and once', async () => {
    const complaints: unknown[] = [];
    const complain = (complaint: unknown) => complaints.push(complaint);
    diag.setLogger({ error: complain, warn: complain, info() {}, debug() {}, verbose() {} });
    let goOn = () => {};
    let late: Promise<void> = Promise.resolve();
    await traces.round(run, async () => {
      const over = new Promise<void>((_, reject) => {
        goOn = () => reject(new Error('late'));
      });
      late = traces.outside({ function: 'booking', namespace: 'default', name: 'a' }, () => over);
      return done;
    });
    expect(span('external booking')).toMatchObject({
      parentSpanContext: { spanId: span('reconcile Cache').spanContext().spanId },
      attributes: { 'error.type': 'given up' },
    });
    goOn();
    await expect(late).rejects.toThrow('late');
    expect(memory.getFinishedSpans()).toHaveLength(2);
    expect(complaints).toEqual([]);
  });

  it('keep no answer that is read from ending with its call', async () => {
    const server = createServer((_, response) => response.writeHead(200).write('begun'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const stop = new AbortController();
    const response = await traces.fetching(fetch)(`http://127.0.0.1:${port}`, { signal: stop.signal });
    const read = response.text();
    for (let times = 0; times < 10; times++) {
      await new Promise(setImmediate);
      processHeap().collect();
    }
    stop.abort(new Error('over'));
    await expect(read).rejects.toThrow('over');
    server.closeAllConnections();
    server.close();
  });

  it('of reviews go on with those of the API server', () => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const review = traces.reviewing('/mutate', { traceparent });
    const { trace_id: within } = review.run(() => traces.ids()) as Record<string, string>;
    review.ended(200);
    traces.reviewing('/validate', {}).ended(500);
    expect(within).toBe('0af7651916cd43dd8448eb211c80319c');
    expect(span('POST /mutate')).toMatchObject({
      parentSpanContext: { spanId: 'b7ad6b7169203331' },
      status: { code: SpanStatusCode.UNSET },
      attributes: { 'http.route': '/mutate', 'http.response.status_code': 200 },
    });
    expect(span('POST /validate')).toMatchObject({
      parentSpanContext: undefined,
      status: { code: SpanStatusCode.ERROR },
    });
  });

  it('are nothing to a log where nothing is followed, or kept', () => {
    expect(traces.ids()).toEqual({});
    const left = traces.reviewing('/mutate', {
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00',
    });
    expect(left.run(() => traces.ids())).toEqual({});
    left.ended(200);
  });
});
