import { beforeAll, expect } from '@jest/globals';
import type { Operator } from '../../src/index.js';
import { type ApiResource, groupOf } from '../../src/kube/api-resource.js';
import type { Manifest } from '../../src/kube/manifest.js';
import type { ControllerOptions } from '../../src/runtime/run-controller.js';
import { silentLog } from '../../src/runtime/telemetry/log.js';
import type { AuditEvent } from '../cluster/audit.js';
import type { ControlPlane } from '../cluster/control-plane.js';
import { applyInWaves, operatorDeployment, readDist, serviceAccountOf } from '../cluster/dist.js';
import { eventually } from '../cluster/eventually.js';
import { markPodsReady, placeDaemonPods } from '../cluster/kubelet-stand-in.js';
import { type Account, type CommonStatus, type KindOf, Stage } from '../cluster/stage.js';
import { conditionIn } from '../condition-in.js';

/**
 * Where an operator lives its life: its rendered install on a control plane, and its controller in this process, as the
 * ServiceAccount that is rendered, with the rights that are rendered.
 */
export class LifeStage extends Stage {
  readonly home = 'default';

  /** In a suite of `onEveryCluster`: installs and starts the operators before its tests, and ends everything after them. */
  constructor(
    plane: () => ControlPlane,
    private readonly operators: readonly Operator[],
    options: Partial<ControllerOptions> = {},
  ) {
    super(plane, [], { log: silentLog, maxConcurrentReconciles: undefined, ...options });
    beforeAll(() => this.start(), 60_000);
  }

  override start(operators: readonly Operator[] = this.operators): Promise<void> {
    return super.start(operators);
  }

  protected override async prepare(): Promise<Account> {
    const installs = this.operators.map(({ name }) => `${name}-operator`);
    const rendered = readDist().filter(({ folder }) => installs.includes(folder));
    await applyInWaves(this.plane(), rendered);
    return serviceAccountOf(operatorDeployment(rendered, installs[0]));
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

  /** Whether it exists is told by `kubectl get` and by nothing else, so that a wrong path is no absence. */
  async names(kind: ApiResource): Promise<readonly string[]> {
    const { items } = await this.admin.list(kind, kind.namespaced ? { namespace: this.home } : {});
    return items.map(({ metadata }) => metadata.name).sort();
  }

  /** Once it is ready, which its Pods are by a kubelet's word, and `expected` holds of its status. */
  async ready<T extends CommonStatus = CommonStatus>(
    kind: KindOf<unknown>,
    name: string,
    expected: Readonly<Record<string, unknown>> = {},
  ): Promise<T> {
    return eventually(async () => {
      await placeDaemonPods(this.admin, this.home);
      await markPodsReady(this.admin, this.home);
      const { metadata, ...cr } = await this.get(kind, name);
      const status = ((cr as { status?: T }).status ?? {}) as T;
      expect(conditionIn({ status })).toMatchObject({ status: 'True', observedGeneration: metadata.generation });
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
    await this.admin.delete(kind, { namespace: this.home, name });
    await eventually(async () => expect((await this.get(kind, name)).metadata.uid).not.toBe(uid));
  }

  /** The API server refuses a custom resource in these words. */
  async refuses(kind: ApiResource, spec: unknown, words: string): Promise<void> {
    const bad = { apiVersion: kind.apiVersion, kind: kind.kind, metadata: { name: 'bad' }, spec };
    const { stderr, exitCode } = await this.apply(bad, { allowFailure: true });
    expect(stderr).toContain(words);
    expect(exitCode).toBe(1);
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
}
