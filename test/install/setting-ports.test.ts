import { describe, expect, it } from '@jest/globals';
import type { OperatorInstallProps } from '../../src/install/index.js';
import { usualApiServerPorts } from '../../src/install/network-policy.js';
import { anOperator } from './an-operator.js';
import { portsOut } from './ports-out.js';

const operators = [{ ...anOperator(), settings: { ZONE_URL: 'Where the zones are.', ZONE_TOKEN: 'Who asks.' } }];

describe('an install of an operator with settings', () => {
  it.each<[string, NonNullable<OperatorInstallProps['env']>, readonly number[]]>([
    ['of a URL', { ZONE_URL: 'http://zones.example.com:8053/v1' }, [8053]],
    ['of a URL with the usual port', { ZONE_URL: 'http://zones' }, [80]],
    ['of a URL by TLS, which API servers listen on, too', { ZONE_URL: 'https://zones' }, []],
    ['of a URL in a Secret', { ZONE_URL: { secret: 'zones', key: 'url' } }, []],
    ['of no URL', { ZONE_URL: 'zones:8053' }, []],
    ['of a URL that is no setting', { ZONE_URL: 'https://zones', NOTE: 'http://note:9999' }, []],
  ])('lets the port through %s', (_, env, expected) => {
    expect(portsOut({ operators, env: { ZONE_TOKEN: 't', ...env } })).toEqual([...usualApiServerPorts, ...expected]);
  });

  it('lets it through once, beside the ports that are given', () => {
    const env = { ZONE_TOKEN: 't', ZONE_URL: 'http://zones:8053' };
    expect(portsOut({ operators, env, servicePorts: [9000, 8053] })).toEqual([...usualApiServerPorts, 9000, 8053]);
  });
});
