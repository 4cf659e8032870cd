import { createPrivateKey, X509Certificate } from 'node:crypto';
import { AlreadyExistsError, ConflictError, NotFoundError } from '../client/api-error.js';
import type { Cluster } from '../client/cluster.js';
import type { ApiResource } from '../kube/api-resource.js';
import type { Clock } from '../kube/clock.js';
import type { KubeObject } from '../kube/manifest.js';
import { type IssuedPair, issued } from '../tls/issued.js';
import { spareMilliseconds, usualMilliseconds } from '../tls/validity.js';

export const secrets: ApiResource = { apiVersion: 'v1', kind: 'Secret', plural: 'secrets', namespaced: true };

export interface WebhookCertificateOptions {
  readonly cluster: Cluster;
  readonly clock: Clock;
  /** Where the controller lives, and the name that its webhooks' Secret and Service have. */
  readonly namespace: string;
  readonly name: string;
  /** Names of the server beside those of the Service. */
  readonly names?: readonly string[];
}

/**
 * The certificate of the webhooks of all replicas: it is in a Secret, which the first replica makes, and whoever finds it
 * too old makes anew. `ca` vouches for the certificate before, too, so that nothing breaks while replicas change over.
 *
 * **Guarantees.** Replicas that start at once end with the same certificate. The key is nowhere but in the Secret and in
 * memory.
 */
export async function webhookCertificate(options: WebhookCertificateOptions): Promise<IssuedPair> {
  const { cluster, clock, namespace, name, names = [] } = options;
  const write = { fieldManager: `${name}-certificate` };
  const service = `${name}.${namespace}`;
  const wanted = [`${service}.svc`, service, name, `${service}.svc.cluster.local`, ...names];
  for (;;) {
    const found = await cluster.get(secrets, { namespace, name }).catch((error: unknown) => {
      if (error instanceof NotFoundError) return undefined;
      throw error;
    });
    const present = found && pairIn(found);
    if (present && isGood(present, wanted, clock.now())) return present;
    const made = issued({
      authority: name,
      subject: `${service}.svc`,
      names: wanted,
      now: clock.now(),
      validMilliseconds: usualMilliseconds,
    });
    const pair = { ...made, ca: present ? `${made.ca}${firstOf(present.ca)}` : made.ca };
    const body = secretOf(pair, { namespace, name });
    try {
      if (!found) await cluster.create(secrets, body, write);
      else await cluster.update(secrets, { ...found, data: body['data'] } as KubeObject, write);
      return pair;
    } catch (error) {
      // Another replica was faster: what it made is as good. Or what was found is gone by now.
      const isOvertaken = error instanceof AlreadyExistsError || error instanceof ConflictError;
      if (!isOvertaken && !(found && error instanceof NotFoundError)) throw error;
    }
  }
}

/** Milliseconds for which it is still good. */
export function goodFor({ cert }: IssuedPair, now: number): number {
  return Date.parse(new X509Certificate(cert).validTo) - now;
}

/** Milliseconds until it has to be looked at again. */
export function untilStale(pair: IssuedPair, now: number): number {
  return Math.max(0, goodFor(pair, now) - spareMilliseconds);
}

/** True when whoever trusts the authorities `ca` takes this certificate. */
export function isVouchedFor(pair: IssuedPair, ca: string): boolean {
  return ca.includes(firstOf(pair.ca));
}

function isGood(pair: IssuedPair, wanted: readonly string[], now: number): boolean {
  try {
    const certificate = new X509Certificate(pair.cert);
    // What is neither a name of it nor an address at all throws.
    const isNamed = (name: string) => (certificate.checkHost(name) ?? certificate.checkIP(name)) !== undefined;
    return (
      wanted.every(isNamed) &&
      certificate.checkPrivateKey(createPrivateKey(pair.key)) &&
      certificate.verify(new X509Certificate(pair.ca).publicKey) &&
      // Of a node whose clock was ahead: nobody takes it before its time.
      Date.parse(certificate.validFrom) <= now &&
      untilStale(pair, now) > 0
    );
  } catch {
    // Somebody wrote what is no certificate, or no key.
    return false;
  }
}

/** Of several in one text. */
function firstOf(text: string): string {
  return /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----\n?/.exec(text)?.[0] ?? '';
}

function pairIn(secret: KubeObject): IssuedPair | undefined {
  const { data = {} } = secret as KubeObject & { readonly data?: Readonly<Record<string, string>> };
  const [cert, key, ca] = ['tls.crt', 'tls.key', 'ca.crt'].map((name) => data[name]);
  if (cert === undefined || key === undefined || ca === undefined) return undefined;
  const text = (base64: string) => Buffer.from(base64, 'base64').toString();
  return { cert: text(cert), key: text(key), ca: text(ca) };
}

function secretOf({ cert, key, ca }: IssuedPair, { namespace, name }: { namespace: string; name: string }): KubeObject {
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  const labels = { 'app.kubernetes.io/managed-by': 'kilter', 'app.kubernetes.io/component': 'webhooks' };
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace, labels },
    type: 'kubernetes.io/tls',
    data: { 'tls.crt': base64(cert), 'tls.key': base64(key), 'ca.crt': base64(ca) },
  } as unknown as KubeObject;
}
