import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { createServer, request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { loopbackCertificates } from '../../../src/embedded/http/certificates.js';

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
