import { randomBytes } from 'node:crypto';
import { certificate, extensions, newKeys, privateKey } from '../../tls/certificate.js';

/** What an HTTPS server needs, all PEM. */
export interface Certificates {
  /** Of the authority, for those who call. */
  readonly ca: string;
  readonly certificate: string;
  readonly key: string;
}

const yearMilliseconds = 365 * 24 * 60 * 60 * 1000;

/**
 * A certificate authority of one's own and a certificate of it for this server on loopback. Keys live in memory alone;
 * the authority's is forgotten here, so nothing else can ever be signed with it.
 */
export function loopbackCertificates(now: number): Certificates {
  const authority = newKeys();
  const server = newKeys();
  // Two authorities with one name and different keys would be mistaken for each other.
  const issuer = `kilter-embedded-${randomBytes(4).toString('hex')}`;
  const validity = { from: now - 60 * 60 * 1000, to: now + 10 * yearMilliseconds };
  const root = { subject: issuer, key: authority.publicKey, extensions: extensions.authority(authority.publicKey) };
  const serving = {
    subject: 'kilter embedded API server',
    key: server.publicKey,
    extensions: [...extensions.server(names), extensions.issuedBy(authority.publicKey)],
  };
  return {
    ca: certificate({ ...root, issuer, validity }, authority.privateKey),
    certificate: certificate({ ...serving, issuer, validity }, authority.privateKey),
    key: privateKey(server.privateKey),
  };
}

const names = ['localhost', 'kubernetes', 'kubernetes.default', 'kubernetes.default.svc', '127.0.0.1', '::1'];
