import type { Cluster } from '../client/cluster.js';
import { type ConfigChoice, environmentConfig } from '../client/environment-config.js';
import { connect as connectTo } from '../client/http-cluster.js';
import type { Environment } from '../kube/environment.js';
import { OperatorError } from '../kube/errors.js';

/** A way to an API server, and the namespace that is meant where none is named. */
export interface Connection extends Cluster {
  readonly namespace: string;
  close(): Promise<void>;
}

/**
 * Connects as a kubeconfig says that `KUBECONFIG` or `choice` names; if none is named, as the account of the Pod that this program runs
 * in, or elsewhere by `~/.kube/config`. The environment is handed in: `await connect(process.env)`.
 *
 * Throws `OperatorError` where there is no environment, there are no credentials, no kubeconfig that can be read, or a proxy that
 * cannot be used.
 */
export async function connect(environment: Environment, choice: ConfigChoice = {}): Promise<Connection> {
  if (typeof environment !== 'object' || environment === null) {
    throw new OperatorError('connecting needs an environment', { hint: 'hand one in: await connect(process.env)' });
  }
  return connectTo(await environmentConfig(environment, choice));
}
