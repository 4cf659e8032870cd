import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { der } from './der.js';

/** What an HTTPS server needs, all PEM. */
export interface Certificates {
  /** Of the authority, for those who call. */
  readonly ca: string;
  readonly certificate: string;
  readonly key: string;
}

const yearMilliseconds = 365 * 24 * 60 * 60 * 1000;
const ecdsaWithSha256 = der.sequence(der.identifier('1.2.840.10045.4.3.2'));

/**
 * A certificate authority of one's own and a certificate of it for this server on loopback. Keys are on the curve P-256
 * and live in memory alone; the authority's is forgotten here, so nothing else can ever be signed with it.
 *
 * https://www.rfc-editor.org/rfc/rfc5280
 */
export function loopbackCertificates(now: number): Certificates {
  const authority = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const server = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  // Two authorities with one name and different keys would be mistaken for each other.
  const issuer = `kilter-embedded-${randomBytes(4).toString('hex')}`;
  const validity = { from: now - 60 * 60 * 1000, to: now + 10 * yearMilliseconds };
  const authorityKeyId = keyIdOf(authority.publicKey);
  const ca = certificate({ subject: issuer, issuer, key: authority.publicKey, validity }, authority.privateKey, [
    extension('2.5.29.19', true, der.sequence(der.boolean(true))),
    // Signs certificates and revocation lists.
    extension('2.5.29.15', true, der.bits(Buffer.from([0x06]), 1)),
    extension('2.5.29.14', false, der.octets(authorityKeyId)),
  ]);
  const serving = certificate(
    { subject: 'kilter embedded API server', issuer, key: server.publicKey, validity },
    authority.privateKey,
    [
      extension('2.5.29.19', true, der.sequence()),
      // Signs handshakes.
      extension('2.5.29.15', true, der.bits(Buffer.from([0x80]), 7)),
      extension('2.5.29.37', false, der.sequence(der.identifier('1.3.6.1.5.5.7.3.1'))),
      extension('2.5.29.35', false, der.sequence(der.tagged(0, false, authorityKeyId))),
      extension('2.5.29.17', false, der.sequence(...names.map(name), ...addresses.map(address))),
    ],
  );
  return {
    ca: pem(ca),
    certificate: pem(serving),
    key: server.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

const names = ['localhost', 'kubernetes', 'kubernetes.default', 'kubernetes.default.svc'];
const addresses = [
  [127, 0, 0, 1],
  [...Array<number>(15).fill(0), 1],
];
const name = (text: string) => der.tagged(2, false, Buffer.from(text));
const address = (bytes: readonly number[]) => der.tagged(7, false, Buffer.from(bytes));

interface Named {
  readonly subject: string;
  readonly issuer: string;
  readonly key: KeyObject;
  readonly validity: { readonly from: number; readonly to: number };
}

function certificate(
  { subject, issuer, key, validity }: Named,
  signer: KeyObject,
  extensions: readonly Buffer[],
): Buffer {
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
  return der.sequence(content, ecdsaWithSha256, der.bits(sign('sha256', content, signer)));
}

function commonName(text: string): Buffer {
  return der.sequence(der.set(der.sequence(der.identifier('2.5.4.3'), der.text(text))));
}

function extension(identifier: string, isCritical: boolean, content: Buffer): Buffer {
  const critical = isCritical ? [der.boolean(true)] : [];
  return der.sequence(der.identifier(identifier), ...critical, der.octets(content));
}

function keyIdOf(key: KeyObject): Buffer {
  return createHash('sha1')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest();
}

function pem(content: Buffer): string {
  const lines = content.toString('base64').match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}
