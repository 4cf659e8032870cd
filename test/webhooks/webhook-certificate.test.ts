import { X509Certificate } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Cluster } from '../../src/client/cluster.js';
import { systemClock } from '../../src/kube/clock.js';
import { startCluster, type TestCluster } from '../../src/testing/index.js';
import { issued } from '../../src/tls/issued.js';
import { secrets, webhookCertificate } from '../../src/webhooks/webhook-certificate.js';

const hour = 3_600_000;
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

  it('is another when the key that is kept belongs to none', async () => {
    const first = await found();
    const now = cluster.clock.now();
    const other = issued({ authority: 'a', subject: 'b', names: ['b'], now, validMilliseconds: 1000 });
    const data = { 'tls.key': Buffer.from(other.key).toString('base64') };
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
});
