import { X509Certificate } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Cluster } from '../../src/client/cluster.js';
import { systemClock } from '../../src/kube/clock.js';
import { startCluster, type TestCluster } from '../../src/testing/index.js';
import { type IssuedPair, issued } from '../../src/tls/issued.js';
import { isVouchedFor, secrets, webhookCertificate } from '../../src/webhooks/webhook-certificate.js';

const hour = 3_600_000;
const day = 24 * hour;
const base64 = (text: string) => Buffer.from(text).toString('base64');
const place = { namespace: 'default', name: 'cache-webhook' };

describe('the certificate of webhooks', () => {
  let cluster: TestCluster;
  let server: Cluster;
  beforeEach(async () => {
    cluster = await startCluster();
    server = cluster.server.cluster();
  });
  afterEach(() => cluster.stop());

  const found = (...names: readonly string[]) =>
    webhookCertificate({ cluster: server, clock: cluster.clock, ...place, names });

  it.each([
    ['the names of its Service', []],
    ['an IPv4 address', ['10.0.2.2']],
    ['an IPv6 address', ['fd00::1']],
    ['another name', ['operator.example.com']],
  ])('is the same for whoever asks, for %s', async (_, names) => {
    const first = await found(...names);
    expect(await found(...names)).toEqual(first);
  });

  it('is another where it has to be for another name', async () => {
    const first = await found();
    expect((await found('10.0.2.2')).cert).not.toBe(first.cert);
  });

  it.each<[string, (other: IssuedPair) => object]>([
    ['key that is kept belongs to none', ({ key }) => ({ 'tls.key': base64(key) })],
    ['authority that is kept does not vouch for it', ({ ca }) => ({ 'ca.crt': base64(ca) })],
  ])('is another when the %s', async (_, dataOf) => {
    const first = await found();
    const now = cluster.clock.now();
    const data = dataOf(issued({ authority: 'a', subject: 'b', names: ['b'], now, validMilliseconds: 1000 }));
    await server.patch(secrets, place, { type: 'merge', body: { data } }, { fieldManager: 'a-person' });
    const second = await found();
    expect(second.cert).not.toBe(first.cert);
    expect(await found()).toEqual(second);
  });

  it('is taken at once where the node that made it has its clock ahead by hours, as one that holds the local time', async () => {
    const ahead = { ...systemClock, now: () => cluster.clock.now() + 14 * hour };
    const made = await webhookCertificate({ cluster: server, clock: ahead, ...place });
    for (const pem of [made.cert, made.ca])
      expect(Date.parse(new X509Certificate(pem).validFrom)).toBeLessThan(cluster.clock.now());
    expect(await found()).toEqual(made);
  });

  it('is another when a node whose clock was ahead by days made it', async () => {
    const ahead = { ...systemClock, now: () => cluster.clock.now() + 48 * hour };
    const first = await webhookCertificate({ cluster: server, clock: ahead, ...place });
    const second = await found();
    expect(second.cert).not.toBe(first.cert);
    // For the other replica, too.
    expect(await webhookCertificate({ cluster: server, clock: ahead, ...place })).toEqual(second);
  });

  const daysLater = (days: number) => {
    const clock = { ...systemClock, now: () => cluster.clock.now() + days * day };
    return webhookCertificate({ cluster: server, clock, ...place });
  };

  it('is another a month before its end, which is vouched for together with the one before it, and with none older', async () => {
    const first = await daysLater(0);
    expect(await daysLater(334)).toEqual(first);
    const second = await daysLater(336);
    const third = await daysLater(2 * 336);
    expect([second, third].map((pair) => isVouchedFor(pair, pair.ca))).toEqual([true, true]);
    expect([isVouchedFor(first, second.ca), isVouchedFor(second, third.ca)]).toEqual([true, true]);
    expect([isVouchedFor(second, first.ca), isVouchedFor(first, third.ca)]).toEqual([false, false]);
    const parsed = new X509Certificate(third.cert);
    expect(Date.parse(parsed.validTo)).toBeGreaterThan(cluster.clock.now() + (2 * 336 + 360) * day);
    expect(parsed.checkIssued(new X509Certificate(third.ca))).toBe(true);
  });

  it('is the same for all that start at once, and for all that find it too old at once', async () => {
    for (const days of [0, 336]) {
      const [one, ...others] = await Promise.all([daysLater(days), daysLater(days), daysLater(days)]);
      expect(others).toEqual([one, one]);
      expect(await daysLater(days)).toEqual(one);
    }
  });

  it('is made where somebody deletes its Secret just before it is made anew', async () => {
    await daysLater(0);
    const update: Cluster['update'] = async (...call) => {
      await server.delete(secrets, place);
      return server.update(...call);
    };
    const raced = new Proxy(server, {
      get: (target, name: keyof Cluster) => (name === 'update' ? update : target[name].bind(target)),
    });
    const clock = { ...systemClock, now: () => cluster.clock.now() + 336 * day };
    const made = await webhookCertificate({ cluster: raced, clock, ...place });
    expect(await daysLater(336)).toEqual(made);
  });

  it('is none in a namespace that is not there, which is told', async () => {
    const asked = webhookCertificate({ cluster: server, clock: cluster.clock, ...place, namespace: 'nowhere' });
    await expect(asked).rejects.toThrow('namespaces "nowhere" not found');
  });

  it.each(['get', 'create'] as const)('is none where the API server refuses to %s it, which is told', async (call) => {
    let isRefused = true;
    const refuseOnce = async (...options: never[]) => {
      if (!isRefused) return (server[call] as (...options: never[]) => Promise<unknown>)(...options);
      isRefused = false;
      throw new Error('secrets is forbidden');
    };
    const strict = new Proxy(server, {
      get: (target, name: keyof Cluster) => (name === call ? refuseOnce : target[name].bind(target)),
    });
    const asked = webhookCertificate({ cluster: strict, clock: cluster.clock, ...place });
    await expect(asked).rejects.toThrow('secrets is forbidden');
    expect((await server.list(secrets, { namespace: place.namespace })).items).toEqual([]);
  });
});
