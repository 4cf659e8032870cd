import { type Clock, systemClock } from '../kube/clock.js';
import { OperatorError } from '../kube/errors.js';
import type { ControllerOptions } from './controllers/start-controllers.js';
import { admin, EmbeddedServer } from './embedded-server.js';
import { type HttpServer, serve } from './http/serve.js';
import { type ClusterIdentity, type ClusterState, newIdentity } from './state/cluster-state.js';

export interface LocalClusterOptions {
  readonly clock?: Clock;
  /** Default: the one that an earlier cluster of this identity had, if it is free; else any that is. */
  readonly port?: number;
  /** Where an earlier one ended. Default: a new cluster. */
  readonly state?: ClusterState;
  readonly controllers?: ControllerOptions;
  /** Told of faults of the server itself. */
  readonly onFault?: (error: unknown) => void;
}

/** A Kubernetes cluster in this process, for every client on this machine that has a token. */
export interface LocalCluster {
  readonly server: EmbeddedServer;
  readonly url: string;
  readonly identity: ClusterIdentity;
  /** A kubeconfig as text: without a token for the administrator. */
  kubeconfig(options?: { readonly token?: string; readonly namespace?: string }): string;
  /** A token of a ServiceAccount that is there, good for a year. */
  tokenOf(namespace: string, serviceAccount: string): string;
  /** Ends everything. The objects stay to be saved. */
  close(): Promise<void>;
}

const yearSeconds = 365 * 24 * 60 * 60;

/** Starts a cluster: the embedded API server with its small controllers, behind HTTPS on a port of loopback. */
export async function startLocalCluster(options: LocalClusterOptions = {}): Promise<LocalCluster> {
  const { clock = systemClock, state, controllers, onFault } = options;
  const identity = state?.identity ?? newIdentity(clock.now());
  const server = new EmbeddedServer({
    clock,
    ...(state ? { state } : {}),
    tokenKey: identity.tokenKey,
    tokens: { [identity.adminToken]: admin },
    controllers: { ...controllers, rootCertificate: identity.certificates.ca },
  });
  try {
    const http = await listen(options, identity, (port) =>
      serve({
        verbs: server.verbs,
        kinds: server.kinds,
        clock,
        random: server.random,
        desk: server.desk,
        certificates: identity.certificates,
        port,
        ...(onFault ? { onFault } : {}),
      }),
    );
    return {
      server,
      url: http.url,
      identity: { ...identity, port: Number(new URL(http.url).port) },
      kubeconfig: ({ token = identity.adminToken, namespace } = {}) => http.kubeconfig(token, namespace),
      tokenOf(namespace, name) {
        const account = server.store.get('serviceaccounts', namespace, name);
        if (!account) throw new OperatorError(`ServiceAccount/${namespace}/${name} is not there`);
        const { tokens } = server.desk;
        return tokens.issue(account, { audiences: [tokens.issuer], expirationSeconds: yearSeconds });
      },
      async close() {
        await http.close();
        server.stop();
      },
    };
  } catch (error) {
    server.stop();
    throw error;
  }
}

async function listen(
  { port }: LocalClusterOptions,
  identity: ClusterIdentity,
  open: (port: number) => Promise<HttpServer>,
): Promise<HttpServer> {
  const isTaken = (error: unknown) => (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
  try {
    return await open(port ?? identity.port ?? 0);
  } catch (cause) {
    if (isTaken(cause) && port === undefined) return open(0);
    throw new OperatorError(`listening on port ${port ?? identity.port ?? 0} of 127.0.0.1 failed`, {
      cause,
      ...(isTaken(cause) ? { hint: 'another process has it: choose another port' } : {}),
    });
  }
}
