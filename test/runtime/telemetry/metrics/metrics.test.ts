import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { connect, type HttpCluster } from '../../../../src/client/http-cluster.js';
import { systemClock } from '../../../../src/kube/clock.js';
import { LoopWatch } from '../../../../src/runtime/process/loop-watch.js';
import { Metrics } from '../../../../src/runtime/telemetry/metrics/metrics.js';
import { VirtualClock } from '../../../../src/testing/virtual-clock.js';
import { runBundled } from '../../process/run-bundled.js';
import { parseExposition, sampleOf } from './exposition.js';

const host = 'api:6443';
const told = async (metrics: Metrics) => parseExposition(await metrics.text());

describe('metrics of requests', () => {
  let server: Server;
  let cluster: HttpCluster;
  let metrics: Metrics;
  let codes: number[];

  beforeEach(async () => {
    codes = [];
    server = createServer((_, response) => {
      const code = codes.shift();
      if (code === undefined) response.destroy();
      else response.writeHead(code, { 'content-type': 'application/json' }).end('{}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    metrics = new Metrics({ clock: systemClock, apiServer: host });
    cluster = connect(
      {
        server: `http://127.0.0.1:${port}`,
        namespace: 'default',
        tls: async () => ({}),
        authorization: async () => undefined,
      },
      { observe: metrics.observe },
    );
  });
  afterEach(async () => {
    await cluster.close();
    server.closeAllConnections();
    server.close();
  });

  it('count each try by itself, with the code of its answer, or as never answered', async () => {
    codes = [200, 500, 503];
    await cluster.request('GET', '/version');
    await cluster.request('DELETE', '/api/x').catch(() => {});
    await cluster.request('POST', '/api/x').catch(() => {});
    await cluster.request('PUT', '/api/x').catch(() => {});
    const families = await told(metrics);
    const count = (code: string, method: string) =>
      sampleOf(families, 'rest_client_requests_total', { code, method, host });
    expect([count('200', 'GET'), count('500', 'DELETE'), count('503', 'POST'), count('<error>', 'PUT')]).toEqual([
      1, 1, 1, 1,
    ]);
    expect(sampleOf(families, 'rest_client_request_duration_seconds_count', { verb: 'GET', host })).toBe(1);
  });
});

describe('metrics', () => {
  let clock: VirtualClock;
  let metrics: Metrics;
  beforeEach(() => {
    clock = new VirtualClock();
    metrics = new Metrics({ clock, apiServer: host });
  });

  it('say who leads, at the moment at which they are read', async () => {
    let leads = false;
    metrics.leadership('memcached-operator', () => leads);
    const read = async () =>
      sampleOf(await told(metrics), 'leader_election_master_status', { name: 'memcached-operator' });
    expect(await read()).toBe(0);
    leads = true;
    expect(await read()).toBe(1);
  });

  it('say how late the event loop is', async () => {
    const loop = new LoopWatch(clock);
    const stop = new AbortController();
    loop.start(stop.signal);
    metrics.loop(loop);
    await clock.advance(3000);
    clock.leap(3000);
    await clock.advance(0);
    const families = await told(metrics);
    expect(sampleOf(families, 'nodejs_eventloop_lag_seconds')).toBe(2);
    expect(sampleOf(families, 'kilter_event_loop_delay_seconds_count')).toBe(4);
    expect(sampleOf(families, 'kilter_event_loop_delay_seconds_bucket', { le: '1' })).toBe(3);
    expect(sampleOf(families, 'kilter_event_loop_delay_seconds_sum')).toBe(2);
    stop.abort();
  });

  it('say of the process what those of any language say', async () => {
    const families = await told(metrics);
    expect(sampleOf(families, 'process_resident_memory_bytes')).toBeGreaterThan(10e6);
    expect(sampleOf(families, 'process_cpu_seconds_total')).toBeGreaterThan(0);
    // By which somebody is warned who runs out of them.
    const [open, most] = ['process_open_fds', 'process_max_fds'].map((name) => sampleOf(families, name));
    expect(most).toBeGreaterThan(open!);
    const { version } = process;
    expect(families.find(({ name }) => name === 'kilter_build_info')?.samples[0]?.labels).toMatchObject({
      node: version,
    });
    const again = sampleOf(await told(metrics), 'process_cpu_seconds_total') ?? 0;
    expect(again).toBeGreaterThanOrEqual(sampleOf(families, 'process_cpu_seconds_total') ?? 0);
  });

  it('are told while no file can be opened, and that there is none left', async () => {
    const source = `
      import { openSync } from 'node:fs';
      import { systemClock } from './src/kube/clock.ts';
      import { Metrics } from './src/runtime/telemetry/metrics/metrics.ts';
      const metrics = new Metrics({ clock: systemClock, apiServer: 'a:1' });
      await metrics.text();
      try {
        for (;;) openSync('/dev/null');
      } catch {}
      process.stdout.write(await metrics.text());
    `;
    const families = parseExposition(await runBundled(source, [], 64));
    const values = ['process_open_fds', 'process_max_fds'].map((name) => sampleOf(families, name));
    expect(values).toEqual([64, 64]);
    expect(sampleOf(families, 'process_resident_memory_bytes')).toBeGreaterThan(10e6);
    expect(sampleOf(families, 'nodejs_heap_size_used_bytes')).toBeGreaterThan(1e6);
  });

  it('of a controller are there, at zero, before anything happens', async () => {
    const facts = {
      kind: 'Cache',
      workers: 4,
      depth: () => 0,
      customResources: () => new Map(),
      children: () => new Map(),
      rolloutWaiting: () => 3,
    };
    metrics.controller('memcached', facts);
    const families = await told(metrics);
    const controller = 'memcached';
    for (const result of ['success', 'error', 'requeue', 'requeue_after']) {
      expect(sampleOf(families, 'controller_runtime_reconcile_total', { controller, result })).toBe(0);
    }
    expect(sampleOf(families, 'controller_runtime_reconcile_time_seconds_count', { controller })).toBe(0);
    expect(sampleOf(families, 'workqueue_adds_total', { name: controller, controller })).toBe(0);
    expect(sampleOf(families, 'kilter_rollout_waiting', { controller })).toBe(3);
  });

  it.each([
    [{ type: 'done' }, 'success', 0, 0],
    [{ type: 'gone' }, 'success', 0, 0],
    [{ type: 'done', againAfterMilliseconds: 5 }, 'requeue_after', 0, 0],
    [{ type: 'wait', milliseconds: 5, because: '' }, 'requeue_after', 0, 0],
    [{ type: 'retry', because: '' }, 'requeue', 0, 0],
    [{ type: 'retry', because: '', failure: 'transient' }, 'error', 0, 0],
    [{ type: 'wait', milliseconds: 5, because: '', failure: 'transient' }, 'error', 0, 0],
    [{ type: 'done', failure: 'terminal' }, 'error', 1, 0],
    ['thrown', 'error', 0, 1],
  ] as const)('count the outcome %j as %s', async (outcome, result, terminal, panics) => {
    const facts = {
      kind: 'Cache',
      workers: 1,
      depth: () => 0,
      customResources: () => new Map(),
      children: () => new Map(),
      rolloutWaiting: () => 3,
    };
    const controller = 'c';
    const round = metrics.controller(controller, facts).reconciling();
    await clock.advance(300);
    round.ended(outcome);
    const families = await told(metrics);
    const value = (name: string, labels = {}) =>
      sampleOf(families, `controller_runtime_${name}`, { controller, ...labels });
    expect(value('reconcile_total', { result })).toBe(1);
    expect(value('reconcile_errors_total')).toBe(result === 'error' ? 1 : 0);
    expect(value('terminal_reconcile_errors_total')).toBe(terminal);
    expect(value('reconcile_panics_total')).toBe(panics);
    expect(value('reconcile_time_seconds_sum')).toBeCloseTo(0.3);
  });

  it('of a webhook are there, at zero, before anybody asks, and count each review by the code of its answer', async () => {
    const webhook = '/convert';
    const told = metrics.webhook(webhook);
    const read = async (name: string, labels = {}) =>
      sampleOf(parseExposition(await metrics.text()), `controller_runtime_webhook_${name}`, labels);
    for (const code of ['200', '500']) expect(await read('requests_total', { webhook, code })).toBe(0);
    expect(await read('latency_seconds_count', { webhook })).toBe(0);

    const [first, second] = [told.reviewing(), told.reviewing()];
    expect(await read('requests_in_flight', { webhook })).toBe(2);
    await clock.advance(300);
    first.ended(200, false);
    second.ended(500, true);
    expect(await read('requests_in_flight', { webhook })).toBe(0);
    for (const code of ['200', '500']) expect(await read('requests_total', { webhook, code })).toBe(1);
    expect(await read('latency_seconds_sum', { webhook })).toBeCloseTo(0.6);
    expect(await read('panics_total')).toBe(1);
  });
});
