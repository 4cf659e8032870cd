import { randomBytes } from 'node:crypto';
import { certificate, extensions, newKeys, privateKey } from './certificate.js';
import type { ServingPair } from './self-signed.js';
import { validity } from './validity.js';

/** What an HTTPS server shows, and what its clients verify it by, all PEM. */
export interface IssuedPair extends ServingPair {
  readonly ca: string;
}

/**
 * A certificate for a server, of an authority that is made for it alone. Keys live in memory; the authority's is forgotten
 * here, so nothing else can ever be signed with it.
 */
export function issued(options: {
  /** The common names of the authority and of the server. */
  readonly authority: string;
  readonly subject: string;
  /** DNS names and addresses. */
  readonly names: readonly string[];
  readonly now: number;
  readonly validMilliseconds: number;
}): IssuedPair {
  const { authority, subject, names, now, validMilliseconds } = options;
  const root = newKeys();
  const server = newKeys();
  // Two authorities with one name and different keys would be mistaken for each other.
  const issuer = `${authority}-${randomBytes(4).toString('hex')}`;
  const valid = validity(now, validMilliseconds);
  const vouching = { subject: issuer, key: root.publicKey, extensions: extensions.authority(root.publicKey) };
  const serving = {
    subject,
    key: server.publicKey,
    extensions: [...extensions.server(names), extensions.issuedBy(root.publicKey)],
  };
  return {
    ca: certificate({ ...vouching, issuer, validity: valid }, root.privateKey),
    cert: certificate({ ...serving, issuer, validity: valid }, root.privateKey),
    key: privateKey(server.privateKey),
  };
}
