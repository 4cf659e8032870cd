import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { createServer, request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { loopbackCertificates } from '../../../src/embedded/http/certificates.js';
import { der } from '../../../src/embedded/http/der.js';

const now = Date.parse('2030-05-06T07:08:09Z');

describe('certificates for loopback', () => {
  it('form a chain that lasts, for every name of loopback, and for serving alone', () => {
    const made = loopbackCertificates(now);
    const ca = new X509Certificate(made.ca);
    const serving = new X509Certificate(made.certificate);
    expect(ca.ca).toBe(true);
    expect(serving.ca).toBe(false);
    expect(serving.checkIssued(ca)).toBe(true);
    expect(serving.verify(ca.publicKey)).toBe(true);
    expect(ca.verify(ca.publicKey)).toBe(true);
    expect(serving.checkIP('127.0.0.1')).toBe('127.0.0.1');
    expect(serving.checkIP('::1')).toBe('::1');
    expect(serving.checkHost('localhost')).toBe('localhost');
    expect(serving.checkHost('example.com')).toBeUndefined();
    expect(Date.parse(serving.validFrom)).toBeLessThan(now);
    expect(Date.parse(serving.validTo)).toBeGreaterThan(now + 9 * 365 * 24 * 60 * 60 * 1000);
    expect(serving.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1']);
  });

  it('are different each time, in name, number and key', () => {
    const [one, other] = [loopbackCertificates(now), loopbackCertificates(now)].map(
      ({ ca }) => new X509Certificate(ca),
    );
    expect(one!.subject).not.toBe(other!.subject);
    expect(one!.serialNumber).not.toBe(other!.serialNumber);
    expect(one!.fingerprint256).not.toBe(other!.fingerprint256);
  });

  it('are trusted by a client that is given the authority, and by no other', async () => {
    const { ca, certificate, key } = loopbackCertificates(Date.now());
    const server = createServer({ cert: certificate, key }, (_, response) => response.end('hello'));
    server.on('tlsClientError', () => {});
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const ask = async (authority: string) => {
      const asked = request({ host: '127.0.0.1', port, ca: authority, agent: false }).end();
      const [response] = await once(asked, 'response');
      response.resume();
      return response.statusCode;
    };
    await expect(ask(ca)).resolves.toBe(200);
    await expect(ask(loopbackCertificates(Date.now()).ca)).rejects.toThrow();
    server.close();
  });

  it('are well-formed to OpenSSL', () => {
    let version: string;
    try {
      version = execFileSync('openssl', ['version'], { encoding: 'utf8' });
    } catch {
      return; // Not on this machine.
    }
    expect(version).toContain('SSL');
    const { certificate } = loopbackCertificates(now);
    const text = execFileSync('openssl', ['x509', '-noout', '-text'], { input: certificate, encoding: 'utf8' });
    expect(text).toContain('ASN1 OID: prime256v1');
    expect(text).toContain('IP Address:127.0.0.1');
    expect(text).toContain('Digital Signature');
  });
});

describe('the distinguished encoding', () => {
  it.each([
    ['zero', der.integer(Buffer.from([0])), '020100'],
    ['an integer whose first bit is set', der.integer(Buffer.from([0x80])), '02020080'],
    ['an integer with leading zeros', der.integer(Buffer.from([0, 0, 1])), '020101'],
    ['an identifier with a long part', der.identifier('1.2.840.10045.2'), '06062a8648ce3d02'],
    ['true', der.boolean(true), '0101ff'],
    ['a time before 2050', der.time(now), '170d3330303530363037303830395a'],
    ['a time from 2050 on', der.time(Date.parse('2050-01-02T03:04:05.678Z')), '180f32303530303130323033303430355a'],
    ['a length of 128', der.octets(Buffer.alloc(128)).subarray(0, 4), '04818000'],
    ['a length of 65,536', der.octets(Buffer.alloc(65_536)).subarray(0, 6), '048301000000'],
  ])('writes %s', (_, bytes, hex) => {
    expect(bytes.toString('hex')).toBe(hex);
  });
});
