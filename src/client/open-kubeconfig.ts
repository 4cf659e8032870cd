import type { ClusterConfig, TlsOptions } from './cluster-config.js';
import type { KubeconfigContext } from './kubeconfig-context.js';

/**
 * A context of a kubeconfig whose server has no TLS, as that of `kubectl proxy` has none. No credentials of its user are
 * asked for, nor shown there, where anybody may hear them: kubectl does neither. Undefined for any other.
 */
export function openKubeconfig({ name, namespace, server }: KubeconfigContext): ClusterConfig | undefined {
  if (!/^http:/i.test(server)) return undefined;
  const tls: TlsOptions = {};
  return { server, namespace, tls: async () => tls, authorization: async () => undefined, context: name };
}
