import { describe, expect, it } from '@jest/globals';
import type { Environment } from '../../src/kube/environment.js';
import { tracesWanted } from '../../src/kube/traces-wanted.js';

const endpoint = 'http://collector:4318';
const proto = { type: 'otlp', protocol: 'http/protobuf', endpoint };

describe('what the environment says of traces', () => {
  it.each<[string, Environment, object]>([
    ['nothing', {}, { type: 'none' }],
    ['where a collector is', { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }, proto],
    ['where one for traces is', { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: endpoint }, proto],
    [
      'the exporter alone, which looks on this machine',
      { OTEL_TRACES_EXPORTER: 'otlp' },
      { ...proto, endpoint: undefined },
    ],
    ['that there be none', { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_EXPORTER: 'none' }, { type: 'none' }],
    ['that all be off', { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_SDK_DISABLED: 'TRUE' }, { type: 'none' }],
    [
      'empty values, which say nothing',
      { OTEL_EXPORTER_OTLP_ENDPOINT: '', OTEL_TRACES_EXPORTER: ' ' },
      { type: 'none' },
    ],
    [
      'a protocol',
      { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' },
      { ...proto, protocol: 'http/json' },
    ],
    [
      'another protocol of traces',
      {
        OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
        OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
        OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/protobuf',
      },
      proto,
    ],
    [
      'gRPC',
      { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' },
      {
        type: 'impossible',
        setting: 'OTEL_EXPORTER_OTLP_PROTOCOL',
        because: '"grpc" is not spoken',
        hint: 'write http/protobuf or http/json, and the port of it, which is 4318 as a rule',
      },
    ],
    [
      'another exporter',
      { OTEL_TRACES_EXPORTER: 'zipkin' },
      {
        type: 'impossible',
        setting: 'OTEL_TRACES_EXPORTER',
        because: '"zipkin" is not known',
        hint: 'write otlp, or none',
      },
    ],
    ['how much is exported at once', { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_BSP_MAX_QUEUE_SIZE: '10' }, proto],
    [
      'nothing at once, which would never end',
      { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '0' },
      {
        type: 'impossible',
        setting: 'OTEL_BSP_MAX_EXPORT_BATCH_SIZE',
        because: '"0" is no whole number above 0',
        hint: 'write how many spans, or leave it out',
      },
    ],
  ])('%s', (_, env, expected) => {
    expect(tracesWanted(env)).toEqual(expected);
  });

  it.each(['collector:4318', 'grpc://user:hunter2@collector', 'hunter2'])('refuses %s and does not show it', (text) => {
    const refused = tracesWanted({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: text });
    expect(refused).toEqual({
      type: 'impossible',
      setting: 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
      because: 'it is no URL of http or https',
      hint: 'write it as http://collector.observability:4318',
    });
  });

  it('refuses what the exporter would not understand, and show', () => {
    const refused = tracesWanted({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://user:hunter2@collector:4318 ' });
    expect(refused).toMatchObject({ type: 'impossible', because: 'there is a space behind it' });
    expect(JSON.stringify(refused)).not.toContain('hunter2');
    const withLine = { OTEL_EXPORTER_OTLP_ENDPOINT: `${endpoint}\n` };
    expect(tracesWanted(withLine)).toEqual(proto);
  });
});
