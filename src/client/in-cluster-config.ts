import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { OperatorError } from '../kube/errors.js';
import type { ClusterConfig, TlsOptions } from './cluster-config.js';

/** https://kubernetes.io/docs/tasks/run-application/access-api-from-pod/#directly-accessing-the-rest-api */
const serviceAccountFolder = '/var/run/secrets/kubernetes.io/serviceaccount';

/**
 * The credentials that a Pod finds in its files. Token and CA are read again when their files change, so a rotation
 * needs no restart. Throws `OperatorError` when this is no Pod.
 */
export async function inClusterConfig({
  host,
  port,
  folder = serviceAccountFolder,
}: {
  /** `KUBERNETES_SERVICE_HOST`. */
  readonly host: string | undefined;
  /** `KUBERNETES_SERVICE_PORT`. */
  readonly port: string | undefined;
  readonly folder?: string;
}): Promise<ClusterConfig> {
  if (!host || !port) {
    throw new OperatorError('in-cluster configuration failed: KUBERNETES_SERVICE_HOST and _PORT are not set', {
      hint: 'outside a cluster name a kubeconfig with --kubeconfig or KUBECONFIG',
    });
  }
  const token = new FileOnDemand(join(folder, 'token'), (text) => text.trim());
  const ca = new FileOnDemand(join(folder, 'ca.crt'), (text): TlsOptions => ({ ca: text }));
  const namespace = new FileOnDemand(join(folder, 'namespace'), (text) => text.trim());
  await token.read();
  return {
    server: `https://${host.includes(':') ? `[${host}]` : host}:${port}`,
    namespace: await namespace.read(),
    tls: () => ca.read(),
    authorization: async ({ refresh = false } = {}) => `Bearer ${await token.read(refresh)}`,
  };
}

/** A file's content, read again when the file is another one or was written. */
class FileOnDemand<T> {
  #stamp = '';
  #content: T | undefined;

  constructor(
    private readonly path: string,
    private readonly parse: (text: string) => T,
  ) {}

  async read(refresh = false): Promise<T> {
    const { ino, mtimeMs, size } = await stat(this.path);
    const stamp = `${ino} ${mtimeMs} ${size}`;
    if (refresh || stamp !== this.#stamp || this.#content === undefined) {
      this.#content = this.parse(await readFile(this.path, 'utf8'));
      this.#stamp = stamp;
    }
    return this.#content;
  }
}
