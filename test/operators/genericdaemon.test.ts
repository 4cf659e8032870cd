import { describe, expect, it } from '@jest/globals';
import { Genericdaemon, genericdaemon } from '../../src/operators/genericdaemon.js';
import { expectGolden } from './golden.js';

const metadata = { name: 'syslog', namespace: 'prod' };
const image = 'mbessler/syslogdocker';

describe('genericdaemon', () => {
  it('composes a DaemonSet for the nodes with a label', () => {
    expectGolden('genericdaemon', genericdaemon.desired({ metadata, spec: { image, label: 'logs' } }));
  });

  it.each([{ image }, { image, label: '' }])('runs on all nodes with the spec %j', (spec) => {
    expectGolden('genericdaemon-on-all-nodes', genericdaemon.desired({ metadata, spec }));
  });

  it('is defined for the API server', () => {
    expectGolden('genericdaemon-definition', [Genericdaemon.crd()]);
  });

  const prefix = (length: number) => `${'x'.repeat(length - 4)}.com`;

  it.each(['example.com/logs', 'logs', 'Log_files.1', `${prefix(253)}/${'x'.repeat(63)}`])(
    'accepts the label %s',
    (label) => {
      const [daemon] = genericdaemon.desired({ metadata, spec: { image, label } });
      expect(daemon).toMatchObject({ spec: { template: { spec: { nodeSelector: { [label]: 'true' } } } } });
    },
  );

  it.each(['-logs', 'a/b/c', 'logs=true', 'x'.repeat(64), ' ', 'a..b/x', 'a.-b/x', `${prefix(254)}/x`])(
    'refuses the label %j',
    (label) => {
      expect(() => genericdaemon.desired({ metadata, spec: { image, label } })).toThrow('spec.label');
    },
  );

  it.each([
    [undefined, 0],
    [{}, 0],
    [{ numberReady: 3, desiredNumberScheduled: 4 }, 3],
  ])('shows of a DaemonSet with status %j that it is installed on %d nodes', (status, installed) => {
    const daemon = { apiVersion: 'apps/v1', kind: 'DaemonSet', metadata: { name: 'd' }, status } as never;
    expect(genericdaemon.status({ daemon }, {}, { metadata } as never)).toEqual({ installed });
  });
});
