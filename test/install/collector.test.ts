import { describe, expect, it } from '@jest/globals';
import type { OperatorInstallProps } from '../../src/install/index.js';
import { usualApiServerPorts } from '../../src/install/network-policy.js';
import { DefinitionError } from '../../src/kube/errors.js';
import { portsOut } from './ports-out.js';

describe('an install whose environment names a collector of traces', () => {
  it.each<[string, NonNullable<OperatorInstallProps['env']>, readonly number[]]>([
    ['one for all', { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' }, [4318]],
    [
      'one for traces, which counts',
      {
        OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318',
        OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://tempo:4319/v1',
      },
      [4319],
    ],
    ['one by TLS on the usual port', { OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector' }, []],
    ['one on the usual port', { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector' }, [80]],
    ['one on the node, that the kubelet knows', { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://$(HOST_IP):4318' }, [4318]],
    ['one in a Secret', { OTEL_EXPORTER_OTLP_ENDPOINT: { secret: 'collector', key: 'url' } }, []],
    ['one beside it', { OTEL_TRACES_EXPORTER: 'otlp' }, []],
    ['one that is not used', { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318', OTEL_SDK_DISABLED: 'true' }, []],
    ['none', {}, []],
  ])('lets its port through: %s', (_, env, expected) => {
    expect(portsOut({ env })).toEqual([...usualApiServerPorts, ...expected]);
  });

  it('lets it through once', () => {
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318', HTTPS_PROXY: 'http://proxy:4318' };
    expect(portsOut({ env, servicePorts: [4318] })).toEqual([...usualApiServerPorts, 4318]);
  });

  it('is refused where the controller would export none', () => {
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4317', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' };
    expect(() => portsOut({ env })).toThrow(DefinitionError);
    expect(() => portsOut({ env })).toThrow(
      'the install "cache" would export no traces by env.OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" is not spoken',
    );
    const secret = { OTEL_EXPORTER_OTLP_ENDPOINT: 'hunter2' };
    expect(() => portsOut({ env: secret })).toThrow(
      expect.not.objectContaining({ message: expect.stringContaining('hunter2') }),
    );
  });
});
