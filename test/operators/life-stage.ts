import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { connect, type HttpCluster } from '../../src/client/http-cluster.js';
import { kubeConfig } from '../../src/client/kube-config.js';
import type { Condition, Observed, Operator } from '../../src/index.js';
import { type ApiResource, groupOf } from '../../src/kube/api-resource.js';
import { systemClock } from '../../src/kube/clock.js';
import type { Manifest } from '../../src/kube/manifest.js';
import { silentLog } from '../../src/runtime/log.js';
import { type Controller, type ControllerOptions, runController } from '../../src/runtime/run-controller.js';
import { type AuditEvent, readsOf, writesOf } from '../cluster/audit.js';
import type { ControlPlane } from '../cluster/control-plane.js';
import { applyInWaves, operatorDeployment, readDist, serviceAccountOf } from '../cluster/dist.js';
import { eventually } from '../cluster/eventually.js';
import { markPodsReady, placeDaemonPods } from '../cluster/kubelet-stand-in.js';

/** What every status has, beside the fields of its kind. */
export interface CommonStatus {
  readonly observedGeneration?: number;
  readonly conditions?: readonly Condition[];
}

/** A class of `imports/` or a custom resource's, for its kind and its type. */
type KindOf<T> = ApiResource & (abstract new (...parameters: never) => { readonly object?: T });

/**
 * Where an operator lives its life: its rendered install on a control plane, and its controller in this process, as the
 * ServiceAccount that is rendered, with the rights that are rendered.
 */
export class LifeStage {
  readonly namespace = 'default';
  #admin: HttpCluster | undefined;
  #account: HttpCluster | undefined;
  #username = '';
  #running: { readonly stop: AbortController; readonly controller: Controller } | undefined;

  /** In a suite of `onEveryCluster`: installs and starts the operators before its tests, and ends everything after them. */
  constructor(
    private readonly plane: () => ControlPlane,
    private readonly operators: readonly Operator[],
    private readonly options: Partial<ControllerOptions> = {},
  ) {
    beforeAll(() => this.#open(), 60_000);
    afterAll(() => this.#close());
  }

  get admin(): HttpCluster {
    if (!this.#admin) throw new Error('the stage is not open yet: use it inside a test');
    return this.#admin;
  }

  /** The operator's connection: what is asked through it is asked with its rights. */
  get account(): HttpCluster {
    if (!this.#account) throw new Error('the stage is not open yet: use it inside a test');
    return this.#account;
  }

  async start(operators: readonly Operator[] = this.operators): Promise<void> {
    const stop = new AbortController();
    setMaxListeners(0, stop.signal);
    const controller = runController(
      {
        cluster: this.account,
        clock: systemClock,
        random: Math.random,
        log: silentLog,
        ...this.options,
        operators,
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

  /** As `kubectl apply` does. */
  async apply(manifest: object, options: { readonly allowFailure?: boolean } = {}) {
    return this.plane().kubectl(['apply', '-f', '-'], { stdin: JSON.stringify(manifest), ...options });
  }

  /** As `kubectl patch` does. */
  async patch(kind: ApiResource, name: string, patch: object, type: 'merge' | 'strategic' = 'merge'): Promise<void> {
    const resource = `${kind.plural}.${groupOf(kind.apiVersion)}`.replace(/\.$/, '');
    await this.plane().kubectl(['patch', resource, name, `--type=${type}`, '-p', JSON.stringify(patch)]);
  }

  async get<T>(kind: KindOf<T>, name: string): Promise<Observed<T>> {
    const target = kind.namespaced ? { namespace: this.namespace, name } : { name };
    return (await this.admin.get(kind, target)) as unknown as Observed<T>;
  }

  /** Whether it exists is told by `kubectl get` and by nothing else, so that a wrong path is no absence. */
  async names(kind: ApiResource): Promise<readonly string[]> {
    const { items } = await this.admin.list(kind, kind.namespaced ? { namespace: this.namespace } : {});
    return items.map(({ metadata }) => metadata.name).sort();
  }

  async status<T extends CommonStatus = CommonStatus>(kind: KindOf<unknown>, name: string): Promise<T> {
    return (((await this.get(kind, name)) as { status?: T }).status ?? {}) as T;
  }

  async condition(kind: KindOf<unknown>, name: string, type = 'Ready'): Promise<Condition | undefined> {
    return (await this.status(kind, name)).conditions?.find((condition) => condition.type === type);
  }

  /** Once it is ready, which its Pods are by a kubelet's word, and `expected` holds of its status. */
  async ready<T extends CommonStatus = CommonStatus>(
    kind: KindOf<unknown>,
    name: string,
    expected: Readonly<Record<string, unknown>> = {},
  ): Promise<T> {
    return eventually(async () => {
      await placeDaemonPods(this.admin, this.namespace);
      await markPodsReady(this.admin, this.namespace);
      const { metadata, ...cr } = await this.get(kind, name);
      const status = ((cr as { status?: T }).status ?? {}) as T;
      const ready = status.conditions?.find(({ type }) => type === 'Ready');
      expect(ready).toMatchObject({ status: 'True', observedGeneration: metadata.generation });
      expect(status).toMatchObject(expected);
      return status;
    });
  }

  /** What somebody changes in a child by a patch is put back. */
  async putsBack(
    kind: KindOf<unknown>,
    name: string,
    changed: object,
    type: 'merge' | 'strategic' = 'strategic',
  ): Promise<void> {
    await this.quiet();
    const wanted = (await this.get(kind, name)) as Manifest;
    await this.patch(kind, name, changed, type);
    await eventually(async () => {
      const now = (await this.get(kind, name)) as Manifest;
      expect(now.metadata['resourceVersion']).not.toBe(wanted.metadata['resourceVersion']);
      expect(now['spec']).toEqual(wanted['spec']);
      expect(now.metadata.labels).toEqual(wanted.metadata.labels);
      expect(now.metadata.ownerReferences).toEqual(wanted.metadata.ownerReferences);
    });
  }

  /** What somebody deletes comes back as another object of the same name. */
  async makesAgain(kind: KindOf<unknown>, name: string): Promise<void> {
    const { uid } = (await this.get(kind, name)).metadata;
    await this.admin.delete(kind, { namespace: this.namespace, name });
    await eventually(async () => expect((await this.get(kind, name)).metadata.uid).not.toBe(uid));
  }

  /** The API server refuses a custom resource in these words. */
  async refuses(kind: ApiResource, spec: unknown, words: string): Promise<void> {
    const bad = { apiVersion: kind.apiVersion, kind: kind.kind, metadata: { name: 'bad' }, spec };
    const { stderr, exitCode } = await this.apply(bad, { allowFailure: true });
    expect(stderr).toContain(words);
    expect(exitCode).toBe(1);
  }

  /** What the operator wrote while `during` ran. */
  async writesDuring(during: () => Promise<unknown>): Promise<readonly AuditEvent[]> {
    const before = writesOf(await this.plane().audit(), this.#username).length;
    await during();
    return writesOf(await this.plane().audit(), this.#username).slice(before);
  }

  /** What the operator read without being told while `during` ran. */
  async readsDuring(during: () => Promise<unknown>): Promise<readonly AuditEvent[]> {
    const before = readsOf(await this.plane().audit(), this.#username).length;
    await during();
    return readsOf(await this.plane().audit(), this.#username).slice(before);
  }

  /** Until the controller has had nothing to do for a second. */
  async quiet(): Promise<void> {
    for (let rounds = 0; rounds < 20; ) {
      rounds = this.#running?.controller.isIdle ? rounds + 1 : 0;
      await sleep(50);
    }
  }

  /** Restarts the controller, and returns what it wrote because of that. */
  async writesOfRestart(): Promise<readonly AuditEvent[]> {
    await this.quiet();
    return this.writesDuring(async () => {
      await this.stop();
      await this.start();
      await this.quiet();
    });
  }

  async #open(): Promise<void> {
    const installs = this.operators.map(({ name }) => `${name}-operator`);
    const rendered = readDist().filter(({ folder }) => installs.includes(folder));
    await applyInWaves(this.plane(), rendered);
    const { namespace, name } = serviceAccountOf(operatorDeployment(rendered, installs[0]));
    this.#username = `system:serviceaccount:${namespace}:${name}`;
    this.#admin = connect(await kubeConfig({ path: this.plane().kubeconfig }));
    const path = await this.plane().serviceAccountKubeconfig(namespace, name);
    this.#account = connect(await kubeConfig({ path }));
    await this.start();
  }

  async #close(): Promise<void> {
    await this.stop();
    await this.#account?.close();
    await this.#admin?.close();
  }
}
