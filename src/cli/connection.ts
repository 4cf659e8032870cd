import type { Command } from 'commander';
import { connect, type HttpCluster } from '../client/http-cluster.js';
import { kubeConfig } from '../client/kube-config.js';

/** Which cluster a command talks to, as kubectl has it. */
export interface ConnectionOptions {
  readonly kubeconfig?: string;
  readonly context?: string;
}

export function withConnectionOptions(command: Command): Command {
  return command
    .option('--kubeconfig <file>', 'credentials; default: KUBECONFIG, then ~/.kube/config')
    .option('--context <name>', 'a context of the kubeconfig; default: its current one');
}

/** What `use` gives, with a connection that is closed afterwards. */
export async function withCluster<T>(
  { kubeconfig, context }: ConnectionOptions,
  use: (cluster: HttpCluster) => Promise<T>,
): Promise<T> {
  const cluster = connect(await kubeConfig({ path: kubeconfig, context }));
  try {
    return await use(cluster);
  } finally {
    await cluster.close();
  }
}
