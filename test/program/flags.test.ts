import { afterEach, describe, expect, it } from '@jest/globals';
import { version } from '../../src/kube/version.js';
import { type Flags, flagsOf, readFlags } from '../../src/program/flags.js';

const read = (...words: readonly string[]) => readFlags(words, ['memcached', 'tenant']);
function flags(...words: readonly string[]): Flags {
  const result = read(...words);
  if (result.type === 'exit') throw new Error(result.text);
  return result.flags;
}

const variables = ['WATCH_NAMESPACE', 'LOG_LEVEL', 'OPERATOR_NAME', 'POD_NAMESPACE', 'ENABLE_WEBHOOKS'];
const before = Object.fromEntries(variables.map((name) => [name, process.env[name]]));
afterEach(() => {
  for (const [name, value] of Object.entries(before)) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
});

describe('the flags of the controller', () => {
  it('have defaults that work in any cluster', () => {
    expect(flags()).toEqual({
      assumeConsent: false,
      leaderElect: false,
      leaderElectionId: 'kilter',
      leaderElectLeaseDuration: 15,
      leaderElectRenewDeadline: 10,
      leaderElectRetryPeriod: 2,
      healthProbeBindAddress: ':8081',
      metricsBindAddress: '0',
      metricsSecure: true,
      metricsCertName: 'tls.crt',
      metricsCertKey: 'tls.key',
      logLevel: 'info',
      logFormat: 'json',
      featureGates: new Map(),
      webhooks: true,
      webhookPort: 9443,
    });
  });

  it.each<[string, Partial<Flags>]>([
    ['--leader-elect', { leaderElect: true }],
    ['--leader-elect=true', { leaderElect: true }],
    ['--leader-elect=false', { leaderElect: false }],
    ['--leader-elect-lease-duration=137s', { leaderElectLeaseDuration: 137 }],
    ['--leader-elect-lease-duration=2.05m', { leaderElectLeaseDuration: 123 }],
    ['--leader-elect-renew-deadline=14s', { leaderElectRenewDeadline: 14 }],
    ['--leader-elect-retry-period=500ms', { leaderElectRetryPeriod: 0.5 }],
    ['--metrics-secure=false', { metricsSecure: false }],
    ['--metrics-secure=0', { metricsSecure: false }],
    ['--metrics-secure', { metricsSecure: true }],
    ['--watch-namespaces=a,b', { watchNamespaces: ['a', 'b'] }],
    ['--watch-namespaces= a , b ,', { watchNamespaces: ['a', 'b'] }],
    ['--namespace=a', { watchNamespaces: ['a'] }],
    ['--operators=tenant', { operators: ['tenant'] }],
    ['--max-concurrent-reconciles=7', { maxConcurrentReconciles: 7 }],
    ['--kube-api-qps=0.5', { kubeApiQps: 0.5 }],
    ['--drift-mode=report', { driftMode: 'report' }],
    ['--sync-period=10h', { syncPeriod: 36_000 }],
    ['--sync-period=1h30m', { syncPeriod: 5400 }],
    ['--sync-period=1.5s', { syncPeriod: 1.5 }],
    ['--sync-period=250ms', { syncPeriod: 0.25 }],
    ['--metrics-bind-address=:8443', { metricsBindAddress: ':8443' }],
    ['--metrics-bind-address=127.0.0.1:0', { metricsBindAddress: '127.0.0.1:0' }],
    ['--health-probe-bind-address=[::1]:8081', { healthProbeBindAddress: '[::1]:8081' }],
    ['--health-probe-bind-address=0', { healthProbeBindAddress: '0' }],
    [
      '--feature-gates=AllAlpha=true,AllBeta=false',
      {
        featureGates: new Map([
          ['AllAlpha', true],
          ['AllBeta', false],
        ]),
      },
    ],
    ['--log-level=debug', { logLevel: 'debug' }],
    ['--log-format=text', { logFormat: 'text' }],
    ['--webhook-port=10250', { webhookPort: 10250 }],
    ['--webhooks=false', { webhooks: false }],
    ['--webhook-url=https://10.0.2.2:9443/', { webhookUrl: 'https://10.0.2.2:9443' }],
  ])('understand %s', (word, expected) => {
    expect(flags(word)).toMatchObject(expected);
  });

  it('take a value as a word of its own, too', () => {
    expect(flags('--log-level', 'warn', '--leader-elect', '--sync-period', '90s')).toMatchObject({
      logLevel: 'warn',
      leaderElect: true,
      syncPeriod: 90,
    });
  });

  it.each<[string, string, Partial<Flags>]>([
    ['WATCH_NAMESPACE', 'a,b', { watchNamespaces: ['a', 'b'] }],
    ['LOG_LEVEL', 'error', { logLevel: 'error' }],
    ['OPERATOR_NAME', 'cache-operator', { leaderElectionId: 'cache-operator' }],
    ['POD_NAMESPACE', 'system', { leaderElectionNamespace: 'system' }],
    ['ENABLE_WEBHOOKS', 'false', { webhooks: false }],
  ])('listen to %s, and are stronger', (variable, value, expected) => {
    process.env[variable] = value;
    expect(flags()).toMatchObject(expected);
    expect(
      flags(
        ...['--watch-namespaces=c', '--log-level=info', '--webhooks'],
        ...['--leader-election-id=x', '--leader-election-namespace=y'],
      ),
    ).toMatchObject({
      watchNamespaces: ['c'],
      logLevel: 'info',
      leaderElectionId: 'x',
      leaderElectionNamespace: 'y',
      webhooks: true,
    });
  });

  it('are stronger by their older name, too', () => {
    process.env['WATCH_NAMESPACE'] = 'a';
    expect(flags('--namespace=b')).toMatchObject({ watchNamespaces: ['b'] });
  });

  it.each(variables)('take an empty %s, as charts write what is not set, for none', (variable) => {
    const byDefault = flags();
    process.env[variable] = '';
    expect(flags()).toStrictEqual(byDefault);
  });

  it.each(
    flagsOf(['memcached', 'tenant'])
      .map(({ long }) => long)
      .filter((name) => name !== '--version' && name !== '--operators'),
  )('take an empty %s for one that is not given', (name) => {
    expect(flags(`${name}=`)).toStrictEqual(flags());
    expect(flags(`${name}`, '')).toStrictEqual(flags());
  });

  it('leave it to the variable when they are empty', () => {
    process.env['LOG_LEVEL'] = 'debug';
    expect(flags('--log-level=')).toMatchObject({ logLevel: 'debug' });
  });

  it.each(['--namespace=', '--namespace=,', '--watch-namespaces= ', '--watch-namespaces=,'])(
    'never watch more than the variable says for %s, which names none',
    (word) => {
      process.env['WATCH_NAMESPACE'] = 'a';
      expect(flags(word)).toMatchObject({ watchNamespaces: ['a'] });
    },
  );

  it('take the namespaces of one of their names where the other is empty', () => {
    expect(flags('--namespace=', '--watch-namespaces=a')).toMatchObject({ watchNamespaces: ['a'] });
    expect(flags('--namespace=a', '--watch-namespaces=')).toMatchObject({ watchNamespaces: ['a'] });
  });

  it.each([
    ['--log-level=loud', 'debug, info, warn, error'],
    ['--log-format=xml', 'json, text'],
    ['--drift-mode=fix', 'enforce, report, ignore'],
    ['--operators=other', 'There is no operator "other". Choose from memcached, tenant.'],
    ['--operators=', 'No operator is named. Choose from memcached, tenant.'],
    ['--watch-namespaces=a,B', '"B" is no name of a namespace'],
    ['--namespace=kube_system', '"kube_system" is no name of a namespace'],
    ['--leader-elect=maybe', 'It is neither true nor false.'],
    ['--leader-election-id=A Lease', 'It is no name of an object'],
    ['--leader-election-id=a..b', 'It is no name of an object'],
    ['--leader-election-namespace=a.b', 'It is no name of a namespace'],
    ['--max-concurrent-reconciles=0', 'It is no whole number above 0, up to 10000.'],
    ['--rollout-limit=0', 'It is no whole number above 0.'],
    ['--max-concurrent-reconciles=1.5', 'It is no whole number above 0, up to 10000.'],
    ['--max-concurrent-reconciles=5000000000', 'It is no whole number above 0, up to 10000.'],
    ['--max-concurrent-reconciles=1e3', 'It is no whole number above 0, up to 10000.'],
    ['--kube-api-qps=-1', 'Leave it out for no fixed rate.'],
    ['--kube-api-burst=5', 'give --kube-api-qps, too'],
    ['--sync-period=10', 'such as 90s, 15m or 1h30m'],
    ['--sync-period=0s', 'such as 90s, 15m or 1h30m'],
    ['--sync-period=1h 30m', 'such as 90s, 15m or 1h30m'],
    ['--metrics-bind-address=8443', 'such as :8081, 127.0.0.1:8081 or [::1]:8081, nor 0'],
    ['--metrics-bind-address=:70000', 'such as :8081'],
    ['--health-probe-bind-address=http://x:1', 'such as :8081'],
    ['--webhook-port=0', 'It is no port between 1 and 65535.'],
    ['--webhook-url=http://10.0.2.2:9443', 'It is no address such as https://10.0.2.2:9443.'],
    ['--webhook-url=https://10.0.2.2:9443/convert', 'It is no address such as https://10.0.2.2:9443.'],
    ['--feature-gates=Warp=true', 'There is no feature gate "Warp". Choose from AllAlpha, AllBeta.'],
    ['--feature-gates=AllAlpha', 'It is neither true nor false.'],
    ['--no-such-flag', "unknown option '--no-such-flag'"],
    ['--metrics-secur', 'Did you mean --metrics-secure?'],
    ['word', 'too many arguments'],
  ])('refuse %s, by name and with what would do', (word, hint) => {
    const result = read(word);
    expect(result).toMatchObject({ type: 'exit', code: 2, text: expect.stringContaining(hint) });
    const name = /^--[a-z-]+/.exec(word)?.[0];
    if (name !== undefined && 'text' in result) expect(result.text).toContain(name);
  });

  it('refuse a bad value of the environment by the name of the variable', () => {
    process.env['LOG_LEVEL'] = 'loud';
    expect(read()).toMatchObject({ code: 2, text: expect.stringContaining("from env 'LOG_LEVEL'") });
  });

  it.each([
    [['--namespace=a', '--watch-namespaces=b'], 'give one of them'],
    [['--metrics-secure=false', '--metrics-cert-path=/x'], 'is for HTTPS'],
    [
      ['--leader-elect-lease-duration=9s'],
      'renewed before it is over for others (a duration of 9s, a deadline of 10s, a period of 2s)',
    ],
    [['--leader-elect-lease-duration=10s'], 'renewed before it is over for others'],
    [['--leader-elect-lease-duration=15500ms'], 'whole seconds'],
    [['--leader-elect-lease-duration=700000h'], 'a Lease is good for 2147483647s at most'],
    [['--leader-elect-retry-period=6s'], 'time for two tries'],
    [['--leader-elect-retry-period=4100ms'], 'time for two tries'],
    [
      ['--leader-elect-lease-duration=3s', '--leader-elect-renew-deadline=2300ms', '--leader-elect-retry-period=0.1s'],
      "time for an author's code",
    ],
  ])('refuse what contradicts itself: %j', (words, hint) => {
    expect(read(...words)).toMatchObject({ code: 2, text: expect.stringContaining(hint) });
  });

  it('say their version', () => {
    expect(read('--version')).toEqual({ type: 'exit', code: 0, text: `${version}\n` });
  });

  it('explain themselves to a person: every flag, in groups, and no line too long for a terminal', () => {
    const help = read('--help');
    if (help.type !== 'exit') throw new Error('it runs');
    expect(help.code).toBe(0);
    expect(help.text).toMatch(/POD_NAME +who this replica is, in Lease and events; the host and a random number/);
    const lines = help.text.split('\n');
    expect(lines.filter((line) => line.length > 110)).toEqual([]);
    expect(lines.filter((line) => /^[A-Z].*:$/.test(line))).toEqual([
      'Options:',
      'What it works on:',
      'API server:',
      'Leader election:',
      'Probes and metrics:',
      'Webhooks, of operators that have any:',
      'Logs:',
      'Known for the sake of others:',
      'Environment:',
      'Exit codes:',
    ]);
  });
});
