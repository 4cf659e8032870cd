import { expect } from '@jest/globals';
import { ConfigMap } from '../../imports/k8s.js';
import type { Condition, KubeObject, Operator } from '../../src/index.js';
import { systemClock } from '../../src/kube/clock.js';
import { ConfigMapSync, configMapSync } from '../../src/operators/config-map-sync.js';
import { TestController } from '../../src/testing/test-controller.js';
import type { ControlPlane } from '../cluster/control-plane.js';
import { eventually } from '../cluster/eventually.js';
import type { Launched } from '../cluster/launched.js';
import { LifeStage } from './life-stage.js';

export type Copy = KubeObject & { readonly data?: Readonly<Record<string, string>> };

/** The life of ConfigMapSyncs, with a controller that can be killed. */
export class ConfigMapSyncStage extends LifeStage {
  #controller: TestController | undefined;

  constructor(plane: () => ControlPlane) {
    super(plane, [configMapSync]);
  }

  get controller(): TestController {
    if (!this.#controller) throw new Error('the controller does not run yet: use it inside a test');
    return this.#controller;
  }

  protected override launch(operators: readonly Operator[]): Launched {
    const controller = new TestController({
      operators,
      cluster: this.account,
      clock: systemClock,
      random: Math.random,
      identity: 'one',
      now: () => '',
      carriedOut: () => {},
    });
    this.#controller = controller;
    return {
      get isIdle() {
        return controller.isIdle;
      },
      synced: () => Promise.resolve(),
      stop: () => controller.stop(),
    };
  }

  /** A ConfigMap as a person wants it to be. */
  async data(
    namespace: string,
    name: string,
    data: Readonly<Record<string, string>>,
    annotations: Readonly<Record<string, string>> = {},
  ): Promise<KubeObject> {
    const manifest = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace, annotations }, data };
    return this.admin.apply(ConfigMap, manifest, { fieldManager: 'a-person', force: true });
  }

  /** A ConfigMap, or undefined where there is none. */
  copy(namespace: string, name: string): Promise<Copy | undefined> {
    return this.admin.get(ConfigMap, { name, namespace }).then(
      (object) => object as Copy,
      () => undefined,
    );
  }

  syncReady(namespace: string, name: string): Promise<Condition | undefined> {
    return this.condition(ConfigMapSync, { namespace, name });
  }

  async isReady(namespace: string, name: string): Promise<void> {
    await eventually(async () => expect(await this.syncReady(namespace, name)).toMatchObject({ status: 'True' }));
  }

  async isGone(namespace: string, name: string): Promise<void> {
    await eventually(() => expect(this.admin.get(ConfigMapSync, { namespace, name })).rejects.toThrow('not found'));
  }
}
