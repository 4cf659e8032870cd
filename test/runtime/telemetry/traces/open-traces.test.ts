import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { trace } from '@opentelemetry/api';
import type { SpanExporter } from '@opentelemetry/sdk-trace-node';
import { systemClock } from '../../../../src/kube/clock.js';
import { type OpenTraces, openTraces } from '../../../../src/runtime/telemetry/traces/open-traces.js';
import { ToldExporter } from '../../../../src/runtime/telemetry/traces/told-exporter.js';
import { LineLog, type LogLine } from '../../../../src/testing/line-log.js';
import { eventually } from '../../../cluster/eventually.js';
import { Collector } from './collector.js';

describe('the export of traces', () => {
  const before = process.env;
  let collector: Collector;
  let opened: OpenTraces | undefined;
  let lines: LogLine[];
  beforeEach(async () => {
    lines = [];
    collector = new Collector();
    await collector.start();
  });
  afterEach(async () => {
    await opened?.end();
    await collector.close();
    process.env = before;
  });
  const open = (env: Readonly<Record<string, string>>): void => {
    process.env = { ...before, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_SCHEDULE_DELAY: '1', ...env };
    opened = openTraces({
      protocol: 'http/json',
      log: new LineLog(lines, systemClock),
      service: 'test',
      instance: 'pod-1',
      pod: undefined,
      namespace: undefined,
      server: 'https://api.example.com',
    });
  };
  const end = (spans: number): void => {
    for (let span = 0; span < spans; span++) trace.getTracer('test').startSpan('work').end();
  };
  const told = (message: string) => lines.filter((line) => line.message === message).map(({ data }) => data);

  it('tells what was lost with what found no room meanwhile, and that once', async () => {
    open({ OTEL_BSP_MAX_QUEUE_SIZE: '2', OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '1' });
    collector.code = 400;
    for (const spans of [1, 20, 20, 1]) {
      const { length } = collector.requests;
      end(spans);
      await eventually(() => expect(collector.requests.length).toBeGreaterThan(length));
      await eventually(() => expect(told('Failed to export traces')).toHaveLength(1));
    }
    collector.code = 200;
    end(1);
    await eventually(() => {
      const exported = collector.requests.filter(({ code }) => code === 200);
      expect(told('Exported traces again')).toEqual([{ lost: 1 + 20 + 20 + 1 + 1 - exported.length }]);
    });
    expect(told('Noticed trouble with traces')).toEqual([]);
  });

  it('tells once, and in full, of what a collector says of each batch', async () => {
    open({});
    collector.answer = '{"partialSuccess":{"rejectedSpans":"1","errorMessage":"too many attributes"}}';
    for (let batch = 1; batch <= 3; batch++) {
      end(batch);
      await eventually(() => expect(collector.requests).toHaveLength(batch));
    }
    await opened?.end();
    const [only, another] = told('Noticed trouble with traces');
    expect(only?.['trouble']).toContain('too many attributes');
    expect(another).toBeUndefined();
  });

  it('says of each address of a collector why it cannot be reached', () => {
    // As Node has it for a host with several addresses.
    const error = new AggregateError([new Error('connect ECONNREFUSED ::1:4318'), new Error('connect ETIMEDOUT')]);
    const exporter: SpanExporter = { export: (_, done) => done({ code: 1, error }), shutdown: async () => {} };
    new ToldExporter(exporter, new LineLog(lines, systemClock)).export([], () => {});
    const [{ error: words } = {}] = told('Failed to export traces');
    expect(words).toBe('connect ECONNREFUSED ::1:4318, connect ETIMEDOUT');
  });
});
