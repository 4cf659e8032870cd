import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { ClusterRoleBinding, CustomResourceDefinition, Namespace } from '../../../imports/k8s.js';
import { AlreadyExistsError } from '../../../src/client/api-error.js';
import { connect, type HttpCluster } from '../../../src/client/http-cluster.js';
import { kubeConfig } from '../../../src/client/kube-config.js';
import type { KubeObject, Manifest, Operator } from '../../../src/index.js';
import type { ApiResource } from '../../../src/kube/api-resource.js';
import { systemClock } from '../../../src/kube/clock.js';
import { createLog } from '../../../src/runtime/log.js';
import { type Controller, runController } from '../../../src/runtime/run-controller.js';
import { type AuditEvent, writesOf } from '../../cluster/audit.js';
import type { ControlPlane } from '../../cluster/control-plane.js';
import { eventually } from '../../cluster/eventually.js';

export interface LogLine {
  readonly level: string;
  readonly msg: string;
  readonly [field: string]: unknown;
}

/** The production controller on a control plane, under an account of its own, and what can be seen of it. */
export class Stage {
  readonly lines: LogLine[] = [];
  #running: { readonly stop: AbortController; readonly controller: Controller } | undefined;

  private constructor(
    readonly plane: ControlPlane,
    /** Whoever is not the controller. */
    readonly admin: HttpCluster,
    private readonly client: HttpCluster,
  ) {}

  static async on(plane: ControlPlane): Promise<Stage> {
    const admin = connect(await kubeConfig({ path: plane.kubeconfig }));
    const client = connect(await kubeConfig({ path: await plane.serviceAccountKubeconfig('default', 'sampler') }));
    const stage = new Stage(plane, admin, client);
    // It may whatever its children may: what RBAC refuses is tested elsewhere.
    await stage.create(ClusterRoleBinding, {
      metadata: { name: 'sampler' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
      subjects: [{ kind: 'ServiceAccount', namespace: 'default', name: 'sampler' }],
    });
    return stage;
  }

  /** Installs definitions of kinds, and waits until they are served. */
  async install(definitions: readonly Manifest[]): Promise<void> {
    for (const { metadata, ...body } of definitions) {
      await this.create(CustomResourceDefinition, { metadata, ...body });
      await this.plane.kubectl(['wait', '--for=condition=Established', `crd/${metadata.name}`, '--timeout=30s']);
    }
  }

  async namespace(name: string): Promise<void> {
    await this.create(Namespace, { metadata: { name } }).catch((error: unknown) => {
      if (!(error instanceof AlreadyExistsError)) throw error;
    });
  }

  create(
    { apiVersion, kind, ...resource }: ApiResource,
    body: object,
    manager = 'kubectl-create',
  ): Promise<KubeObject> {
    const manifest = { apiVersion, kind, ...body } as unknown as Manifest;
    return this.admin.create({ apiVersion, kind, ...resource }, manifest, { fieldManager: manager });
  }

  async start(operators: readonly Operator[]): Promise<void> {
    const stop = new AbortController();
    setMaxListeners(0, stop.signal);
    const write = (line: string) => this.lines.push(JSON.parse(line) as LogLine);
    const controller = runController(
      {
        operators,
        cluster: this.client,
        clock: systemClock,
        random: Math.random,
        log: createLog({ level: 'info', format: 'json', write }),
        maxConcurrentReconciles: 8,
      },
      stop.signal,
    );
    this.#running = { stop, controller };
    await controller.synced();
  }

  async stop(): Promise<void> {
    this.#running?.stop.abort(new Error('stopped by the test'));
    await this.#running?.controller.stopped;
    this.#running = undefined;
  }

  async close(): Promise<void> {
    await this.stop();
    await this.client.close();
    await this.admin.close();
  }

  /** Until the controller has had nothing to do for half a second. */
  async quiet(): Promise<void> {
    for (let rounds = 0; rounds < 10; ) {
      rounds = this.#running?.controller.isIdle ? rounds + 1 : 0;
      await sleep(50);
    }
  }

  /** What the controller has written of children and of custom resources, without events. */
  async writes(): Promise<AuditEvent[]> {
    const all = writesOf(await this.plane.audit(), 'system:serviceaccount:default:sampler');
    return all.filter(({ objectRef }) => objectRef?.resource !== 'events');
  }

  /** What of that came about by `during`. */
  async writesDuring(during: () => Promise<unknown>): Promise<AuditEvent[]> {
    const before = (await this.writes()).length;
    await during();
    return (await this.writes()).slice(before);
  }

  /** Waits until a custom resource says what became of it, and returns what its condition Stalled says. */
  async settled(
    resource: ApiResource,
    target: { readonly namespace?: string; readonly name: string },
  ): Promise<string | undefined> {
    return eventually(async () => {
      const { status, metadata } = (await this.admin.get(resource, target)) as Reconciled;
      if (status?.observedGeneration !== metadata.generation) throw new Error(`${target.name} was not reconciled yet`);
      return status?.conditions?.find(({ type, status: is }) => type === 'Stalled' && is === 'True')?.message;
    }, 60);
  }
}

type Reconciled = KubeObject & {
  readonly status?: {
    readonly observedGeneration?: number;
    readonly conditions?: readonly { readonly type: string; readonly status: string; readonly message: string }[];
  };
};
