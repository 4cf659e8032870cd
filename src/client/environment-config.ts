import type { ClusterConfig } from './cluster-config.js';
import { inClusterConfig } from './in-cluster-config.js';
import { kubeConfig } from './kube-config.js';

/** The environment of a process, of which what is read has a name here. */
export type Environment = Readonly<Record<string, string | undefined>>;

export interface ConfigChoice {
  readonly kubeconfig?: string | undefined;
  readonly context?: string | undefined;
}

/** In a Pod the credentials in its files, unless a kubeconfig is named; elsewhere a kubeconfig. */
export async function environmentConfig(
  { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port, KUBECONFIG }: Environment,
  { kubeconfig, context }: ConfigChoice = {},
): Promise<ClusterConfig> {
  const isInPod = host !== undefined && kubeconfig === undefined && context === undefined && KUBECONFIG === undefined;
  return isInPod ? inClusterConfig({ host, port }) : kubeConfig({ path: kubeconfig ?? KUBECONFIG, context });
}
