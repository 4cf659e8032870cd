import { certificate, extensions, newKeys, privateKey } from './certificate.js';
import { validity } from './validity.js';

/** A certificate and its key, PEM, as an HTTPS server takes them. */
export interface ServingPair {
  readonly cert: string;
  readonly key: string;
}

/**
 * A certificate that vouches for itself, for a server whose clients have no authority to ask: it keeps what is said
 * from those who only listen, and proves nothing to who wants to know whom they talk to.
 */
export function selfSigned(options: {
  readonly subject: string;
  readonly names: readonly string[];
  readonly now: number;
  readonly validMilliseconds: number;
}): ServingPair {
  const { subject, names, now, validMilliseconds } = options;
  const keys = newKeys();
  const content = {
    subject,
    issuer: subject,
    key: keys.publicKey,
    validity: validity(now, validMilliseconds),
    extensions: extensions.server(names),
  };
  return { cert: certificate(content, keys.privateKey), key: privateKey(keys.privateKey) };
}
