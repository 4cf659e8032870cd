import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { ClusterRoleBinding, CustomResourceDefinition, Namespace } from '../../imports/k8s.js';
import type { ClusterConfig } from '../../src/client/cluster-config.js';
import { connect, type HttpCluster } from '../../src/client/http-cluster.js';
import { kubeConfig } from '../../src/client/kube-config.js';
import type { Condition, KubeObject, Manifest, Observed, Operator } from '../../src/index.js';
import type { ApiResource } from '../../src/kube/api-resource.js';
import { compareVersions } from '../../src/runtime/informer/store.js';
import type { ControllerOptions } from '../../src/runtime/run-controller.js';
import { createLog } from '../../src/runtime/telemetry/log.js';
import { conditionIn } from '../condition-in.js';
import { type AuditEvent, readsOf, writesOf } from './audit.js';
import type { ControlPlane } from './control-plane.js';
import { eventually } from './eventually.js';
import { type Launched, launchController } from './launched.js';
import { untilServed } from './until-served.js';

export interface LogLine {
  readonly level: string;
  readonly msg: string;
  readonly [field: string]: unknown;
}

/** What every status has, beside the fields of its kind. */
export interface CommonStatus {
  readonly observedGeneration?: number;
  readonly conditions?: readonly Condition[];
}

/** A class of `imports/` or a custom resource's, for its kind and its type. */
export type KindOf<T> = ApiResource & (abstract new (...parameters: never) => { readonly object?: T });

/** Where an object is: a name alone is one in `default`. */
export type Named = string | { readonly namespace?: string; readonly name: string };

export interface Account {
  readonly namespace: string;
  readonly name: string;
}

/** The production controller on a control plane, in this process, under an account of its own, and what can be seen of it. */
export class Stage {
  readonly lines: LogLine[] = [];
  #admin: HttpCluster | undefined;
  #account: HttpCluster | undefined;
  #username = '';
  #running: Launched | undefined;

  /** In a suite of `onEveryCluster`: opens before its tests, and ends everything after them. */
  constructor(
    protected readonly plane: () => ControlPlane,
    private readonly definitions: readonly Manifest[],
    private readonly options: Partial<ControllerOptions> = {},
  ) {
    beforeAll(() => this.#open(), 120_000);
    afterAll(() => this.#close(), 60_000);
  }

  /** Whoever is not the controller. */
  get admin(): HttpCluster {
    if (!this.#admin) throw new Error('the stage is not open yet: use it inside a test');
    return this.#admin;
  }

  /** The controller's connection: what is asked through it is asked with its rights. */
  get account(): HttpCluster {
    if (!this.#account) throw new Error('the stage is not open yet: use it inside a test');
    return this.#account;
  }

  /** Installs what the controller needs beside its kinds, and says which account it has. */
  protected async prepare(): Promise<Account> {
    const account = { namespace: 'default', name: 'staged' };
    // It may whatever its children may: what RBAC refuses is tested elsewhere.
    await this.create(ClusterRoleBinding, {
      metadata: { name: account.name },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
      subjects: [{ kind: 'ServiceAccount', ...account }],
    });
    return account;
  }

  /** Installs the definition of a kind, and waits until it is served. */
  async install({ metadata, ...body }: Manifest): Promise<void> {
    await this.create(CustomResourceDefinition, { metadata, ...body });
    await untilServed(this.plane(), metadata.name);
  }

  /** The way on which the controller reaches the API server. */
  protected async connection({ namespace, name }: Account): Promise<ClusterConfig> {
    return kubeConfig({ path: await this.plane().serviceAccountKubeconfig(namespace, name) });
  }

  async namespace(name: string, annotations: Readonly<Record<string, string>> = {}): Promise<void> {
    const manifest = { apiVersion: 'v1', kind: 'Namespace', metadata: { name, annotations } };
    await this.admin.apply(Namespace, manifest, { fieldManager: 'a-person', force: true });
  }

  create({ ...resource }: ApiResource, body: object, manager = 'kubectl-create'): Promise<KubeObject> {
    const { apiVersion, kind } = resource;
    return this.admin.create(resource, { apiVersion, kind, ...body } as unknown as Manifest, { fieldManager: manager });
  }

  /** A custom resource as a person wants it to be, by server-side apply. */
  wish(
    { apiVersion, kind, ...resource }: ApiResource,
    named: Named,
    spec: object,
    annotations: Readonly<Record<string, string>> = {},
  ): Promise<KubeObject> {
    return this.admin.apply(
      { apiVersion, kind, ...resource },
      { apiVersion, kind, metadata: { ...targetOf(resource, named), annotations }, spec },
      { fieldManager: 'a-person', force: true },
    );
  }

  /** A merge patch by `manager`. */
  change(resource: ApiResource, named: Named, body: object, manager = 'somebody'): Promise<KubeObject> {
    return this.admin.patch(
      resource,
      targetOf(resource, named),
      { type: 'merge', body: body as Readonly<Record<string, unknown>> },
      { fieldManager: manager },
    );
  }

  async get<T>(kind: KindOf<T>, named: Named): Promise<Observed<T>> {
    return (await this.admin.get(kind, targetOf(kind, named))) as unknown as Observed<T>;
  }

  async status<T extends CommonStatus = CommonStatus>(kind: ApiResource, named: Named): Promise<T> {
    return (((await this.admin.get(kind, targetOf(kind, named))) as { status?: T }).status ?? {}) as T;
  }

  async conditions(kind: ApiResource, named: Named): Promise<readonly Condition[]> {
    return (await this.status(kind, named)).conditions ?? [];
  }

  async condition(kind: ApiResource, named: Named, type = 'Ready'): Promise<Condition | undefined> {
    return (await this.conditions(kind, named)).find((condition) => condition.type === type);
  }

  /** Waits until its `Ready` has this reason, and a message with `words` in it. */
  async says(kind: ApiResource, named: Named, reason: string, words: string): Promise<void> {
    await eventually(async () =>
      expect(await this.condition(kind, named)).toMatchObject({
        reason,
        message: expect.stringContaining(words) as unknown,
      }),
    );
  }

  async start(operators: readonly Operator[]): Promise<void> {
    this.#running = this.launch(operators);
    await this.#running.synced();
  }

  protected launch(operators: readonly Operator[]): Launched {
    return launchController({
      cluster: this.account,
      log: createLog({ level: 'info', format: 'json', write: (line) => this.lines.push(JSON.parse(line) as LogLine) }),
      ...this.options,
      operators,
    });
  }

  async stop(): Promise<void> {
    await this.#running?.stop();
    this.#running = undefined;
  }

  /** Until the controller has seen all that there is, and has had nothing to do for so long. */
  async quiet(seconds = 0.5): Promise<void> {
    for (let rounds = 0; rounds < seconds * 20; ) {
      await sleep(50);
      rounds = this.#running?.isIdle ? rounds + 1 : 0;
      // What it is told late it has yet to deal with.
      if (rounds >= seconds * 20 && !((await this.#hasSeenAll()) && this.#running?.isIdle)) rounds = 0;
    }
  }

  /** What nobody can look at, for want of a right or of an answer, does not count. */
  async #hasSeenAll(): Promise<boolean> {
    const { informers = [] } = this.#running ?? {};
    const seen = informers.map(async ({ version, store, resource, namespace }) => {
      if (version === '') return true;
      const { items } = await this.admin.list(resource, namespace === undefined ? {} : { namespace });
      const isOlder = ({ metadata }: KubeObject) => compareVersions(metadata.resourceVersion, version) <= 0;
      return items.length === store.size && items.every(isOlder);
    });
    return (await Promise.allSettled(seen)).every((each) => each.status === 'rejected' || each.value);
  }

  /** Waits until a custom resource says what became of it, and returns what its condition Stalled says. */
  async settled(resource: ApiResource, named: Named): Promise<string | undefined> {
    return eventually(async () => {
      const { status, metadata } = (await this.admin.get(resource, targetOf(resource, named))) as KubeObject & {
        status?: CommonStatus;
      };
      if (status?.observedGeneration !== metadata.generation) {
        throw new Error(`${metadata.name} was not reconciled yet`);
      }
      const stalled = conditionIn({ status }, 'Stalled');
      return stalled?.status === 'True' ? stalled.message : undefined;
    }, 60);
  }

  /** What the controller wrote while `during` ran. */
  async writesDuring(during: () => Promise<unknown>): Promise<readonly AuditEvent[]> {
    const before = writesOf(await this.plane().audit(), this.#username).length;
    await during();
    return writesOf(await this.plane().audit(), this.#username).slice(before);
  }

  /** What the controller read without being told while `during` ran. */
  async readsDuring(during: () => Promise<unknown>): Promise<readonly AuditEvent[]> {
    const before = readsOf(await this.plane().audit(), this.#username).length;
    await during();
    return readsOf(await this.plane().audit(), this.#username).slice(before);
  }

  async #open(): Promise<void> {
    this.#admin = connect(await kubeConfig({ path: this.plane().kubeconfig }));
    for (const definition of this.definitions) await this.install(definition);
    const { namespace, name } = await this.prepare();
    this.#username = `system:serviceaccount:${namespace}:${name}`;
    this.#account = connect(await this.connection({ namespace, name }));
  }

  async #close(): Promise<void> {
    await this.stop();
    await this.#account?.close();
    await this.#admin?.close();
  }
}

/** What is written of children and custom resources, without the events that tell of it. */
export function withoutEvents(writes: readonly AuditEvent[]): readonly AuditEvent[] {
  return writes.filter(({ objectRef }) => objectRef?.resource !== 'events');
}

function targetOf(
  { namespaced }: { readonly namespaced: boolean },
  named: Named,
): { namespace?: string; name: string } {
  const target = typeof named === 'string' ? { name: named } : named;
  return namespaced ? { namespace: 'default', ...target } : { name: target.name };
}
