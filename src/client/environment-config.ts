import type { ClusterConfig } from './cluster-config.js';
import { inClusterConfig } from './in-cluster-config.js';
import { kubeConfig } from './kube-config.js';
import type { Environment } from './kubeconfig-files.js';

export type { Environment } from './kubeconfig-files.js';

export interface ConfigChoice {
  readonly kubeconfig?: string | undefined;
  readonly context?: string | undefined;
}

/** In a Pod the credentials in its files, unless a kubeconfig is named; elsewhere a kubeconfig. */
export async function environmentConfig(
  environment: Environment,
  { kubeconfig, context }: ConfigChoice = {},
): Promise<ClusterConfig> {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port, KUBECONFIG } = environment;
  const isInPod = host !== undefined && kubeconfig === undefined && context === undefined && !KUBECONFIG;
  return isInPod ? inClusterConfig({ host, port }) : kubeConfig({ path: kubeconfig, context, environment });
}
