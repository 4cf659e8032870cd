import { createPrivateKey, createPublicKey, type KeyObject, X509Certificate } from 'node:crypto';

/** Why a certificate and a key, in base64, are not the pair that they ought to be. Such a secret is kept all the same. */
export function keyPairWarnings(certificate: string, key: string): readonly string[] {
  const fault = pairFault(textOf(certificate), textOf(key));
  return fault === undefined ? [] : [fault];
}

function pairFault(certificate: string, key: string): string | undefined {
  const certificates = blocksOf(certificate);
  const leaf = certificates.find(({ type }) => type === 'CERTIFICATE');
  if (leaf === undefined) {
    const [only] = certificates;
    if (only === undefined) return 'tls: failed to find any PEM data in certificate input';
    if (certificates.length === 1 && only.type.endsWith('PRIVATE KEY')) {
      return 'tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched';
    }
    return `tls: failed to find "CERTIFICATE" PEM block in certificate input after skipping PEM blocks of the following types: ${listed(certificates)}`;
  }
  const keys = blocksOf(key);
  const secret = keys.find(({ type }) => type === 'PRIVATE KEY' || type.endsWith(' PRIVATE KEY'));
  if (secret === undefined) {
    const [only] = keys;
    if (only === undefined) return 'tls: failed to find any PEM data in key input';
    if (keys.length === 1 && only.type === 'CERTIFICATE') {
      return 'tls: found a certificate rather than a key in the PEM for the private key';
    }
    return `tls: failed to find PEM block with type ending in "PRIVATE KEY" in key input after skipping PEM blocks of the following types: ${listed(keys)}`;
  }
  return mismatch(leaf.text, secret.text);
}

function mismatch(certificate: string, key: string): string | undefined {
  const known = attempt(() => new X509Certificate(certificate).publicKey);
  if (known === undefined) return 'x509: malformed certificate';
  const own = attempt(() => createPrivateKey(key));
  if (own === undefined) return 'tls: failed to parse private key';
  if (own.asymmetricKeyType !== known.asymmetricKeyType) {
    return 'tls: private key type does not match public key type';
  }
  return der(createPublicKey(own)).equals(der(known)) ? undefined : 'tls: private key does not match public key';
}

function der(key: KeyObject): Buffer {
  return key.export({ type: 'spki', format: 'der' });
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

interface Block {
  readonly type: string;
  readonly text: string;
}

const block = /-----BEGIN ([^-\n]*)-----[ \t\r]*\n[A-Za-z0-9+/=\s]*-----END \1-----/g;

function blocksOf(text: string): readonly Block[] {
  return Array.from(text.matchAll(block), ([whole, type = '']) => ({ type, text: whole }));
}

function listed(blocks: readonly Block[]): string {
  return `[${blocks.map(({ type }) => type).join(' ')}]`;
}

function textOf(base64: string): string {
  return Buffer.from(base64, 'base64').toString('latin1');
}
