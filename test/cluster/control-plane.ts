import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { type AuditEvent, readAudit } from './audit.js';
import { findBinaries } from './binaries.js';
import { freePorts, type Ports } from './free-ports.js';
import { end, GuardedFolder } from './guarded-folder.js';
import { kubeconfigOf } from './kubeconfig.js';
import { type Kubectl, kubectlOf } from './kubectl.js';
import { type ServerOptions, type Servers, startManager, startServers } from './programs.js';
import { PortTakenError } from './until-ready.js';

export interface ControlPlaneOptions extends ServerOptions {
  /** Runs kube-controller-manager too: garbage collection, namespaces, workloads. Pods stay Pending, for want of nodes. */
  readonly controllerManager?: boolean;
  /** Told what takes long: the build of the binaries. */
  readonly progress?: (line: string) => void;
}

/** A Kubernetes control plane of one's own, on loopback. */
export interface ControlPlane {
  readonly url: string;
  /** PEM. */
  readonly ca: string;
  readonly adminToken: string;
  /** The path of a kubeconfig with all rights, as the user `admin`. */
  readonly kubeconfig: string;
  /** `v1.36.3`, unless `KUBEBUILDER_ASSETS` names another. */
  readonly version: string;
  /** The folder of kubectl and the others. */
  readonly binaries: string;
  /** The path of a kubeconfig for a ServiceAccount, which is created when it is not there. */
  serviceAccountKubeconfig(namespace: string, name: string): Promise<string>;
  /** A token by TokenRequest for a ServiceAccount, which is created when it is not there. */
  serviceAccountToken(namespace: string, name: string): Promise<string>;
  readonly kubectl: Kubectl;
  /** What was asked of the API server so far. Needs the option `audit`. */
  audit(): Promise<AuditEvent[]>;
  /** Ends everything and leaves nothing behind. */
  stop(): Promise<void>;
}

/** One whose servers can be handled. */
export interface RealControlPlane
  extends ControlPlane,
    Pick<Servers, 'compact' | 'backUp' | 'another' | 'etcdUrl' | 'restartEtcd'> {
  /**
   * Ends all of them, and starts them as they were started before. kube-controller-manager, too: an owner that is deleted and
   * made again under its name while the server is away is to its garbage collector one that was updated, and what the first
   * one had stays until it is started anew: https://github.com/kubernetes/kubernetes/blob/v1.36.0/pkg/controller/garbagecollector/graph_builder.go
   */
  restart(): Promise<void>;
}

const tries = 5;

/**
 * Starts etcd and kube-apiserver, and kube-controller-manager where asked for, on random ports of loopback.
 *
 * **Guarantees.** Ready for requests when it resolves. Several at once do not meet. Should this process be killed, the
 * processes and their folder go with it. Throws `NoBinariesError` where there is nothing to start, and otherwise an
 * error that shows the end of the log of what did not come up. A port that was lost to somebody else is tried anew.
 */
export async function startControlPlane(
  options: ControlPlaneOptions = {},
  ports = freePorts,
): Promise<RealControlPlane> {
  const binaries = await findBinaries(options.progress);
  for (let attempt = 1; ; attempt++) {
    const folder = new GuardedFolder();
    try {
      return await start(binaries, folder, options, ports);
    } catch (error) {
      await folder.clear();
      if (!(error instanceof PortTakenError) || attempt === tries) throw error;
    }
  }
}

async function start(
  binaries: string,
  folder: GuardedFolder,
  options: ControlPlaneOptions,
  ports: Ports,
): Promise<RealControlPlane> {
  const servers = await startServers(binaries, folder, options, ports);
  const { url, ca, version, adminToken } = servers;
  const kubeconfig = folder.write('admin.kubeconfig', kubeconfigOf({ url, ca, token: adminToken }));
  const kubectl = kubectlOf(join(binaries, 'kubectl'), kubeconfig, folder.environment);

  let manager: ChildProcess | undefined;
  const manage = async () => {
    manager = await startManager(binaries, folder, servers, async () => {
      // Before this account exists no Pod is admitted.
      const account = await kubectl(['get', 'serviceaccount', 'default', '-n', 'default'], { allowFailure: true });
      return account.exitCode === 0;
    });
  };
  if (options.controllerManager) await manage();

  const serviceAccountToken = async (namespace: string, name: string) => {
    // Where it exists already, or was created by somebody else at this moment, the token tells.
    await kubectl(['create', 'serviceaccount', name, '-n', namespace], { allowFailure: true });
    return (await kubectl(['create', 'token', name, '-n', namespace, '--duration=24h'])).stdout.trim();
  };
  return {
    url,
    ca,
    adminToken,
    kubeconfig,
    version,
    binaries,
    kubectl,
    serviceAccountToken,
    async serviceAccountKubeconfig(namespace, name) {
      const token = await serviceAccountToken(namespace, name);
      return folder.write(`${namespace}-${name}.kubeconfig`, kubeconfigOf({ url, ca, token, namespace }));
    },
    compact: servers.compact,
    async restart() {
      await end(manager);
      await servers.restart();
      if (manager) await manage();
    },
    backUp: servers.backUp,
    another: servers.another,
    etcdUrl: servers.etcdUrl,
    restartEtcd: servers.restartEtcd,
    async audit() {
      if (!options.audit) throw new Error('this control plane keeps no audit log: start it with { audit: true }');
      return readAudit(folder.file('audit.log'));
    },
    async stop() {
      // In this order each finds what it needs to end well: the server waits for the watches of the manager.
      await end(manager);
      await servers.stop();
      await folder.clear();
    },
  };
}
