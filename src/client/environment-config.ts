import type { Environment } from '../kube/environment.js';
import type { ClusterConfig } from './cluster-config.js';
import { inClusterConfig } from './in-cluster-config.js';
import { kubeConfig } from './kube-config.js';
import { proxyOf } from './proxy.js';

/** Which cluster is meant, in place of what the environment says. */
export interface ConfigChoice {
  /** The path of a kubeconfig. */
  readonly kubeconfig?: string | undefined;
  /** A context of the kubeconfig. Default: its current one. */
  readonly context?: string | undefined;
}

/**
 * In a Pod the credentials in its files, unless a kubeconfig is named, be it by the environment; elsewhere a kubeconfig. A proxy is that of the
 * kubeconfig, or else that of the environment.
 */
export async function environmentConfig(
  environment: Environment,
  { kubeconfig, context }: ConfigChoice = {},
): Promise<ClusterConfig> {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port, KUBECONFIG } = environment;
  const isInPod = host !== undefined && kubeconfig === undefined && context === undefined && !KUBECONFIG;
  const config = isInPod
    ? await inClusterConfig({ host, port })
    : await kubeConfig({ path: kubeconfig, context, environment });
  const proxyUrl = config.proxyUrl ?? proxyOf(environment, config.server);
  return proxyUrl === undefined ? config : { ...config, proxyUrl };
}
