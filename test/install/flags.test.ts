import { describe, expect, it } from '@jest/globals';
import { flags, refusalOfArgs } from '../../src/install/flags.js';
import { webhookPort } from '../../src/install/webhooks.js';
import { flagsOf, readFlags } from '../../src/program/flags.js';

const operators = ['memcached'];
const words = [
  ...['', 'true', 'f', 'maybe', '0', '7', '007', '1.5', '1e3', '-1', '0.0', '70000', '9007199254740993'],
  ...['10h', '1h30m', '250ms', '0s', '1h 30m', '10'],
  ...['a', 'a,b', 'a.b', 'a..b', ' a , b ,', 'a,B', 'A Lease', 'x'.repeat(64), 'x'.repeat(254)],
  ...[':8081', ':70000', '8443', '[::1]:8081', '127.0.0.1:0', 'http://x:1', 'https://10.0.2.2:9443/', 'https://x/y'],
  ...['https://a b', 'https://[1'],
  ...['enforce', 'report', 'debug', 'loud', 'json', 'xml', 'memcached', 'AllAlpha=true'],
];

/** Which the controller also judges by what it is made of. */
const judgedFurther = ['--operators', '--feature-gates'];

const begins = (args: readonly string[]) => readFlags(args, operators).type === 'run';

describe('the flags of an install', () => {
  it('are those of the controller', () => {
    const known = flagsOf(operators).map(({ long }) => long);
    expect(Object.keys(flags)).toEqual(known.filter((name) => name !== '--version'));
  });

  it('leave webhooks at the port to which the Service and the NetworkPolicy of an install lead', () => {
    expect(readFlags([], operators)).toMatchObject({ flags: { webhookPort } });
  });

  it.each(Object.keys(flags))('are refused only where the controller would end: %s', (name) => {
    const taken = words.filter((word) => begins([`${name}=${word}`]));
    const ours = words.filter((word) => refusalOfArgs([`${name}=${word}`]) === undefined);
    expect(ours).toEqual(expect.arrayContaining(taken));
    expect(judgedFurther.includes(name) ? taken : ours).toEqual(taken);
  });

  it.each<[readonly string[]]>([
    [['--leader-elect-lease-duration=5s']],
    [['--leader-elect-lease-duration=5s', '--leader-elect-renew-deadline=4s', '--leader-elect-retry-period=1s']],
    [['--leader-elect-lease-duration', '30s', '--leader-elect-renew-deadline', '20s']],
    [['--leader-elect-lease-duration=30s', '--leader-elect-renew-deadline=29s', '--leader-elect-retry-period=12s']],
    [['--leader-elect-lease-duration=15500ms']],
    [['--leader-elect-lease-duration=700000h']],
    [['--namespace=a']],
    [['--namespace=a', '--watch-namespaces=a']],
    [['--watch-namespaces', '', '--namespace', 'a']],
    [['--watch-namespaces=a', '--namespace=']],
    [['--kube-api-burst=5']],
    [['--kube-api-burst=5', '--kube-api-qps=2']],
    [['--kube-api-burst=5', '--kube-api-qps=']],
    [['--kube-api-burst=5', '--kube-api-qps=2', '--kube-api-qps=']],
    [['--leader-elect-lease-duration=', '--leader-elect-renew-deadline=20s']],
    [['--metrics-cert-path=/x', '--metrics-secure=false']],
    [['--metrics-cert-path=/x', '--metrics-secure', 'false', '--metrics-secure']],
    [['--metrics-cert-path=', '--metrics-secure=false']],
    [['--metrics-cert-path=/x', '--metrics-secure=false', '--metrics-secure=']],
    [['--webhook-cert-path=/x', '--webhook-url=https://x:9443']],
    [['--webhook-cert-path=', '--webhook-url=https://x:9443']],
  ])('go together only as the controller has it: %j', (args) => {
    expect(refusalOfArgs(args) === undefined).toBe(begins(args));
  });

  it('are not judged together where one of them is put in later', () => {
    expect(
      refusalOfArgs(['--leader-elect-lease-duration=5s', '--leader-elect-renew-deadline=$(RENEW)']),
    ).toBeUndefined();
  });

  it.each<[readonly string[]]>([
    [['--leader-elect', '--log-level', 'debug']],
    [['--leader-elect', 'false']],
    [['--leader-elect', 'maybe']],
    [['--log-level']],
    [['--log-level', '--leader-elect']],
    [['--metrics-cert-path=a=b']],
    [['--leader-elect', 'true', 'word']],
    [['word']],
    [['--metrics-secur']],
    [['-l']],
  ])('are taken apart as by the controller: %j', (args) => {
    expect(refusalOfArgs(args) === undefined).toBe(begins(args));
  });
});
