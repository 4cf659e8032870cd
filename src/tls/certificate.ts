import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isIPv4, isIPv6 } from 'node:net';
import { der } from './der.js';

/** A pair of keys on the curve P-256, in memory alone. */
export function newKeys(): { readonly publicKey: KeyObject; readonly privateKey: KeyObject } {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' });
}

export interface CertificateContent {
  /** The common names of whom it is about, and of who vouches for that. */
  readonly subject: string;
  readonly issuer: string;
  readonly key: KeyObject;
  /** Milliseconds since the epoch. */
  readonly validity: { readonly from: number; readonly to: number };
  readonly extensions: readonly Buffer[];
}

/** A certificate, PEM, signed by an elliptic key. https://www.rfc-editor.org/rfc/rfc5280 */
export function certificate(
  { subject, issuer, key, validity, extensions }: CertificateContent,
  signer: KeyObject,
): string {
  const content = der.sequence(
    // Version 3.
    der.tagged(0, true, der.integer(Buffer.from([2]))),
    der.integer(randomBytes(16)),
    ecdsaWithSha256,
    commonName(issuer),
    der.sequence(der.time(validity.from), der.time(validity.to)),
    commonName(subject),
    key.export({ type: 'spki', format: 'der' }),
    der.tagged(3, true, der.sequence(...extensions)),
  );
  return pem(der.sequence(content, ecdsaWithSha256, der.bits(sign('sha256', content, signer))));
}

/** A private key, PEM. */
export function privateKey(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString();
}

/** Extensions that say what a certificate is for. */
export const extensions = {
  /** It may vouch for others, and revoke what it said. */
  authority: (key: KeyObject): readonly Buffer[] => [
    extension('2.5.29.19', true, der.sequence(der.boolean(true))),
    extension('2.5.29.15', true, der.bits(Buffer.from([0x06]), 1)),
    extension('2.5.29.14', false, der.octets(keyId(key))),
  ],
  /** A server proves with it that it is one of `names`, DNS names or addresses. */
  server: (names: readonly string[]): readonly Buffer[] => [
    extension('2.5.29.19', true, der.sequence()),
    // Signs handshakes.
    extension('2.5.29.15', true, der.bits(Buffer.from([0x80]), 7)),
    extension('2.5.29.37', false, der.sequence(der.identifier('1.3.6.1.5.5.7.3.1'))),
    extension('2.5.29.17', false, der.sequence(...names.map(alternativeName))),
  ],
  /** Which of the authorities of one name vouches for it. */
  issuedBy: (key: KeyObject): Buffer => extension('2.5.29.35', false, der.sequence(der.tagged(0, false, keyId(key)))),
};

const ecdsaWithSha256 = der.sequence(der.identifier('1.2.840.10045.4.3.2'));

function alternativeName(name: string): Buffer {
  if (isIPv4(name)) return der.tagged(7, false, Buffer.from(name.split('.').map(Number)));
  if (isIPv6(name)) return der.tagged(7, false, ipv6Bytes(name));
  return der.tagged(2, false, Buffer.from(name));
}

/** The URL parser knows all spellings of an address, and writes the one without zeros and dotted parts. */
function ipv6Bytes(address: string): Buffer {
  const [head = '', tail = ''] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const groups = (text: string) => (text === '' ? [] : text.split(':'));
  const zeros = Array<string>(8 - groups(head).length - groups(tail).length).fill('0');
  return Buffer.from(
    [...groups(head), ...zeros, ...groups(tail)].map((group) => group.padStart(4, '0')).join(''),
    'hex',
  );
}

function commonName(text: string): Buffer {
  return der.sequence(der.set(der.sequence(der.identifier('2.5.4.3'), der.text(text))));
}

function extension(identifier: string, isCritical: boolean, content: Buffer): Buffer {
  const critical = isCritical ? [der.boolean(true)] : [];
  return der.sequence(der.identifier(identifier), ...critical, der.octets(content));
}

function keyId(key: KeyObject): Buffer {
  return createHash('sha1')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest();
}

function pem(content: Buffer): string {
  const lines = content.toString('base64').match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}
