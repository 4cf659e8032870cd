import type { ClusterConfig } from './cluster-config.js';
import { impersonationFields } from './impersonation.js';
import { type KubeconfigContext, tlsOf } from './kubeconfig-context.js';
import { type Fields, text } from './kubeconfig-files.js';

/** What needs nobody to be asked and no other file to be read. */
const plain = {
  cluster: ['server', 'certificate-authority-data', 'insecure-skip-tls-verify', 'tls-server-name', 'extensions'],
  user: ['token', 'client-certificate-data', 'client-key-data', 'extensions', ...impersonationFields],
};

/**
 * A context of a kubeconfig that holds its credentials itself, as those of kind, k3d, minikube with embedded certificates
 * and the embedded API server do. Undefined for any other: those need a plugin, a proxy or the library, which takes a second to load.
 */
export function plainKubeconfig(context: KubeconfigContext): ClusterConfig | undefined {
  const { name, namespace, server, cluster, user } = context;
  if (!holdsOnly(cluster, plain.cluster) || !holdsOnly(user, plain.user)) return undefined;

  const tls = tlsOf(context, {
    ca: decoded(cluster['certificate-authority-data']),
    cert: decoded(user['client-certificate-data']),
    key: decoded(user['client-key-data']),
    servername: text(cluster['tls-server-name']),
  });
  const token = text(user['token']);
  return {
    server,
    namespace,
    tls: async () => tls,
    authorization: async () => (token === undefined ? undefined : `Bearer ${token}`),
    context: name,
  };
}

function holdsOnly(fields: Fields, known: readonly string[]): boolean {
  return Object.keys(fields).every((field) => known.includes(field));
}

function decoded(value: unknown): string | undefined {
  const base64 = text(value);
  return base64 === undefined ? undefined : Buffer.from(base64, 'base64').toString();
}
