import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { TlsOptions } from './cluster-config.js';

/** False where a certificate cannot be read, or is of another key, as while somebody writes one file after the other. */
export function areWhole({ ca, cert, key }: TlsOptions): boolean {
  try {
    if (ca !== undefined) new X509Certificate(ca);
    return cert === undefined || new X509Certificate(cert).checkPrivateKey(createPrivateKey(key ?? ''));
  } catch {
    return false;
  }
}
