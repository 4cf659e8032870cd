import { issued } from '../../tls/issued.js';

/** What an HTTPS server needs, all PEM. */
export interface Certificates {
  /** Of the authority, for those who call. */
  readonly ca: string;
  readonly certificate: string;
  readonly key: string;
}

const tenYearsMilliseconds = 10 * 365 * 24 * 60 * 60 * 1000;

/** A certificate authority of one's own and a certificate of it for this server on loopback. */
export function loopbackCertificates(now: number): Certificates {
  const authority = 'kilter-embedded';
  const subject = 'kilter embedded API server';
  const { ca, cert, key } = issued({ authority, subject, names, now, validMilliseconds: tenYearsMilliseconds });
  return { ca, certificate: cert, key };
}

const names = ['localhost', 'kubernetes', 'kubernetes.default', 'kubernetes.default.svc', '127.0.0.1', '::1'];
