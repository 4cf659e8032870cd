import { createPrivateKey, X509Certificate } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { selfSigned } from '../../src/tls/self-signed.js';

const now = Date.parse('2030-05-06T07:08:09Z');
const day = 24 * 60 * 60 * 1000;
const make = (names: readonly string[]) =>
  new X509Certificate(selfSigned({ subject: 'metrics', names, now, validMilliseconds: 30 * day }).cert);

describe('a certificate that vouches for itself', () => {
  it('is valid for as long as was asked, and is no authority', () => {
    const made = make(['localhost']);
    expect(made.verify(made.publicKey)).toBe(true);
    expect(made.ca).toBe(false);
    expect(made.subject).toBe('CN=metrics');
    expect(Date.parse(made.validTo)).toBe(now + 30 * day);
    expect(Date.parse(made.validFrom)).toBeLessThan(now);
  });

  it.each(['127.0.0.1', '::1', 'fd00::10.1.2.3', '2001:db8:0:0:1::2', '1:2:3:4:5:6:7:8', '::'])(
    'is for the address %s',
    (address) => {
      expect(make([address]).checkIP(address)).toBeDefined();
      expect(make(['192.0.2.1', '2001:db8::dead']).checkIP(address)).toBeUndefined();
    },
  );

  it('is for all its names and no other', () => {
    const made = make(['operator-metrics.system.svc', 'localhost']);
    expect(made.checkHost('operator-metrics.system.svc')).toBe('operator-metrics.system.svc');
    expect(made.checkHost('localhost')).toBe('localhost');
    expect(made.checkHost('system.svc')).toBeUndefined();
  });

  it('has its key beside it', () => {
    const { cert, key } = selfSigned({ subject: 'metrics', names: ['a'], now, validMilliseconds: day });
    expect(new X509Certificate(cert).checkPrivateKey(createPrivateKey(key))).toBe(true);
  });
});
