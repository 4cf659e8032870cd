import { rm, writeFile } from 'node:fs/promises';
import { type LocalCluster, startLocalCluster } from '../../embedded/local-cluster.js';
import type { ClusterState } from '../../embedded/state/cluster-state.js';
import { StateKeeper } from '../../embedded/state/state-keeper.js';
import { stateOf } from '../../embedded/state/state-text.js';
import { groupOf, versionOf } from '../../kube/api-resource.js';
import type { Clock } from '../../kube/clock.js';
import { OperatorError } from '../../kube/errors.js';
import type { Manifest } from '../../kube/manifest.js';
import { refOf, show } from '../../kube/object-ref.js';
import type { Connection } from './messages.js';
import type { StateFile } from './state-file.js';

export interface DevClusterOptions {
  readonly stateFile: StateFile;
  /** Where its kubeconfig is written. */
  readonly kubeconfig: string;
  /** Ignores what an earlier one left. */
  readonly fresh: boolean;
  readonly port: number | undefined;
  readonly clock: Clock;
  readonly report: (error: unknown) => void;
}

/** An embedded cluster that outlives its process, in a file. */
export class DevCluster {
  readonly #keeper: StateKeeper;

  private constructor(
    private readonly options: DevClusterOptions,
    private readonly cluster: LocalCluster,
    /** How many objects an earlier one left; undefined for a new cluster. */
    readonly found: number | undefined,
  ) {
    const { stateFile: storage, clock, report } = options;
    this.#keeper = new StateKeeper({
      store: cluster.server.store,
      identity: cluster.identity,
      storage,
      clock,
      report,
    });
  }

  /** Throws `OperatorError` when there is a state that cannot be read, or that another process has. */
  static async start(options: DevClusterOptions): Promise<DevCluster> {
    const { stateFile, kubeconfig, fresh, port, clock, report } = options;
    await stateFile.lock();
    try {
      const state = fresh ? undefined : await stateIn(stateFile);
      const cluster = await startLocalCluster({
        clock,
        onFault: report,
        ...(state ? { state } : {}),
        ...(port === undefined ? {} : { port }),
      });
      try {
        // A file that is there keeps its mode, whatever is asked for.
        await rm(kubeconfig, { force: true });
        await writeFile(kubeconfig, cluster.kubeconfig(), { mode: 0o600 });
      } catch (cause) {
        await cluster.close();
        throw new OperatorError(`writing the kubeconfig ${kubeconfig} failed`, { cause });
      }
      return new DevCluster(options, cluster, state && [...state.objects].length);
    } catch (error) {
      await stateFile.unlock();
      throw error;
    }
  }

  get url(): string {
    return this.cluster.url;
  }

  /** How a ServiceAccount that is there reaches it. */
  connectionOf(namespace: string, serviceAccount: string): Connection {
    return {
      server: this.cluster.url,
      ca: this.cluster.identity.certificates.ca,
      token: this.cluster.tokenOf(namespace, serviceAccount),
    };
  }

  /** Server-side apply, as whoever sets up a cluster. Throws `OperatorError` in the server's words. */
  async apply(manifest: Manifest, fieldManager: string): Promise<void> {
    const { apiVersion, kind, metadata } = manifest;
    const { server } = this.cluster;
    const served = server.kinds.kind(groupOf(apiVersion), versionOf(apiVersion), kind);
    if (!served) {
      throw new OperatorError(`${show(refOf(manifest))} apply failed: ${kind} of ${apiVersion} is not served`, {
        hint: 'put a CustomResourceDefinition that serves it among the samples: from operators come those of their own kinds alone',
      });
    }
    const resource = { apiVersion, kind, plural: served.plural, namespaced: served.namespaced };
    const placed = served.namespaced ? { ...manifest, metadata: { namespace: 'default', ...metadata } } : manifest;
    await server.cluster().apply(resource, placed, { fieldManager, fieldValidation: 'Strict', force: true });
  }

  /** Ends it, and saves it for the last time. */
  async close(): Promise<void> {
    const { stateFile, kubeconfig } = this.options;
    await this.cluster.close();
    await rm(kubeconfig, { force: true });
    try {
      await this.#keeper.stop();
    } finally {
      await stateFile.unlock();
    }
  }
}

async function stateIn(stateFile: StateFile): Promise<ClusterState | undefined> {
  const text = await stateFile.read();
  if (text === undefined) return undefined;
  try {
    return stateOf(text, stateFile.path);
  } catch (cause) {
    const { message, hint } = cause as OperatorError;
    throw new OperatorError(message, { cause, hint: `${hint}; --fresh does without it, and replaces it` });
  }
}
