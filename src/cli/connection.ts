import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { environmentConfig } from '../client/environment-config.js';
import { connect, type HttpCluster } from '../client/http-cluster.js';
import { defaultKubeconfig } from '../client/kubeconfig-files.js';

/** Which cluster a command talks to, as kubectl has it. */
export interface ConnectionOptions {
  readonly kubeconfig?: string;
  readonly context?: string;
}

export function withConnectionOptions(command: Command): Command {
  return command
    .option('--kubeconfig <file>', 'credentials; default: KUBECONFIG, then ~/.kube/config, then the account of the Pod')
    .option('--context <name>', 'a context of the kubeconfig; default: its current one');
}

/** What `use` gives, with a connection that is closed afterwards. */
export async function withCluster<T>(choice: ConnectionOptions, use: (cluster: HttpCluster) => Promise<T>): Promise<T> {
  const cluster = connect(await environmentConfig(process.env, { ...choice, kubeconfig: named(choice) }));
  try {
    return await use(cluster);
  } finally {
    await cluster.close();
  }
}

/** A person's own kubeconfig wins over the account of the Pod that they work in. Undefined where the environment decides. */
function named({ kubeconfig }: ConnectionOptions): string | undefined {
  const own = defaultKubeconfig(process.env['HOME']);
  return kubeconfig ?? (!process.env['KUBECONFIG'] && existsSync(own) ? own : undefined);
}
