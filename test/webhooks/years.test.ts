import { X509Certificate } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { EmbeddedServer } from '../../src/embedded/embedded-server.js';
import { silentLog } from '../../src/runtime/telemetry/log.js';
import { VirtualClock } from '../../src/testing/virtual-clock.js';
import type { IssuedPair } from '../../src/tls/issued.js';
import { Renewal } from '../../src/webhooks/renewal.js';
import { webhookCertificate } from '../../src/webhooks/webhook-certificate.js';

const weekSeconds = 7 * 24 * 60 * 60;

it('webhooks show a certificate that is good and trusted, year after year, also from when the years of dates have four digits', async () => {
  const clock = new VirtualClock('2047-06-05T04:03:02Z');
  const server = new EmbeddedServer({ clock, random: () => 0.5, controllers: false });
  const about = { cluster: server.cluster(), clock, namespace: 'default', name: 'webhooks' };
  const stop = new AbortController();
  const first = await webhookCertificate(about);
  let shown: IssuedPair = first;
  let trusted = first.ca;
  const renewal = {
    clock,
    log: silentLog,
    pair: first,
    find: () => webhookCertificate(about),
    tell: async (ca: string) => {
      trusted = ca;
      return [true];
    },
    show(pair: IssuedPair) {
      shown = pair;
    },
  };
  new Renewal(renewal, stop.signal);
  const seen = new Set<string>();
  for (let weeks = 0; weeks < 4 * 52; weeks++) {
    await clock.advance(weekSeconds * 1000);
    seen.add(shown.cert);
    const authorities = trusted.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
    const certificate = new X509Certificate(shown.cert);
    const found = {
      begins: Date.parse(certificate.validFrom) <= clock.now(),
      lasts: Date.parse(certificate.validTo) - clock.now() > weekSeconds * 1000,
      trusted: authorities.some((each) => {
        const authority = new X509Certificate(each);
        const isIn = Date.parse(authority.validTo) > clock.now();
        return isIn && certificate.checkIssued(authority) && certificate.verify(authority.publicKey);
      }),
      authorities: authorities.length <= 2,
    };
    expect([new Date(clock.now()).toISOString(), found]).toEqual([
      expect.any(String),
      { begins: true, lasts: true, trusted: true, authorities: true },
    ]);
  }
  expect(clock.now()).toBeGreaterThan(Date.parse('2051-05-01T00:00:00Z'));
  expect(seen.size).toBeGreaterThanOrEqual(4);
  stop.abort(new Error('the test is over'));
});
