import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { TransportError } from '../client/api-error.js';
import { environmentConfig } from '../client/environment-config.js';
import { connect, type HttpCluster } from '../client/http-cluster.js';
import { defaultKubeconfig } from '../client/kubeconfig-files.js';
import { OperatorError } from '../kube/errors.js';

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
  const config = await environmentConfig(process.env, { ...choice, kubeconfig: named(choice) });
  const cluster = connect(config);
  try {
    return await use(cluster);
  } catch (error) {
    throw error instanceof TransportError ? unreached(error, config.server) : error;
  } finally {
    await cluster.close();
  }
}

/** Where nobody has answered, and nothing is known of why, it may be another server than the one that is meant. */
function unreached(error: TransportError, server: string): OperatorError {
  const { message, cause, status } = error;
  if (status?.code !== undefined || error.hint !== undefined) return error;
  return new OperatorError(message, {
    cause,
    hint: `see whether ${server} is the API server that is meant, and runs; --context and --kubeconfig choose another`,
  });
}

/** A person's own kubeconfig wins over the account of the Pod that they work in. Undefined where the environment decides. */
function named({ kubeconfig }: ConnectionOptions): string | undefined {
  const own = defaultKubeconfig(process.env['HOME']);
  return kubeconfig ?? (!process.env['KUBECONFIG'] && existsSync(own) ? own : undefined);
}
