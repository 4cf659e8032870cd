import { afterEach, describe, expect, it } from '@jest/globals';
import { ConfigMap, CustomResourceDefinition } from '../../../imports/k8s.js';
import type { Composition } from '../../../src/compose/composition.js';
import { type Condition, one, operator, optional } from '../../../src/index.js';
import { keyOf } from '../../../src/kube/object-ref.js';
import { OptionalKinds } from '../../../src/runtime/informer/optional-kinds.js';
import type { WatchedKind } from '../../../src/runtime/informer/watched-kind.js';
import { startCluster, type TestCluster } from '../../../src/testing/index.js';
import { conditionIn } from '../../condition-in.js';
import { Door, doors, House } from '../a-house-with-a-door.js';

/** A ConfigMap, and a Door where there are any. */
const house = operator(House, {
  owns: [ConfigMap, optional(Door)],
  compose(scope, { spec: { color } }) {
    new ConfigMap(scope, 'plan', { data: { color } });
    new Door(scope, 'door', { spec: { color } });
  },
});
/** The same, whose ConfigMap needs the Door. */
const shut = operator(House, {
  owns: [ConfigMap, optional(Door)],
  compose(scope, { spec: { color } }) {
    const plan = new ConfigMap(scope, 'plan', { data: { color } });
    plan.node.addDependency(new Door(scope, 'door', { spec: { color } }));
  },
});
/** One that is painted as a Door is, where there are any, and has a yard unless it has a door. */
const painter = operator(House, {
  owns: [ConfigMap, optional(Door)],
  reads: { door: one(Door, () => ({ name: 'other' })) },
  compose(scope, { spec: { hasDoor } }, { door }) {
    new ConfigMap(scope, 'plan', { data: { color: door?.spec.color ?? 'none' } });
    if (!hasDoor) new ConfigMap(scope, 'yard', { data: {} });
  },
});
/** The same, with its Door in the next namespace. */
const estate = operator(House, {
  owns: [ConfigMap, optional(Door)],
  reach: 'cluster',
  compose(scope, { spec: { color, hasDoor } }) {
    new ConfigMap(scope, 'plan', { data: { color } });
    if (hasDoor) new Door(scope, 'door', { metadata: { namespace: 'next' }, spec: { color } });
  },
});

describe('a kind that an operator can do without', () => {
  let cluster: TestCluster;
  afterEach(() => cluster.stop());

  const apply = async (color: string, hasDoor = true) => {
    const spec = { color, hasDoor };
    await cluster.apply({ apiVersion: House.apiVersion, kind: House.kind, metadata: { name: 'hut' }, spec });
    await cluster.settled();
  };
  const painted = async () => (await cluster.get(ConfigMap, 'hut-plan')).data;
  const door = async () => (await cluster.get(Door, 'hut-door')).spec;
  const serve = async (served: boolean) => {
    const { versions } = (await cluster.get(CustomResourceDefinition, doors)).spec;
    await cluster.patch(CustomResourceDefinition, doors, {
      spec: { versions: versions.map((version) => ({ ...version, served })) },
    });
  };

  it.each([
    ['is not served any more', () => serve(false), () => serve(true)],
    ['was uninstalled', () => cluster.delete(CustomResourceDefinition, doors), () => cluster.install(Door.crd())],
  ])('keeps no edit waiting when it %s, and follows when it is back', async (_, goes, comes) => {
    cluster = await startCluster();
    await cluster.install(Door.crd());
    const controller = await cluster.run(house);
    await apply('red');
    expect(await door()).toEqual({ color: 'red' });

    await goes();
    await cluster.settled();
    await apply('blue');
    expect(await painted()).toEqual({ color: 'blue' });
    expect(controller.isIdle).toBe(true);

    await comes();
    await cluster.settled();
    expect(await door()).toEqual({ color: 'blue' });
  });

  it.each([
    ['was never there', async () => {}, 'none'],
    ['is not served any more', () => cluster.install(Door.crd()).then(() => serve(false)), 'none'],
  ])('keeps nothing from being put back or taken away for which it is read, where it %s', async (_, prepare, color) => {
    cluster = await startCluster();
    await prepare();
    const controller = await cluster.run(painter);
    await apply('red', false);
    controller.restart();
    await cluster.settled();
    await cluster.delete(ConfigMap, 'hut-plan');
    await cluster.settled();
    expect(await painted()).toEqual({ color });
    await apply('red', true);
    expect(await cluster.find(ConfigMap, 'hut-yard')).toBeUndefined();
    expect(conditionIn(await cluster.get(House, 'hut'))).toMatchObject({ status: 'True' });

    await cluster.install(Door.crd());
    await cluster.apply({
      apiVersion: Door.apiVersion,
      kind: Door.kind,
      metadata: { name: 'other' },
      spec: { color: 'blue' },
    });
    await cluster.settled();
    expect(await painted()).toEqual({ color: 'blue' });
  });

  it('leaves those waiting that depend on it for what it would have waited for', () => {
    const ref = (kind: string, name: string) => ({ apiVersion: kind === 'Door' ? Door.apiVersion : 'v1', kind, name });
    const [plan, door, ground] = [ref('ConfigMap', 'plan'), ref('Door', 'door'), ref('ConfigMap', 'ground')];
    const kinds = new OptionalKinds([ConfigMap, optional(Door)], () => ({ isServed: false }) as WatchedKind);
    const needs = new Map([
      [keyOf(plan), [door]],
      [keyOf(door), [ground]],
    ]);
    const composition = { children: [], returned: {}, needs } as unknown as Composition;
    expect(kinds.without(composition).needs?.get(keyOf(plan))).toEqual([ground]);
  });

  it('keeps nobody waiting that depends on it while it is not there', async () => {
    cluster = await startCluster();
    await cluster.run(shut);
    await apply('red');
    expect(await painted()).toEqual({ color: 'red' });
  });

  it('keeps whoever depends on it waiting until it says that it is ready, where it is there', async () => {
    cluster = await startCluster();
    await cluster.install(Door.crd());
    await cluster.run(shut);
    await apply('red');
    expect((await cluster.list(ConfigMap)).map(({ metadata }) => metadata.name)).not.toContain('hut-plan');
    const { status } = (await cluster.get(House, 'hut')) as unknown as { status: { conditions: Condition[] } };
    expect(status.conditions[0]).toMatchObject({
      reason: 'DependencyNotReady',
      message: 'ConfigMap/default/hut-plan waits: Door/default/hut-door does not say yet that it is ready',
    });
  });

  it('is told apart by its group from another that is called as it is', async () => {
    const { kind, plural, namespaced } = Door;
    const other = { apiVersion: 'barns.example.com/v1', kind, plural, namespaced };
    const gate = { apiVersion: 'barns.example.com/v1', kind: 'Gate', plural: 'gates', namespaced };
    const twice = operator(House, { owns: [ConfigMap, optional(Door), optional(other), optional(gate)], compose() {} });
    cluster = await startCluster();
    await cluster.install(Door.crd());
    await cluster.run(twice);
    await apply('red');
    const { status } = (await cluster.get(House, 'hut')) as unknown as { status: { conditions: Condition[] } };
    expect(status.conditions).toMatchObject([
      { type: 'Ready', status: 'True' },
      { type: 'doors.example.com/DoorAvailable', status: 'True' },
      { type: 'barns.example.com/DoorAvailable', status: 'False' },
      { type: 'GateAvailable', status: 'False' },
    ]);
  });

  describe('and of which a child is beyond the reach of owner references', () => {
    const next = { namespace: 'next' };
    const start = async () => {
      cluster = await startCluster();
      await cluster.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'next' } });
      await cluster.install(Door.crd());
      const controller = await cluster.run(estate);
      await apply('red');
      expect(await cluster.find(Door, 'hut-door', next)).toBeDefined();
      return controller;
    };
    const goes = [
      ['is not served any more', () => serve(false)],
      ['was uninstalled', () => cluster.delete(CustomResourceDefinition, doors)],
    ] as const;

    it.each(goes)('lets its custom resource be well, and go, when it %s while nobody looked', async (_, leave) => {
      const controller = await start();
      await controller.stop();
      await leave();
      controller.restart();
      await apply('blue');
      expect(conditionIn(await cluster.get(House, 'hut'))).toMatchObject({ status: 'True' });
      await cluster.delete(House, 'hut');
      await cluster.settled();
      expect(await cluster.find(House, 'hut')).toBeUndefined();
    });

    it.each(goes)('lets its custom resource go when it %s', async (_, leave) => {
      await start();
      await leave();
      await cluster.settled();
      await cluster.delete(House, 'hut');
      await cluster.settled();
      expect(await cluster.find(House, 'hut')).toBeUndefined();
    });

    it.each([
      ['and whoever looked goes on', false],
      ['and whoever looked began anew', true],
    ])('is not forgotten when it was not served for a while, %s', async (_, isAnew) => {
      const controller = await start();
      await serve(false);
      await cluster.settled();
      if (isAnew) controller.restart();
      await apply('blue', false);
      await serve(true);
      await cluster.settled();
      expect(await cluster.find(Door, 'hut-door', next)).toBeUndefined();
    });
  });
});
